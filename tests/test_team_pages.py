"""A team's page: its runs on every board that its reader sees, and nothing of others."""

from dataclasses import replace
from datetime import timedelta

import pytest
from reading import files, having, parse, text
from sites import HOSTILE, IMAGE, NOON, SCRIPT, exams, plain, unspanned

from grader.board import rank, visible
from grader.model import Naming, Phase, Snapshot

ASTER = next(e.team_slug for e in exams().entries if e.team == "Aster")
OLD = Phase("Dry run", NOON, NOON + timedelta(days=1))
NEW = Phase("Formal", NOON + timedelta(days=2), NOON + timedelta(days=3), visible="none")


def pages(*results):
    made = files(Snapshot(results, NOON + timedelta(days=2)))
    return {path: parse(body) for path, body in made.items() if path.startswith("team/")}


def rows(tree, table=0):
    return having(tree, "table", "profile")[table].findall("tbody/tr")


def test_every_team_with_a_run_has_a_page_and_its_name_is_text():
    made = pages(exams(), plain())
    teams = {e.team_slug: e.team for e in exams().entries}
    assert set(made) == {f"team/{slug}.html" for slug in teams}
    for slug, name in teams.items():
        assert text(made[f"team/{slug}.html"].find(".//h1/bdi")) == name
    assert set(HOSTILE) & set(teams.values())


def test_its_rows_are_those_of_the_board():
    (seen,) = visible(Snapshot((exams(),), NOON), "public").tasks
    board = rank(seen)
    for slug in {e.team_slug for e in exams().entries}:
        own = [row for row in board.rows if row.entry.team_slug == slug]
        found = rows(pages(exams())[f"team/{slug}.html"])
        assert [text(next(r.find("th").iter("bdi"))) for r in found] == [
            row.entry.name for row in own
        ]
        for row, shown in zip(own, found, strict=True):
            place = f"{row.rank} of {len(board.ranked)}" if row.rank else "–"
            assert " ".join(text(shown[0]).split()) == place
            assert row.why in text(shown.find("th"))


def test_a_withdrawn_run_has_a_row_without_numbers_and_no_link():
    clover = next(e.team_slug for e in exams().entries if e.team == "Clover")
    (row,) = rows(pages(exams())[f"team/{clover}.html"])
    assert row.find(".//a") is None
    assert f"withdrawn: {SCRIPT}" in text(row.find("th"))
    assert not [text(td) for td in row.findall("td")[1:] if text(td)]


@pytest.fixture
def phased():
    """Aster's runs are in the old phase, and all others in one that is hidden."""
    found = exams()
    entries = tuple(
        replace(e, phase=OLD.name if e.team == "Aster" else NEW.name) for e in found.entries
    )
    hidden = replace(found.entries[4], slug="aster-9", phase=NEW.name, team="Aster", name="zebra")
    task = replace(found.task, phases=(OLD, NEW))
    return replace(found, task=task, entries=(*entries, replace(hidden, team_slug=ASTER)))


def test_a_hidden_run_is_on_no_page_and_a_team_that_has_only_such_has_none(phased):
    made = pages(phased)
    assert set(made) == {f"team/{ASTER}.html"}
    tree = made[f"team/{ASTER}.html"]
    assert "zebra" not in text(tree)
    assert len(having(tree, "table", "profile")) == 1
    assert "2 runs on 1 board" in text(tree)


def test_what_it_was_called_is_said_once_as_boards_say_it():
    first, second = (
        Naming(
            "Asters", "Astra", merged=False, why="a typing error", at=NOON + timedelta(hours=1)
        ),
        Naming("Astra", "Aster", merged=False, why=SCRIPT, at=NOON + timedelta(hours=2)),
    )
    other = Naming("Bees", "Bryony", merged=False, why="no", at=NOON + timedelta(hours=2))
    of = replace(exams(), namings=(first, second, other))
    tree = pages(of)[f"team/{ASTER}.html"]
    said = [" ".join(text(p).split()) for p in tree.findall(".//p") if "renamed" in text(p)]
    assert said == [
        f"Astra was renamed Aster on 2026-03-01 14:00:00 UTC: {SCRIPT}",
        "Asters was renamed Astra on 2026-03-01 13:00:00 UTC: a typing error",
    ]
    assert "Bees" not in text(tree)
    hidden = NOON - timedelta(hours=1)
    early = replace(of, namings=(replace(first, at=hidden), replace(second, at=hidden)))
    assert "renamed" not in text(pages(early)[f"team/{ASTER}.html"])


def test_why_values_have_no_interval_stands_below_the_table():
    tree = pages(unspanned(exams(), f"too few {IMAGE}"))[f"team/{ASTER}.html"]
    (legend,) = having(tree, "div", "legend")
    assert f"HMR: too few {IMAGE} (2 times)" in " ".join(text(legend).split())
