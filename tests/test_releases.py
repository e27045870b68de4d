"""Official results are frozen: nothing moves them, and errata say what came later."""

import json
import re
from dataclasses import replace

import pytest
from click.testing import CliRunner
from conftest import AT
from phased import NOON, SECOND, phase, registered, send, task_text
from sites import exams
from sqlalchemy import select, text
from test_version_pages import REVEAL, TOP, hidden, pages, said_on
from test_versions import GOLD, answering, dropping, replacing, restoring

from grader import store
from grader.board import visible
from grader.cli import main
from grader.errors import Mistake
from grader.freezing import freeze, frozen
from grader.marking import Decision, describe, mark, withdraw
from grader.marking import restore as bring_back
from grader.model import About, Snapshot
from grader.registration import erase, merge, rename
from grader.rescore import Act, entries, rescore
from grader.revise import update_task
from grader.store.schema import releases
from grader.tasks import parse as parse_task
from grader.tasks import read_gold


def freezing(engine, name="", at=NOON, why="the results"):
    with store.unit(engine) as db:
        return freeze(db, "t", name, why, at)[:2]


def filled(engine, *phases, top=TOP):
    registered(engine, *phases, top=top)
    send(engine, answering({1, 2, 3, 4, 5, 6}, "0.8"))
    send(engine, answering({0, 1, 2}, "0.6"), team="Bees")
    send(engine, answering({0, 1, 2, 3}, "0.6"), team="Bees", name="second")
    return engine


def kept(engine):
    with store.reading(engine) as db:
        return db.scalars(select(releases.c.document).order_by(releases.c.id)).all()


def frozen_files(engine, name="v1"):
    """The file of a release, and its page without the errata, and the links to runs' pages."""
    site = pages(engine)
    page = site[f"t/release/{name}.html"].decode()
    before, _, rest = page.partition('<h2 id="since">')
    board = rest.partition('<h2 id="board">')[2].partition("<footer>")[0]
    return site[f"t/release/{name}.json"], before, re.sub(r"</?a\b[^>]*>", "", board)


def updated(engine, top, *phases):
    text_ = task_text("".join(phases), top)
    task = parse_task(text_, "t")
    with store.unit(engine) as db:
        gold = read_gold(task, GOLD.encode(), "g")
        update_task(db, task, text_, gold, Act(NOON + 9 * SECOND, b"s" * 32))


def test_what_is_frozen_is_the_board_that_the_public_sees(engine):
    filled(engine)
    name, made = freezing(engine)
    assert name == "v1"
    with store.reading(engine) as db:
        (mine,) = visible(store.snapshot(db, NOON, ["t"]), "public").tasks
        numbers = {number: slug for slug, number in store.run_numbers(db, "t").items()}
    assert [(b.phase, b.subset, b.scored) for b in made.boards] == [
        ("", "all", 8),
        ("", "kind=b", 4),
        ("", "kind=a", 4),
    ]
    whole = made.boards[0]
    assert [(numbers[row.run], row.rank) for row in whole.rows] == [
        ("ants-1", 1),
        ("bees-2", 2),
        ("bees-1", 3),
    ]
    first = {s.measure: s for s in whole.rows[0].scores}
    assert first["accuracy"].value == 6 / 8
    # Rights at .8, wrongs at .8: 2 · .8 · .2 / 1
    assert first["hmr"].value == 0.32
    by_slug = {e.slug: e for e in mine.entries}
    for row in whole.rows:
        entry = by_slug[numbers[row.run]]
        shown = [s for s in entry.graded.scores if s.subset == "all"]
        assert [(s.measure, s.n, s.note, s.version) for s in row.scores] == [
            (s.measure, s.n, s.note, s.version) for s in shown
        ]
        assert all(
            s.value == (None if was.value is None else float(f"{was.value:.3f}"))
            for s, was in zip(row.scores, shown, strict=True)
        )
    # Of four instances nothing is said.
    assert {s.value for board in made.boards[1:] for row in board.rows for s in row.scores} == {
        None
    }
    assert [r.settings for r in made.runs] == [e.settings for e in mine.entries]
    assert (made.gold.version, made.gold.commitment) == (1, mine.gold.commitment)
    with store.reading(engine) as db:
        (release,) = store.releases(db, {"t": ()})["t"]
        (event,) = store.history(db, "t")
    assert (release.frozen, release.name, release.why, release.at) == (
        made,
        "v1",
        "the results",
        NOON,
    )
    assert (event.what, event.why) == ("task freeze: v1", "the results")


