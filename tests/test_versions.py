"""Gold versions: dropped, restored, replaced instances, and what they do to scores and ranks."""

import csv
import io
import json
import threading
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from functools import cache
from itertools import product

import numpy as np
import pytest
from click.testing import CliRunner
from conftest import AT
from phased import NOON, SECOND, phase, registered, runs, send
from shared_data import shared
from sqlalchemy import text

from grader import store
from grader.board import common, differences
from grader.cli import main
from grader.errors import Mistake
from grader.grade import grade, viewed
from grader.intake import receive
from grader.model import Gold, Judged, Receipt, Standing, Upload
from grader.rescore import Act
from grader.sensitivity import MOST, sensitivity
from grader.tasks import parse, read_gold
from grader.tasks.standing import Word, decided, dropped, replaced, restored
from grader.versioning import Reason, adopt, drop, replace_gold, restore

WHY = Reason("two answers are right", "chair")


def act(at=NOON, progress=lambda _: None):
    return Act(at, b"salt" * 8, progress)


def dropping(engine, *ids, slug="t", at=NOON, progress=lambda _: None):
    with store.unit(engine) as db:
        return drop(db, slug, ids, WHY, act(at, progress))


def restoring(engine, *ids, slug="t", at=NOON):
    with store.unit(engine) as db:
        return restore(db, slug, ids, WHY, act(at))


def replacing(engine, file, slug="t", at=NOON):
    body = file.encode() if isinstance(file, str) else file
    with store.unit(engine) as db:
        return replace_gold(db, slug, lambda task: read_gold(task, body, "g"), WHY, act(at))


def under(engine, version=None, slug="t"):
    """The results of a task under a version of its gold."""
    with store.reading(engine) as db:
        return store.snapshot(db, NOON, [slug], version).tasks[0]


def listed(engine, slug="t"):
    with store.reading(engine) as db:
        return store.versions(db, [slug])[slug]


def scores(results):
    return {e.slug: e.graded.scores for e in results.entries if e.graded}


# --- CLINC150: 5,500 requests, ten domains and none

CLINC = """
title = "Intents"
measures = ["r_o", "r_u", "auroc", "macro(accuracy,subset)"]
[gold]
file = "gold.tsv"
answer = "label"
subsets = ["subset"]
[resampling]
resamples = 0
"""
NAMES = ("tfidf-lr", "tfidf-lr-sharp", "tfidf-nb")


def without(payload, *ids):
    """The lines of a file but those of some instances."""
    gone = tuple(f"{name}{cut}".encode() for name in ids for cut in ("\t", ","))
    return b"".join(x for x in payload.splitlines(keepends=True) if not x.startswith(gone))


@pytest.fixture(scope="module")
def files():
    """The gold and the runs, by name."""
    folder = shared("data", "clinc150")
    bodies = {name: (folder / "runs" / f"{name}.csv").read_bytes() for name in NAMES}
    return (folder / "gold.tsv").read_bytes(), bodies


@pytest.fixture(scope="module")
def scratch(files):
    """The scores of the runs under a gold, in any database, when they are graded by themselves."""
    task = parse(CLINC, "clinc")

    @cache
    def scored(gold, *gone):
        read = read_gold(task, gold, "g")
        each = {f"{n}-1": grade(task, read, without(files[1][n], *gone)) for n in NAMES}
        return {run: graded.scores for run, graded in each.items()}

    return scored


@pytest.fixture
def clinc(engine, files):
    gold, bodies = files
    task = parse(CLINC, "clinc")
    with store.unit(engine) as db:
        store.add_task(db, "clinc", CLINC, read_gold(task, gold, "g"), b"salt" * 8, AT)
        for name in NAMES:
            store.add_team(db, name, name, AT)
    for name in NAMES:
        made = Upload(name, name, "run.csv", bodies[name], NOON)
        assert isinstance(receive(engine, "clinc", made), Receipt)
    return engine, gold


