"""What pages tell of gold versions, and what nobody may read out of them."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from conftest import AT
from phased import NOON, SECOND, phase, registered, run, send, task_text
from reading import parse
from sqlalchemy import event, update
from test_versions import GOLD, answering, dropping, replacing, restoring

from grader import store
from grader.board import visible
from grader.intake import receive
from grader.model import Upload
from grader.paired import public
from grader.rescore import Act
from grader.revise import update_task
from grader.site import render
from grader.store.schema import golds
from grader.tasks import parse as parse_task
from grader.tasks import read_gold

LATER = NOON + timedelta(days=90)
REVEAL = NOON + timedelta(days=30)
TOP = 'primary = "accuracy"\nmeasures = ["hmr"]\n'


def pages(engine, at=LATER):
    with store.reading(engine) as db:
        return dict(render(public(db, at)))


def said_on(page):
    """The text of a page, with one blank between any two words."""
    parts = " ".join(parse(page).find(".//main").itertext()).split()
    return re.sub(r" ([.,;:)])", r"\1", " ".join(parts)).replace("( ", "(")


def versions(engine, at=LATER):
    return said_on(pages(engine, at)["t/versions.html"])


def release(engine, at):
    with store.unit(engine) as db:
        db.execute(update(golds).values(released=at))


def filled(engine, *phases, top=TOP):
    """Ants are right on q1 to q4, Bees on q0 to q3: which of them leads hangs on q0 and q4."""
    registered(engine, *phases, top=top)
    send(engine, answering({1, 2, 3, 4}))
    send(engine, answering({0, 1, 2, 3}), team="Bees")
    return engine


def test_what_the_public_could_see_is_told_before_and_after(engine):
    filled(engine)
    dropping(engine, "q0", at=NOON + SECOND)
    said = versions(engine)
    assert "Boards stand on version 2." in said
    assert "Version 2 Registered 2031-05-10 12:00:01 UTC, when 2 runs were in" in said
    assert "Because two answers are right" in said
    assert "Changed 1 instance dropped after scores were seen Dropped q0 Scored 7 of 8" in said
    assert "2 of 2 runs scored under both versions have another value or rank" in said
    # 4/8 each, then 4/7 and 3/7
    assert "Ants · run 0.500 0.571 1 1 Bees · run 0.500 0.429 1 2" in said
    board = said_on(pages(engine)["t/index.html"])
    assert "Since version 1: 1 instance dropped after scores were seen." in board
    assert "Ranks with and without each dropped instance" in board


def hidden(**keys):
    return phase(visible='"none"', reveal=f'"{REVEAL.isoformat()}"', **keys)


def test_what_was_hidden_then_is_not_told_before_the_gold_is_released(engine):
    filled(engine, hidden())
    dropping(engine, "q0", at=NOON + SECOND)
    at = REVEAL + SECOND
    said = versions(engine, at)
    assert "0.571" in " ".join(map(str, pages(engine, at).values()))  # the board is revealed
    assert "The scores under version 1 were not public while it stood" in said
    assert "0.500" not in said
    assert "1 instance dropped Dropped q0" in said  # not after scores were seen
    # Right on it or not, Ants have 5/8 or 4/8, Bees 4/8 or 3/8: equal at most.
    assert "Ranks if it counted q0 two answers are right where these might be" in said
    assert "where these might be, whoever is right: Bees · run 2 → 1 to 2 Each" in said
    release(engine, at + SECOND)
    assert versions(engine, at) == said
    after = versions(engine, at + SECOND)
    assert "Ants · run 0.500 0.571 1 1 Bees · run 0.500 0.429 1 2" in after
    assert "Ranks if it counted q0 two answers are right Bees · run 2 → 1" in after


def test_of_a_phase_that_is_hidden_nothing_moves_and_nothing_is_put_back(engine):
    filled(engine, hidden())
    dropping(engine, "q0", at=NOON + SECOND)
    release(engine, NOON)
    said = versions(engine, REVEAL - SECOND)
    assert "Ants" not in said
    assert "Bees" not in said
    assert "1 instance dropped" in said
    assert "No run is ranked that could be seen." in said


@pytest.mark.parametrize("label", ["yes", "no"])
def test_before_its_release_no_page_hangs_on_the_gold_of_a_dropped_instance(engine, label):
    """Dropped while nobody saw scores: whatever is right on it, and whoever, the same bytes."""
    at = REVEAL + SECOND

    def site(gold_label, right):
        registered_ = parse_task(task_text(hidden(), TOP), "t")
        gold = GOLD.replace("q0,yes", f"q0,{gold_label}")
        with store.unit(engine) as db:
            slug = f"t{len(store.slugs(db))}"
            store.add_task(
                *(db, slug, task_text(hidden(), TOP), read_gold(registered_, gold.encode(), "g")),
                *(b"salt" * 8, AT),
            )
            if slug == "t0":
                for name in ("Ants", "Bees"):
                    store.add_team(db, name, name, AT)
        for team, mine in (("Ants", {1, 2, 3, 4}), ("Bees", right)):
            receive(engine, slug, Upload(team, "run", "r.csv", answering(mine), NOON))
        dropping(engine, "q0", slug=slug, at=NOON + SECOND)
        found = {
            path.removeprefix(f"{slug}/"): body
            for path, body in pages(engine, at).items()
            if path.startswith(f"{slug}/")
        }
        return found, slug

    first, one = site("yes", {0, 1, 2, 3})
    second, two = site(label, {1, 2, 3} if label == "yes" else {0, 1, 2, 3})

    def plain(body, slug):
        """Without what differs by itself: addresses, digests, sizes."""
        body = re.sub(rf"\b{slug}\b", "", body.decode(errors="replace"))
        urn = r"urn:uuid:[0-9a-f-]{36}"  # of the address and the commitment, which are public
        return re.sub(rf"[0-9a-f]{{64}}|{urn}|[0-9]+ bytes|v2:[0-9a-f]+", "", body)

    assert set(first) == set(second)
    assert "versions.html" in first
    for path, body in first.items():
        assert plain(body, one) == plain(second[path], two), path


def test_scores_of_the_past_have_no_more_decimals_than_were_shown_then(engine):
    filled(engine, phase(digits=1))
    dropping(engine, "q0", "q5", at=NOON + SECOND)
    text_ = task_text(phase(), TOP)
    with store.unit(engine) as db:
        gold = read_gold(parse_task(text_, "t"), GOLD.encode(), "g")
        update_task(db, parse_task(text_, "t"), text_, gold, Act(NOON, b"s" * 32))
    said = versions(engine)
    assert "Ants · run 0.5 0.667 1 1 Bees · run 0.5 0.500 1 2" in said


def test_no_page_has_a_label(engine):
    registered(engine, top=TOP)
    send(engine, run().replace(b"yes", b"zebra"))
    replacing(engine, GOLD.replace("q4,yes", "q4,quagga").replace("q5,yes", "q5,zebra"))
    dropping(engine, "q4", "q5")
    restoring(engine, "q4")
    site = b"".join(pages(engine).values())
    assert b"quagga" not in site
    assert b"zebra" not in site
    assert b"2 labels changed" in site


def test_each_phase_is_told_apart(engine):
    other = phase("second", opens=NOON + timedelta(days=40), closes=NOON + timedelta(days=50))
    filled(engine, phase(closes=NOON + timedelta(days=20)), other)
    at = NOON + timedelta(days=41)
    send(engine, answering({0, 4}), at=at)
    send(engine, answering({1, 2}), at=at, team="Bees")
    dropping(engine, "q0", at=at + SECOND)
    said = versions(engine)
    first, second = said.split("formal")[1].split("second")[:2]
    assert "Ants · run 0.500 0.571 1 1 Bees · run 0.500 0.429 1 2" in first
    # 2/8 each, then 1/7 and 2/7
    assert "Bees · run 0.250 0.286 1 1 Ants · run 0.250 0.143 1 2" in second


def test_organisers_see_all_of_the_past(engine):
    filled(engine, hidden())
    dropping(engine, "q0", at=NOON + SECOND)
    with store.reading(engine) as db:
        whole = store.with_past(db, store.snapshot(db, NOON))
    (mine,) = visible(whole, "organisers").tasks
    assert [old.gold.version for old in mine.earlier] == [1]
    assert {e.slug: e.graded.right for e in mine.earlier[0].entries} == {"ants-1": 4, "bees-1": 4}
    for viewer in ("public", "participants"):
        assert all(part.earlier == () for part in visible(whole, viewer).tasks)
    later = visible(replace(whole, as_of=LATER), "participants")
    assert all(part.earlier == () for part in later.tasks)


def test_the_past_is_read_in_as_many_queries_whatever_it_holds(engine):
    filled(engine)

    def statements():
        seen = []
        with store.reading(engine) as db:
            snapshot = store.snapshot(db, NOON)
            event.listen(db, "before_cursor_execute", lambda *a: seen.append(a[2]))
            store.with_past(db, snapshot)
        return len(seen)

    dropping(engine, "q0")
    first = statements()
    for name in ("q1", "q2", "q3"):
        dropping(engine, name)
    assert statements() == first <= 10