def test_nothing_moves_it(engine):
    """Not a byte of its file, nor of its page but the errata, whatever happens to the task."""
    filled(engine)
    freezing(engine)
    document, before = kept(engine), frozen_files(engine)
    told = json.loads(before[0])
    assert [row["run"] for row in told["boards"][0]["rows"]] == ["ants-1", "bees-2", "bees-1"]
    assert told["boards"][0]["rows"][0]["scores"]["accuracy"]["shown"] == "0.750"

    def held():
        assert kept(engine)[:1] == document
        assert frozen_files(engine) == before

    dropping(engine, "q5", "q6", at=NOON + SECOND)
    replacing(engine, GOLD.replace("q1,yes", "q1,no"), at=NOON + 2 * SECOND)
    with store.unit(engine) as db:
        withdraw(db, "t", "ants-1", Decision("wrong file", NOON + 3 * SECOND))
        rescore(db, "t", NOON, entries(db, "t", NOON))
    send(engine, answering({0, 1, 2, 3, 4, 5, 6, 7}), at=NOON + 4 * SECOND, name="late star")
    held()
    restoring(engine, "q5", at=NOON + 5 * SECOND)
    replacing(engine, GOLD, at=NOON + 6 * SECOND)
    with store.unit(engine) as db:
        bring_back(db, "t", "ants-1", Decision("right after all", NOON + 7 * SECOND))
    updated(engine, 'primary = "brier"\nmeasures = ["bias"]\n[ranking]\ndigits = 5\n')
    name, _ = freezing(engine, at=NOON + 10 * SECOND)
    assert name == "v2"
    held()
    assert json.loads(frozen_files(engine, "v2")[0])["primary"] == "brier"


def test_errata_say_what_happened_since_and_why(engine):
    filled(engine)
    with store.unit(engine) as db:
        withdraw(db, "t", "bees-1", Decision("before", NOON))
    freezing(engine)
    page = said_on(pages(engine)["t/release/v1.html"])
    assert "Since then Nothing has changed. Board" in page
    assert "Bees run withdrawn: before" in page
    dropping(engine, "q5", at=NOON + SECOND)
    with store.unit(engine) as db:
        withdraw(db, "t", "ants-1", Decision("wrong file", NOON + 2 * SECOND))
    send(engine, answering({0}), at=NOON + 3 * SECOND, name="new")
    with store.unit(engine) as db:
        withdraw(db, "t", "ants-2", Decision("not of these results", NOON + 4 * SECOND))
    updated(engine, TOP.replace("hmr", "bias"))
    page = said_on(pages(engine)["t/release/v1.html"])
    day = "2031-05-10 12:00:0"
    assert (
        f"Since then {day}1 UTC: gold version 2: 1 instance dropped (two answers are right) "
        f"{day}2 UTC: Ants · run: withdrawn (wrong file) "
        f"{day}9 UTC: the task's file changed: measures Board"
    ) in page
    board = said_on(pages(engine)["t/index.html"])
    assert f"Official results: v1, frozen {day}0 UTC, 3 errata since." in board


def since(engine, name="v1"):
    """The errata of frozen results: what, why, and the run."""
    with store.reading(engine) as db:
        found = next(r for r in store.releases(db, {"t": ()})["t"] if r.name == name)
    return [(one.what, one.why, one.run) for one in found.errata]


def numbers(engine):
    """The rows of the file of frozen results without what runs and teams are called."""
    told = json.loads(frozen_files(engine)[0])
    return [[(row["rank"], row["scores"]) for row in board["rows"]] for board in told["boards"]]


def test_teams_and_runs_that_are_called_otherwise_since_are_errata(engine):
    filled(engine)
    with store.unit(engine) as db:
        store.add_team(db, "Cats", "token of Cats", AT)
        store.add_team(db, "Dogs", "token of Dogs", AT)
        rename(db, "Bees", "Wasps", Decision("before", NOON))
    send(engine, answering({0, 1, 2}, "0.6"), team="Cats", name="run")  # the bytes of bees-1
    freezing(engine)
    before, kept_ = numbers(engine), kept(engine)
    send(engine, answering({0}), team="Dogs", at=NOON + SECOND)  # not in the results
    with store.unit(engine) as db:
        rename(db, "Dogs", "Hounds", Decision("not of these results", NOON + SECOND))
        rename(db, "Ants", "Emmets", Decision("shy", NOON + 2 * SECOND))
        merge(db, "Cats", "Wasps", Decision("one group", NOON + 3 * SECOND))
        merge(db, "Hounds", "Emmets", Decision("not of these results", NOON + 4 * SECOND))
    assert since(engine) == [
        ("the team Ants is called Emmets", "shy", ""),
        # That teams were two is said by boards, where it may be.
        ("the team Cats is called Wasps", "", ""),
        ("renamed to 'run (2)' beside bees-1", "one group", "cats-1"),
        ("cats-1 was renamed to 'run (2)' beside bees-1", "one group", "bees-1"),
    ]
    assert (numbers(engine), kept(engine)) == (before, kept_)
    page = said_on(pages(engine)["t/release/v1.html"])
    assert "12:00:02 UTC: the team Ants is called Emmets (shy) " in page
    with store.unit(engine) as db:
        erase(db, "Emmets", Decision("Emmets asked", NOON + 5 * SECOND))
    assert since(engine)[0] == ("the team Cats is called Wasps", "", "")
    assert since(engine)[-1] == ("the name of a team was erased: it is erased team 1", "", "")
    assert (numbers(engine), kept(engine)) == (before, kept_)