def test_exactly_the_scores_change_that_must_and_each_is_that_of_a_new_grading(clinc, scratch):
    engine, gold = clinc
    first = scores(under(engine, slug="clinc"))
    domain = {
        r["id"]: r["subset"] for r in csv.DictReader(io.StringIO(gold.decode()), delimiter="\t")
    }
    assert (domain["c0000"], domain["c1000"], len(domain)) == (
        "travel",
        "home",
        5500,
    )

    def moved(now):
        """The subsets on which a score of some run is another, in n or value or interval."""
        found = set()
        for run, each in now.items():
            assert [(s.measure, s.subset) for s in each] == [
                (s.measure, s.subset) for s in first[run]
            ]
            found |= {s.subset for s, was in zip(each, first[run], strict=True) if s != was}
        return found

    assert first == scratch(gold)
    dropped_ = dropping(engine, "c0000", slug="clinc")
    second = scores(under(engine, slug="clinc"))
    assert second == scratch(without(gold, "c0000"), "c0000")
    assert moved(second) == {"all", "subset=travel"}
    lost = {
        (s.measure, s.subset): was.n - s.n
        for run, each in second.items()
        for s, was in zip(each, first[run], strict=True)
    }
    # One instance fewer wherever it counted, a mean over the domains too, and nowhere else.
    assert lost == {(m, s): int(s in ("all", "subset=travel")) for m, s in lost}
    values = [d.changed for d in dropped_.differences]
    assert values == [
        sum(s.value != was.value for s, was in zip(second[r], first[r], strict=True))
        for r in first
    ]
    assert 0 < min(values) <= max(values) <= 13
    restoring(engine, "c0000", slug="clinc")
    assert scores(under(engine, slug="clinc")) == first
    # Two labels mistyped: each in a domain of its own.
    lines = gold.decode().splitlines()
    flipped = [
        f"{i}\tbalance\t{d}" if i in ("c0000", "c1000") else line
        for line in lines
        for i, _, d in [line.split("\t")]
    ]
    other = "\n".join([lines[0], *flipped[:0:-1]]).encode()  # in another order
    replacing(engine, other, slug="clinc")
    last = scores(under(engine, slug="clinc"))
    assert last == scratch("\n".join(flipped).encode())
    assert moved(last) == {"all", "subset=travel", "subset=home"}
    # Scores under every version stay, and no run was made.
    assert [scores(under(engine, v, "clinc")) for v in (1, 2, 3)] == [first, second, first]
    assert len(under(engine, slug="clinc").entries) == 3
    was, now, apart = common(under(engine, 1, "clinc"), under(engine, 2, "clinc"))
    assert apart == ()
    assert differences(was, now) == dropped_.differences
    assert [(v.labels, len(v.dropped), len(v.restored)) for v in listed(engine, "clinc")] == [
        (0, 0, 0),
        (0, 1, 0),
        (0, 0, 1),
        (2, 0, 0),
    ]


# --- values and ranks by hand

TOP = 'primary = "accuracy"\nmeasures = ["hmr"]\n'


def answering(right, sure="0.5"):
    """A run of phased's eight instances that is right on those named by their numbers."""
    rows = (f"q{i},{'yes' if i in right else 'no'},{sure}" for i in range(8))
    return ("id,answer,confidence\n" + "\n".join(rows) + "\n").encode()


def test_values_and_ranks_before_and_after_on_every_board(engine):
    """Odd numbers are of kind a, even ones of kind b; q0 is dropped, of which only Bees know."""
    registered(engine, top=TOP)
    send(engine, answering({1, 2, 3, 4}))
    send(engine, answering({0, 1, 2, 3}), team="Bees")
    done = dropping(engine, "q0", at=NOON + SECOND)
    ants, bees = done.differences
    assert (ants.run, ants.team, ants.name, ants.phase) == ("ants-1", "Ants", "run", "")

    def said(moved):
        return moved.before, moved.after, moved.rank_before, moved.rank_after

    assert said(ants.whole) == (4 / 8, 4 / 7, 1, 1)
    assert said(bees.whole) == (4 / 8, 3 / 7, 1, 2)
    assert {m.board: said(m) for m in ants.subsets} == {
        "kind=b": (2 / 4, 2 / 3, 1, 1),
        "kind=a": (2 / 4, 2 / 4, 1, 1),
    }
    assert {m.board: said(m) for m in bees.subsets} == {
        "kind=b": (2 / 4, 1 / 3, 1, 2),
        "kind=a": (2 / 4, 2 / 4, 1, 1),
    }
    assert done.changed == ("q0",)
    assert (done.gold.version, done.gold.scored, done.gold.n) == (2, 7, 8)
    (drop_,) = done.gold.drops
    assert (drop_.id, drop_.reason, drop_.who, drop_.post_hoc) == ("q0", WHY.why, "chair", True)
    assert drop_.when == NOON + SECOND
    with store.reading(engine) as db:
        (event,) = store.history(db, "t")
    assert (event.what, event.why, event.who) == ("gold drop: q0", WHY.why, "chair")


def test_no_version_comes_before_the_last(engine):
    registered(engine, top=TOP)
    dropping(engine, "q0", at=NOON + SECOND)
    with pytest.raises(Mistake, match="the last gold of 't' is of 2031-"):
        restoring(engine, "q0", at=NOON)
    restoring(engine, "q0", at=NOON + SECOND)
    assert under(engine).gold.scored == 8