def test_every_frozen_run_that_a_decision_names_has_the_erratum(engine):
    filled(engine)
    with store.unit(engine) as db:
        mark(db, "t", "bees-1", "primary", Decision("mail", NOON))
    freezing(engine)
    send(engine, answering({0}), team="Bees", at=NOON + SECOND, name="new")
    for run, moment in (("bees-2", NOON + 2 * SECOND), ("bees-3", NOON + 3 * SECOND)):
        with store.unit(engine) as db:
            mark(db, "t", run, "primary", Decision("second mail", moment))
    with store.unit(engine) as db:
        describe(db, "t", "bees-2", About("better"), NOON + 4 * SECOND)
    assert since(engine) == [
        ("marked primary instead of bees-1", "second mail", "bees-2"),
        ("bees-2 was marked primary instead of bees-1", "second mail", "bees-1"),
        ("bees-3 was marked primary instead of bees-2", "second mail", "bees-2"),
    ]


def test_errata_are_those_after_the_freeze_whatever_the_log_says_elsewhere(engine):
    """Two freezes of names that are reasons and other lines too."""
    filled(engine)
    with store.unit(engine) as db:
        withdraw(db, "t", "ants-1", Decision("task freeze: v1", NOON))
    freezing(engine, "first")
    with store.unit(engine) as db:
        bring_back(db, "t", "ants-1", Decision("x", NOON))
    freezing(engine, "second")
    assert since(engine, "first") == [("no longer withdrawn", "x", "ants-1")]
    assert since(engine, "second") == []


def test_a_name_is_looked_up_and_an_erased_one_is_gone(engine, monkeypatch, migrated_url):
    filled(engine)
    freezing(engine)
    assert "ants" not in kept(engine)[0].casefold()
    assert "second" not in kept(engine)[0]
    assert json.loads(frozen_files(engine)[0])["runs"][0]["team"] == "Ants"
    monkeypatch.setenv("GRADER_DB", migrated_url)
    order = ["team", "erase", "Ants", "--why", "they asked", "--at", "2031-05-11T12:00:00Z"]
    done = CliRunner().invoke(main, order)
    assert done.exit_code == 0, done.output
    site = pages(engine)
    for path in ("t/release/v1.json", "t/release/v1.html"):
        assert b"ants" not in site[path].lower()
    erased, *_ = json.loads(site["t/release/v1.json"])["runs"]
    assert erased["run"] in {path[2:-5] for path in site if path.startswith("t/")}


def test_what_the_public_does_not_see_is_not_frozen(engine):
    filled(engine, hidden())
    with pytest.raises(Mistake) as wrong:
        freezing(engine, at=REVEAL - SECOND)
    assert "the public sees no run of 't' by then" in str(wrong.value)
    assert "grader phase list t" in str(wrong.value)
    assert kept(engine) == []
    _, made = freezing(engine, at=REVEAL)
    assert [(b.phase, len(b.rows)) for b in made.boards if b.subset == "all"] == [("formal", 3)]
    # A site of an earlier instant has no page of it.
    assert "t/release/v1.html" in pages(engine, REVEAL)
    early = pages(engine, REVEAL - SECOND)
    assert not [path for path in early if "release" in path]
    assert b"Official results" not in early["t/index.html"]


def test_phases_that_the_public_does_not_see_are_said_to_be_left_out(
    engine, monkeypatch, migrated_url
):
    dev = phase("dev", closes=NOON + SECOND)
    later = NOON + SECOND
    registered(engine, dev, hidden(opens=later), top=TOP)
    send(engine, answering({1, 2, 3}, "0.8"))
    send(engine, answering({1, 2}, "0.8"), NOON + 2 * SECOND, phase="formal")
    monkeypatch.setenv("GRADER_DB", migrated_url)
    given = ("--why", "results", "--at", (NOON + 3 * SECOND).isoformat())
    done = CliRunner().invoke(main, ["task", "freeze", "t", *given])
    assert done.stdout.splitlines() == [
        "t: frozen as v1 (gold v1, 1 run); publish again to show it",
        (
            "note: formal is not in it: the public does not see its runs by name yet; freeze "
            "again once it does (grader phase list t)"
        ),
    ]
    done = CliRunner().invoke(main, ["task", "freeze", "t", *given, "--format", "json"])
    assert json.loads(done.stdout)["left_out"] == ["formal"]
    late = ("--why", "results", "--at", REVEAL.isoformat(), "--format", "json")
    done = CliRunner().invoke(main, ["task", "freeze", "t", *late])
    assert (json.loads(done.stdout)["left_out"], json.loads(done.stdout)["runs"]) == ([], 2)