def test_a_run_that_came_in_between_has_no_scores_under_the_older_version(engine):
    registered(engine)
    send(engine, answering({1}))
    dropping(engine, "q0")
    send(engine, answering({1, 2}), team="Bees")
    was, now, apart = common(under(engine, 1), under(engine, 2))
    assert (apart, [e.slug for e in was.entries], [e.slug for e in now.entries]) == (
        ("bees-1",),
        ["ants-1"],
        ["ants-1"],
    )
    assert dropping(engine, "q2").apart == ()


# --- what a version says

GOLD = "id,answer,part,kind\n" + "".join(
    f"q{i},yes,{'public' if i < 3 else 'private'},{'a' if i % 2 else 'b'}\n" for i in range(8)
)


def test_versions_count_what_changed(engine):
    registered(engine)
    send(engine, answering({1}))
    at = iter(NOON + k * SECOND for k in range(1, 9))
    dropping(engine, "q0", "q1", at=next(at))
    replacing(
        engine,
        GOLD.replace("q4,yes", "q4,no").replace("q5,yes,private,a", "q5,yes,private,c"),
        at=next(at),
    )
    restoring(engine, "q1", at=next(at))
    first, *rest = listed(engine)
    assert (first.version, first.reason, first.who, first.runs) == (
        1,
        "first registered",
        "organiser",
        0,
    )
    assert (first.scored, first.n, first.post_hoc, first.seen) == (8, 8, False, {})
    told = [
        (
            v.version,
            v.scored,
            v.labels,
            v.moved,
            [d.id for d in v.dropped],
            [d.id for d in v.restored],
        )
        for v in rest
    ]
    assert told == [
        (2, 6, 0, 0, ["q0", "q1"], []),
        (3, 6, 1, 1, [], []),
        (4, 7, 0, 0, [], ["q1"]),
    ]
    assert {(v.reason, v.who, v.runs, v.post_hoc) for v in rest} == {(WHY.why, "chair", 1, True)}
    assert [v.registered for v in rest] == [NOON + k * SECOND for k in (1, 2, 3)]
    assert [dict(v.seen) for v in rest] == [{"": 3}] * 3
    now = under(engine).gold
    assert dict(now.dimensions[0][1]) == {"a": 3, "b": 3, "c": 1}
    with store.reading(engine) as db:
        assert [e.what for e in store.history(db, "t")] == [
            "gold drop: q0, q1",
            "gold replace",
            "gold restore: q1",
        ]


def test_what_is_dropped_stays_so_through_a_new_file_which_need_not_have_it(engine):
    registered(engine)
    send(engine, answering({1}))
    dropping(engine, "q0")
    lines = GOLD.splitlines()
    file = "\n".join([lines[0], *reversed(lines[2:])]).replace("q7,yes", "q7,no") + "\n"
    replacing(engine, file)
    with store.reading(engine) as db:
        gold, _ = store.gold(db, "t")
    assert gold.ids == tuple(f"q{i}" for i in range(8))
    assert gold.answers == (("yes",),) * 7 + (("no",),)
    assert [s.status for s in gold.standings] == ["dropped", *["scored"] * 7]
    assert (gold.standings[0].reason, gold.standings[7].reason) == (WHY.why, WHY.why)
    assert gold.standings[6] == Standing()
    # Nor does a file that has it; what it says of it moves no score, whatever was seen.
    done = replacing(engine, file + "q0,no,public,b\n", at=NOON + SECOND)
    assert (done.changed, done.post_hoc, done.gold.scored) == (("q0",), False, 7)
    assert [d.changed for d in done.differences] == [0]
    assert (listed(engine)[-1].labels, listed(engine)[-1].post_hoc) == (1, False)


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (
            GOLD.replace("q3,", "Q3,"),
            ["lacks 1 id of 8: 'q3'", "1 new id", "'Q3'", "did you mean 'q3'"],
        ),
        (GOLD + "q8,yes,public,a\n", ["1 new id, which no run was asked for: 'q8'"]),
        (GOLD.replace("q3,yes,private,a\n", ""), ["grader gold drop t q3 --why"]),
        (GOLD, ["says that already"]),
        (
            "\n".join(reversed(GOLD.splitlines())).replace("id,answer,part,kind", ""),
            ["bad", "column"],
        ),
        (GOLD.replace(",yes,", ",,"), ["no answers"]),
    ],
    ids=["a typed id", "a new id", "a lost id", "the same", "no header", "no answers"],
)
def test_a_file_that_does_not_fit_changes_nothing(engine, file, said):
    registered(engine)
    send(engine, answering({1}))
    before = listed(engine), scores(under(engine))
    with pytest.raises(Mistake) as wrong:
        replacing(engine, file)
    assert [s for s in said if s in str(wrong.value)] or said == ["bad", "column"]
    assert all(s in str(wrong.value) for s in said) or "column" in str(wrong.value)
    assert (listed(engine), scores(under(engine))) == before


def test_ids_may_come_in_as_long_as_no_run_is_in(engine):
    registered(engine)
    replacing(engine, GOLD + "q8,yes,public,a\n")
    assert [(v.n, v.scored, v.added, v.post_hoc) for v in listed(engine)] == [
        (8, 8, 0, False),
        (9, 9, 1, False),
    ]
    dropping(engine, *(f"q{i}" for i in range(8)))
    with pytest.raises(Mistake, match="no scored instance would be left"):
        dropping(engine, "q8")


def test_an_instance_comes_back_where_it_stood():
    gold = Gold(
        ("a", "b", "c"), (("1",),) * 3, standings=(Standing("unjudged"), Standing(), Standing())
    )
    gone = dropped(gold, ["a", "b"], Standing("dropped", "x"))
    back = restored(gone, {"a": Standing("unjudged"), "b": Standing()})
    assert [s.status for s in back.standings] == ["unjudged", "scored", "scored"]
    with pytest.raises(Mistake, match="'c' is not dropped"):
        restored(gone, {"c": Standing()})


def test_an_unjudged_instance_is_restored_as_unjudged(engine):
    text_ = 'title = "T"\n[gold]\nstatus = "state"\n[resampling]\nresamples = 0\n'
    gold = b"id,answer,state\nq0,yes,\nq1,yes,unjudged\nq2,yes,dropped\n"
    with store.unit(engine) as db:
        store.add_task(db, "t", text_, read_gold(parse(text_, "t"), gold, "g"), b"salt" * 8, AT)
    dropping(engine, "q1")
    restoring(engine, "q1", "q2")
    with store.reading(engine) as db:
        found, _ = store.gold(db, "t")
    assert [s.status for s in found.standings] == ["scored", "unjudged", "scored"]


def test_an_interval_without_a_number_is_restored_as_unjudged(engine):
    text_ = (
        'title = "T"\nkind = "interval"\n[resampling]\nresamples = 0\n[gold]\nstatus = "state"\n'
    )
    gold = b"id,answer,state\nq0,1,\nq1,,dropped\n"
    with store.unit(engine) as db:
        store.add_task(db, "t", text_, read_gold(parse(text_, "t"), gold, "g"), b"salt" * 8, AT)
    restoring(engine, "q1")
    with store.reading(engine) as db:
        found, _ = store.gold(db, "t")
    assert [(s.status, s.reason) for s in found.standings] == [
        ("scored", ""),
        ("unjudged", WHY.why),
    ]


def test_a_reason_of_a_drop_stays_when_its_label_changes():
    gold = dropped(Gold(("a", "b"), (("1",), ("1",))), ["a"], Standing("dropped", "bad", "chair"))
    new = replaced(gold, Gold(("b", "a"), (("1",), ("2",))), "t", growing=False)
    after, changed = decided(gold, new, Word("mistyped", "x", NOON))
    assert changed == ("a",)
    assert (after.answers, after.standings[0].reason) == ((("2",), ("1",)), "bad")
    assert after.standings[1] == Standing()


# --- seen, and so post hoc

HIDDEN = NOON + timedelta(days=60)


@pytest.mark.parametrize(
    ("keys", "at", "late", "public"),
    [
        ({"visible": '"none"'}, NOON, False, {}),
        ({"visible": '"own"'}, NOON, True, {}),
        ({"visible": '"teams"'}, NOON, True, {}),
        ({"visible": '"public"'}, NOON, True, {"formal": 3}),
        ({"visible": '"public"', "digits": 1}, NOON, True, {"formal": 1}),
        ({"visible": '"none"', "reveal": f'"{HIDDEN.isoformat()}"'}, HIDDEN - SECOND, False, {}),
        ({"visible": '"none"', "reveal": f'"{HIDDEN.isoformat()}"'}, HIDDEN, True, {"formal": 3}),
        ({"visible": '"own"', "split": '"private"'}, NOON, False, {}),
        ({"visible": '"own"', "split": '"public"'}, NOON, True, {}),
    ],
)
def test_what_is_decided_after_anybody_could_see_scores_on_it_is_post_hoc(
    engine, keys, at, late, public
):
    """The dropped instance is in the public part of the gold."""
    registered(engine, phase(**keys))
    assert not dropping(engine, "q1", at=at).post_hoc  # no run is in
    send(engine, answering({1}))
    done = dropping(engine, "q0", at=at)
    assert (done.post_hoc, [d.post_hoc for d in done.gold.drops]) == (late, [late, False])
    (_, _, version) = listed(engine)
    assert (version.post_hoc, dict(version.seen)) == (late, public)
    back = restoring(engine, "q0", at=at)
    assert back.post_hoc == late
    assert replacing(engine, GOLD.replace("q0,yes", "q0,no"), at=at).post_hoc == late