def test_a_phase_with_digits_of_its_own_is_frozen_at_these(engine):
    filled(engine, phase(digits=1))
    _, made = freezing(engine)
    values = [s.value for b in made.boards for row in b.rows for s in row.scores]
    assert {v for v in values if v is not None} <= {round(k / 10, 1) for k in range(-10, 11)}
    assert made.boards[0].digits == 1


def test_names_of_releases(engine):
    filled(engine)
    assert freezing(engine, " Überblick 2031 ")[0] == "Überblick 2031"
    for again in ("überblick  2031", "ÜBERBLICK 2031"):
        with pytest.raises(Mistake, match="are frozen as 'Überblick 2031' already"):
            freezing(engine, again)
    for wrong in ("a\0b", "x" * 61):
        with pytest.raises(Mistake):
            freezing(engine, wrong)
    assert freezing(engine, "V2")[0] == "V2"
    assert [freezing(engine)[0] for _ in range(2)] == ["v1", "v3"]
    assert freezing(engine, "index")[0] == "index"
    site = pages(engine)
    names = sorted(p for p in site if p.startswith("t/release/") and p.endswith(".html"))
    assert len(names) == 5
    assert "t/release/uberblick-2031.html" in names
    assert "t/release/index.html" not in names
    linked = site["t/index.html"].decode()
    assert all(name.removeprefix("t/") in linked for name in names)


def test_a_run_withdrawn_before_has_its_row_and_no_numbers(engine):
    filled(engine)
    with store.unit(engine) as db:
        withdraw(db, "t", "ants-1", Decision("wrong file", NOON))
    _, made = freezing(engine)
    last = made.boards[0].rows[-1]
    assert (last.rank, last.why, last.scores) == (None, "withdrawn: wrong file", ())


def test_the_command_says_what_it_froze(engine, monkeypatch, migrated_url):
    filled(engine)
    monkeypatch.setenv("GRADER_DB", migrated_url)

    def invoke(*args):
        return CliRunner().invoke(main, ["task", "freeze", "t", *args, "--at", AT.isoformat()])

    assert "Missing option '--why'" in invoke().stderr
    done = invoke("--why", "the results")
    assert (done.exit_code, done.stdout) == (
        0,
        "t: frozen as v1 (gold v1, 3 runs); publish again to show it\n",
    )
    done = invoke("--why", "more", "--name", "final", "--format", "json")
    assert json.loads(done.stdout) == {
        "task": "t",
        "release": "final",
        "at": AT.isoformat(),
        "gold_version": 1,
        "runs": 3,
        "boards": 3,
        "left_out": [],
    }
    shown = CliRunner().invoke(main, ["task", "show", "t"]).stdout
    assert "frozen      v1, final\n" in shown
    shown = CliRunner().invoke(main, ["task", "show", "t", "--format", "json"]).stdout
    assert json.loads(shown)["frozen"] == ["v1", "final"]
    done = invoke("--why", "more", "--name", "v1")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "grader task freeze t --name ANOTHER" in done.stderr


def test_a_document_of_the_database_reads_as_it_was_written(engine):
    filled(engine)
    _, made = freezing(engine)
    with store.reading(engine) as db:
        stored = db.execute(text("SELECT document FROM releases")).scalar_one()
        (release,) = store.releases(db, {"t": ()})["t"]
    assert stored == store.document(made) == store.document(release.frozen)
    other = replace(made, title="another")
    assert store.document(other) != stored


def test_intervals_are_frozen_at_the_decimals_of_the_board():
    of = exams()
    of = replace(of, task=replace(of.task, ranking=replace(of.task.ranking, digits=2)))
    (mine,) = visible(Snapshot((of,), NOON), "public").tasks
    made = frozen((mine,), {e.slug: i for i, e in enumerate(mine.entries)})
    number = next(i for i, e in enumerate(mine.entries) if e.slug == "run-6")
    (row,) = (row for row in made.boards[0].rows if row.run == number)
    spans = {(s.low, s.high) for s in row.scores}
    assert spans == {(0.06, 0.99), (None, None)}  # .0612 to .9876