def test_scores_of_a_withdrawn_run_were_seen_and_those_of_a_held_one_were_not(engine, monkeypatch):
    registered(engine)
    with monkeypatch.context() as patch:
        patch.setattr("grader.grade.grade", lambda *_: 1 / 0)
        send(engine, answering({1}))
    assert under(engine).entries[0].held
    with monkeypatch.context() as patch:
        patch.setattr("grader.workers.grade", lambda *_: 1 / 0)
        assert not dropping(engine, "q0").post_hoc
    send(engine, answering({1}), team="Bees")
    with store.unit(engine) as db:
        store.flag(db, "t", "bees-1", "withdrawn", "x", NOON)
    assert dropping(engine, "q1").post_hoc


# --- whole or not at all


def everything(engine):
    """All that a new version would write."""
    with store.reading(engine) as db:
        tables = ("golds", "instances", "dimensions", "gradings", "scorecards", "log")
        return [db.execute(text(f"SELECT * FROM {t}")).all() for t in tables]  # noqa: S608


def test_an_interrupted_rescoring_changes_nothing(engine):
    registered(engine)
    for team in ("Ants", "Bees"):
        send(engine, answering({1}), team=team)
    before, seen = everything(engine), []

    def stop(run):
        seen.append(run)
        if len(seen) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        dropping(engine, "q0", progress=stop)
    assert seen == ["ants-1", "bees-1"]
    assert everything(engine) == before


def test_a_run_that_did_not_have_to_answer_keeps_an_instance_dropped(engine):
    registered(engine)
    dropping(engine, "q0", "q1")
    send(engine, b"\n".join(x for x in answering({1}).splitlines() if not x.startswith(b"q0")))
    send(engine, answering({1}), team="Bees")
    before = everything(engine)
    with pytest.raises(Mistake) as wrong:
        restoring(engine, "q0")
    assert "ants-1: 1 of 8 instances is missing: 'q0'" in str(wrong.value)
    assert "bees-1" not in str(wrong.value)
    assert everything(engine) == before
    assert restoring(engine, "q1").gold.scored == 7


def test_where_answers_may_be_missing_it_comes_back(engine):
    registered(engine, top='missing = "leave-out"\n')
    dropping(engine, "q0")
    send(engine, b"\n".join(x for x in answering({1}).splitlines() if not x.startswith(b"q0")))
    restoring(engine, "q0")
    (entry,) = runs(engine)
    assert (entry.graded.n, entry.graded.of) == (7, 8)


def test_a_drop_and_runs_at_the_same_time_leave_no_run_behind(engine):
    registered(engine)
    start = threading.Barrier(5)
    wrong = []

    def doing(what):
        start.wait()
        try:
            what()
        except Exception as error:  # noqa: BLE001, told below
            wrong.append(error)

    work = [lambda i=i: dropping(engine, f"q{i}") for i in range(2)]
    work += [
        lambda t=t: [send(engine, answering({k}), team=t, name=f"{k}") for k in range(3)]
        for t in ("Ants", "Bees")
    ]
    threads = [threading.Thread(target=doing, args=(what,)) for what in work]
    for thread in threads:
        thread.start()
    start.wait()
    for thread in threads:
        thread.join()
    assert wrong == []
    found = under(engine)
    assert (found.gold.version, found.gold.scored) == (3, 6)
    assert Counter(e.team for e in found.entries) == {"Ants": 3, "Bees": 3}
    assert {(e.graded.n, e.graded.of) for e in found.entries} == {(6, 6)}
    assert all(f"gold:v3:{found.gold.commitment}" in e.settings for e in found.entries)


# --- ranks with and without a dropped instance


def board(rng, primary, many=5, n=12):
    """A gold of which three are dropped, and runs on it; every answer is right or wrong.

    returns  the task, the gold, the runs' bytes, and of each run (right, confidence) by instance
    """
    task = parse(
        f'title = "T"\nprimary = "{primary}"\nmeasures = []\n[gold]\nsubsets = ["kind"]\n'
        "[resampling]\nresamples = 0\n[ranking]\ndigits = 2\n",
        "t",
    )
    rows = "".join(f"q{i},yes,{'ab'[i % 2]}\n" for i in range(n))
    gold = read_gold(task, f"id,answer,kind\n{rows}".encode(), "g")
    right, sure = rng.random((many, n)) < 0.6, rng.integers(1, 10, (many, n)) / 10
    right[:, :4] = [True, True, False, False]
    pairs = {
        f"r{k}": list(zip(right[k].tolist(), sure[k].tolist(), strict=True)) for k in range(many)
    }
    bodies = {}
    for run, mine in pairs.items():
        lines = (f"q{i},{'yes' if r else 'no'},{c}" for i, (r, c) in enumerate(mine))
        bodies[run] = ("id,answer,confidence\n" + "\n".join(lines)).encode()
    return task, dropped(gold, ["q5", "q8", "q11"], Standing("dropped", "x")), bodies, pairs


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def hmr(pairs):
    over = 1 - mean(c for r, c in pairs.values() if not r)
    under_ = mean(c for r, c in pairs.values() if r)
    return 2 * over * under_ / (over + under_)


def auroc(pairs):
    right = [c for r, c in pairs.values() if r]
    wrong = [c for r, c in pairs.values() if not r]
    return mean((a > b) + (a == b) / 2 for a in right for b in wrong)


def kinds(pairs):
    return mean(mean(r for i, (r, _) in pairs.items() if i % 2 == odd) for odd in (0, 1))


BY_HAND = {  # of (right, confidence) by the place of the instance
    "accuracy": lambda pairs: mean(r for r, _ in pairs.values()),
    "hmr": hmr,
    "brier": lambda pairs: mean((c - r) ** 2 for r, c in pairs.values()),
    "auroc": auroc,
    "macro(accuracy,kind)": kinds,
}


def ranks(values, *, lower=False):
    """Ranks 1 2 2 4 of values at two decimals."""
    keys = {run: (1 if lower else -1) * float(f"{value:.2f}") for run, value in values.items()}
    return {run: 1 + sum(other < mine for other in keys.values()) for run, mine in keys.items()}


@pytest.mark.parametrize("primary", BY_HAND)
@pytest.mark.parametrize("seed", range(4))
def test_ranks_with_a_dropped_instance_are_those_of_a_board_on_which_it_counts(primary, seed):
    """And those that might be are the least and the largest over all ways to be right on it."""
    task, gold, bodies, pairs = board(np.random.default_rng(seed), primary)
    views = {run: viewed(task, gold, body, dropped=True) for run, body in bodies.items()}
    found = sensitivity(task, gold, views, tuple(bodies))
    assert [one.id for one in found] == ["q5", "q8", "q11"]
    counted = [i for i in range(12) if i not in (5, 8, 11)]
    for one, place in zip(found, (5, 8, 11), strict=True):

        def value(run, right, place=place):
            mine = {i: pairs[run][i] for i in counted}
            return BY_HAND[primary](mine | {place: (right, pairs[run][place][1])})

        lower = primary == "brier"
        assert one.ranks == ranks(
            {run: value(run, pairs[run][place][0]) for run in pairs}, lower=lower
        )
        either = [(value(run, right=True), value(run, right=False)) for run in pairs]
        every = [
            ranks(dict(zip(pairs, way, strict=True)), lower=lower) for way in product(*either)
        ]
        assert one.ranges == {
            run: (min(way[run] for way in every), max(way[run] for way in every)) for run in pairs
        }


def test_the_ranks_that_might_be_hang_on_nothing_that_is_secret():
    """Whoever is right on the dropped instances, and whatever their gold is."""
    task, gold, bodies, _ = board(np.random.default_rng(3), "hmr")
    found = set()
    for label, said in product(("yes", "no"), repeat=2):
        answers = list(gold.answers)
        answers[5] = (label,)
        lines = {run: body.replace(b"q5,yes", b"q5,no") for run, body in bodies.items()}
        lines = {
            run: body.replace(b"q5,no", b"q5," + said.encode()) for run, body in lines.items()
        }
        other = replace(gold, answers=tuple(answers))
        views = {run: viewed(task, other, body, dropped=True) for run, body in lines.items()}
        found.add(str(sensitivity(task, other, views, tuple(bodies))[0].ranges))
    assert len(found) == 1


def test_a_run_that_did_not_answer_a_dropped_instance_stays_as_it_is():
    task, gold, bodies, pairs = board(np.random.default_rng(4), "accuracy", many=2)
    bodies["r1"] = b"\n".join(x for x in bodies["r1"].split(b"\n") if not x.startswith(b"q5,"))
    views = {run: viewed(task, gold, body, dropped=True) for run, body in bodies.items()}
    one = sensitivity(task, gold, views, ("r0", "r1"))[0]
    counted = [i for i in range(12) if i not in (5, 8, 11)]
    values = {
        "r0": mean(pairs["r0"][i][0] for i in (*counted, 5)),
        "r1": mean(pairs["r1"][i][0] for i in counted),
    }
    assert one.ranks == ranks(values)
    assert not views["r1"][1][5]


def test_only_the_part_of_the_gold_that_counts_is_put_back_and_not_more_than_fifty():
    task, gold, bodies, _ = board(np.random.default_rng(5), "accuracy")
    views = {run: viewed(task, gold, body, dropped=True) for run, body in bodies.items()}
    split = replace(gold, splits=tuple("public" if i < 6 else "private" for i in range(12)))
    assert [r.id for r in sensitivity(task, split, views, ("r0",), "public")] == ["q5"]
    assert [r.id for r in sensitivity(task, split, views, ("r0",), "private")] == ["q8", "q11"]
    assert sensitivity(task, gold, views, ()) == ()
    many = MOST + 2
    wide = Gold(tuple(f"q{i}" for i in range(many)), (("yes",),) * many)
    wide = replace(wide, standings=(Standing(), *(Standing("dropped", "x"),) * (many - 1)))
    view = {
        "r0": (Judged(np.ones(many, dtype=np.bool_), np.ones(many)), np.ones(many, dtype=np.bool_))
    }
    assert sensitivity(task, wide, view, ("r0",)) == ()
    fewer = replace(wide, standings=(Standing(), *wide.standings[:-1]))
    assert len(sensitivity(task, fewer, view, ("r0",))) == MOST


# --- the commands


@pytest.fixture
def invoke(engine, migrated_url, monkeypatch, tmp_path):
    """A command on a task of which q0 was dropped, and labels of q1 and q5 replaced."""
    monkeypatch.setenv("GRADER_DB", migrated_url)
    monkeypatch.chdir(tmp_path)
    registered(engine, top=TOP)
    send(engine, answering({1, 2, 3, 4}))
    send(engine, answering({0, 1, 2, 3}), team="Bees")

    def call(*args):
        done = CliRunner().invoke(main, [str(a) for a in args])
        assert "Traceback" not in done.stderr
        return done

    at = ("--at", (NOON + SECOND).isoformat(), "--who", "chair")
    call("gold", "drop", "t", "q0", "--why", "two answers are right", *at)
    other = GOLD.replace("q1,yes", "q1,no").replace("q5,yes", "q5,no")
    (tmp_path / "new.csv").write_text(other, encoding="utf-8")
    at = ("--at", (NOON + 2 * SECOND).isoformat())
    done = call("gold", "replace", "t", "new.csv", "--why", "mistyped", *at)
    # Of seven, Ants were right on 1 2 3 4 and now are on 2 3 4 5, Bees on 1 2 3, now 2 3 5; of
    # those of kind a (1 3 5 7) as many as before.
    assert (done.exit_code, done.stdout.splitlines()) == (
        0,
        [
            "t: gold v3, 7 scored of 8, changed post hoc; publish again to show it",
            "2 runs scored again, 0 changed",
        ],
    )
    return call


def test_versions_are_listed_in_text_and_json(invoke):
    head, *rows = (row.split("\t") for row in invoke("gold", "list", "t").stdout.splitlines())
    assert head == ["gold", "registered", "who", "scored", "runs then", "changed", "why"]
    day, bad = "2031-05-10 12:00:0", "two answers are right"
    assert rows == [
        ["v1", "2026-11-01 12:00:00 UTC", "organiser", "8 of 8", "0", "–", "first registered"],
        ["v2", f"{day}1 UTC", "chair", "7 of 8", "2", "1 instance dropped (post hoc)", bad],
        [
            "v3",
            f"{day}2 UTC",
            "organiser",
            "7 of 8",
            "2",
            "2 labels changed (post hoc)",
            "mistyped",
        ],
    ]
    told = json.loads(invoke("gold", "list", "t", "--dropped", "--format", "json").stdout)
    assert [v["dropped"] for v in told["versions"]] == [[], ["q0"], []]
    assert [v["public_saw"] for v in told["versions"]] == [[], [None], [None]]
    assert [v["labels"] for v in told["versions"]] == [0, 0, 2]
    ((only,),) = [phase_["instances"] for phase_ in told["dropped"]]
    # With q0, which Bees alone have right: 4/8 each.
    assert only == {
        "id": "q0",
        "ranks": [
            {"run": "ants-1", "without": 1, "with": 1, "between": [1, 1]},
            {"run": "bees-1", "without": 2, "with": 1, "between": [1, 2]},
        ],
    }
    said = invoke("gold", "list", "t", "--dropped").stdout
    assert "q0\tpost hoc\tbees-1 2 → 1\ttwo answers are right\n" in said


def test_differences_are_printed_at_any_time(invoke):
    told = json.loads(invoke("gold", "diff", "t", "1", "2", "--format", "json").stdout)
    assert (told["task"], told["from"], told["to"], told["apart"]) == ("t", 1, 2, [])
    ants, bees = told["runs"]
    assert (bees["before"], bees["after"]) == (4 / 8, 3 / 7)
    assert (bees["rank_before"], bees["rank_after"], bees["team"]) == (1, 2, "Bees")
    assert [b["board"] for b in bees["boards"]] == ["kind=b", "kind=a"]
    assert (ants["rank_before"], ants["rank_after"]) == (1, 1)
    said = invoke("gold", "diff", "t", "1", "2").stdout
    assert "t: gold v1 and v2: 2 runs scored under both, 2 changed\n" in said
    assert "bees-1\trun\t0.500000\t0.428571\t1 → 2\t" in said
    assert "kind=b: 2 runs changed, 1 to another rank\n" in said
    last = json.loads(invoke("gold", "diff", "t", "--format", "json").stdout)
    assert (last["from"], last["to"]) == (2, 3)
    whole = json.loads(invoke("gold", "diff", "t", "1", "--format", "json").stdout)
    assert (whole["from"], whole["to"]) == (1, 3)


WRONG = [
    (("list", "x"), "there is no task 'x'"),
    (("diff", "x"), "there is no task 'x'"),
    (("diff", "t", "4"), "has no gold version 4"),
    (("diff", "t", "0"), "0 is not in the range"),
    (("drop", "t", "q0", "--why", "x"), "'q0' is dropped already: two answers are right"),
    (("restore", "t", "q1", "--why", "x"), "'q1' is not dropped"),
    (("restore", "t", "q0"), "Missing option '--why'"),
    (("replace", "t", "new.csv", "--why", "x"), "says that already"),
    (("replace", "t", "gone.csv", "--why", "x"), "does not exist"),
    (("replace", "x", "new.csv", "--why", "x"), "there is no task 'x'"),
]


def test_wrong_uses_of_versions_are_said_plainly(invoke):
    said = [(invoke("gold", *given), why) for given, why in WRONG]
    assert [(d.stderr, why) for d, why in said if why not in " ".join(d.stderr.split())] == []
    assert {(d.exit_code, d.stdout) for d, _ in said} == {(2, "")}


def test_scores_of_other_bytes_are_not_compared(engine):
    """A run whose file was amended under the second version has none of these under the first."""
    registered(engine)
    send(engine, answering({1}))
    send(engine, answering({1}), team="Bees")
    dropping(engine, "q0")
    first, second = under(engine, 1), under(engine, 2)
    ants, bees = second.entries
    mine = ants.settings.replace(f"sha256:{ants.sha256}", f"sha256:{'0' * 64}")
    assert mine != ants.settings
    amended = replace(second, entries=(replace(ants, settings=mine), bees))
    was, now, apart = common(first, amended)
    assert apart == ("ants-1",)
    assert [e.slug for e in was.entries] == [e.slug for e in now.entries] == ["bees-1"]


def test_what_is_judged_for_the_first_time_is_no_changed_label(engine):
    text_ = 'title = "T"\nanswers = "judged"\n[resampling]\nresamples = 0\n'
    gold = read_gold(parse(text_, "t"), b"id\nq0\nq1\n", "g")
    with store.unit(engine) as db:
        store.add_task(db, "t", text_, gold, b"salt" * 8, AT)
    for answers, rejected in (
        ((("a",), ()), ((), ("b",))),
        ((("a",), ("c",)), ((), ("b",))),  # one answer more
        (((), ("c",)), (("a",), ("b",))),  # one the other way
    ):
        with store.unit(engine) as db:
            now = store.registered(db, "t", lock=True)
            after = replace(now.gold, answers=answers, rejected=rejected)
            adopt(db, now, after, "judge import: x", WHY, act())
    assert [(v.judged, v.labels) for v in listed(engine)] == [(0, 0), (2, 0), (1, 0), (0, 1)]
