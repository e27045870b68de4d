import hashlib
import hmac
import struct
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest
from conftest import AT
from sites import exams
from sqlalchemy import event, func, insert, select, text
from sqlalchemy.exc import IntegrityError, StatementError

from grader import store
from grader.commitment import commitment as hmac_of
from grader.errors import Mistake
from grader.model import Event, Gold, Graded, Notice, Score, Standing, Subsets, Team
from grader.store import schema

HELD = None
DROPPED = Standing("dropped", "two right answers", "A. Judge", AT, post_hoc=True)


def send(engine, upload, graded=HELD, *, task="demo", version=1):
    with store.unit(engine) as db:
        return store.add_run(db, task, upload, graded, "gold:1", version)


def entries(engine, task="demo"):
    with store.reading(engine) as db:
        return store.snapshot(db, AT, [task]).tasks[0].entries


def total(engine, table):
    with engine.connect() as db:
        return db.scalar(select(func.count()).select_from(table))


# --- tasks and gold


def test_a_task_comes_back_as_it_was_kept(filled, config, gold):
    with store.unit(filled) as db:
        assert store.slugs(db) == ("demo",)
        assert store.config(db, "demo", lock=True) == config
        store.set_config(db, "demo", config + "# note\n", AT)
        assert store.config(db, "demo") == config + "# note\n"
        with pytest.raises(Mistake, match="already a task 'demo'") as said:
            store.add_task(db, "demo", config, gold, b"s", AT)
    assert said.value.mend == "grader task update DIR"


def test_an_unknown_task_names_the_nearest(filled):
    with store.unit(filled) as db, pytest.raises(Mistake, match="did you mean 'demo'") as said:
        store.config(db, "dmeo")
    assert said.value.mend == "grader task list"
    with store.reading(filled) as db, pytest.raises(Mistake, match="did you mean 'demo'"):
        store.snapshot(db, AT, ["dmeo"])


def test_gold_comes_back_with_every_field(filled):
    full = Gold(
        ids=("007", "NA", "ü", "1e5"),
        answers=(("yes", "yeah"), (), ("a\0b\ud800",), ('"', "\n")),
        subsets=(
            Subsets("language", ("de", "東京", "none here"), np.array([0, 1, -1, 0])),
            Subsets("kind", ("z", "a"), np.array([1, 1, 0, 0])),
        ),
        clusters=("p1", "p1", "p2", ""),
        splits=("public", "private", "public", "private"),
        standings=(Standing(), DROPPED, Standing("unjudged"), Standing(reason="back", who="B")),
    )
    with store.unit(filled) as db:
        summary = store.add_gold(db, "demo", full, "appeal 3", b"pepper", AT)
        back, commitment = store.gold(db, "demo")
        first, _ = store.gold(db, "demo", 1)
        with pytest.raises(Mistake, match="no gold version 3"):
            store.gold(db, "demo", 3)
    for field in ("ids", "answers", "clusters", "splits", "standings"):
        assert getattr(back, field) == getattr(full, field)
    for mine, theirs in zip(back.subsets, full.subsets, strict=True):
        assert (mine.name, mine.values) == (theirs.name, theirs.values)
        assert mine.codes.dtype == np.intp
        assert mine.codes.tolist() == theirs.codes.tolist()
    assert (back.version, first.version) == (2, 1)
    assert (first.clusters, first.splits, first.standings) == ((), (), ())
    assert commitment == summary.commitment == hmac_of(full, b"pepper")
    # Scored are 007 (de, a) and 1e5 (de, z).
    assert summary.dimensions == (
        ("language", (("de", 2), ("東京", 0), ("none here", 0))),
        ("kind", (("z", 1), ("a", 1))),
    )
    assert (summary.version, summary.n, summary.scored) == (2, 4, 2)
    assert summary.drops[0].id == "NA"
    assert (summary.drops[0].reason, summary.drops[0].when) == ("two right answers", AT)
    with store.reading(filled) as db:
        shown = store.snapshot(db, AT).tasks[0].gold
    assert replace(shown, splits={}) == summary
    assert {name: share.scored for name, share in shown.splits.items()} == {
        "public": 1,
        "private": 1,
    }


def test_commitment_is_an_hmac_of_all_that_a_score_depends_on(gold):
    said = (
        '{"answers":[["yes"],["no"],["yes","yeah"],["no"]],"clusters":[],'
        '"ids":["q1","q2","q3","q4"],"splits":[],"statuses":["scored","scored","scored","scored"],'
        '"subsets":{"kind":["easy","easy","hard","hard"]}}'
    )
    mac = hmac.new(b"salt", said.encode(), hashlib.sha256).hexdigest()
    assert hmac_of(gold, b"salt") == mac
    others = [
        replace(gold, ids=("q1", "q2", "q4", "q3")),
        replace(gold, answers=(*gold.answers[:3], ("yes",))),
        replace(gold, clusters=("a", "a", "b", "b")),
        replace(gold, splits=("public",) * 4),
        replace(gold, standings=(DROPPED, *(Standing(),) * 3)),
        replace(gold, subsets=()),
    ]
    assert len({mac, hmac_of(gold, b"pepper")}) == 2
    assert len({mac, *(hmac_of(other, b"salt") for other in others)}) == 7
    assert hmac_of(replace(gold, standings=(Standing(),) * 4), b"salt") == mac


@pytest.mark.parametrize(
    "change",
    [
        {"ids": ("q1", "q2", "q3", "q\0")},
        {"ids": ("q1", "q2", "q3", "q\ud800")},
        {"ids": ("q1", "q2", "q3", "東" * 501)},
        {"clusters": ("a", "b", "c", "d\0")},
        {"subsets": (Subsets("kind", ("x" * 201,), np.array([0, 0, 0, 0])),)},
    ],
)
def test_a_gold_that_one_database_could_not_hold_is_refused_by_both(filled, gold, change):
    with pytest.raises(Mistake), store.unit(filled) as db:
        store.add_gold(db, "demo", replace(gold, **change), "why", b"s", AT)
    assert total(filled, schema.golds) == 1


def test_ids_of_the_greatest_length_are_kept(filled, gold):
    # 500 characters of four bytes each, no two alike, so that nothing can be compressed
    long = "".join(chr(0x20000 + (i * 7919) % 40000) for i in range(500))
    with store.unit(filled) as db:
        store.add_gold(db, "demo", replace(gold, ids=("q1", "q2", "q3", long)), "", b"s", AT)
        assert store.gold(db, "demo")[0].ids[3] == long


def test_the_log_keeps_its_order(filled):
    later = datetime(2026, 11, 2, 9, tzinfo=timezone(timedelta(hours=13)))
    with store.unit(filled) as db:
        store.log(db, "demo", "gold drop: q1", "ambiguous", later)
        store.log(db, "demo", "phase extend", "power cut", AT, who="B")
        assert store.history(db, "demo") == (
            Event("gold drop: q1", "ambiguous", "organiser", later.astimezone(UTC)),
            Event("phase extend", "power cut", "B", AT),
        )
        with pytest.raises(StatementError, match="time zone"):
            store.log(db, "demo", "gold drop", "y", datetime(2026, 11, 2))  # noqa: DTZ001


def test_a_line_of_the_log_begins_with_a_verb_that_is_known(filled):
    with store.unit(filled) as db:
        with pytest.raises(ValueError, match="'gold shake' is no verb of the log"):
            store.log(db, "demo", "gold shake: q1", "y", AT)
        assert store.history(db, "demo") == ()


# --- teams


def test_seven_names_get_seven_slugs(engine):
    names = ["東京", "大阪", "Ελλάς", "!!!", "🙂", "東京2", "2"]
    with store.unit(engine) as db:
        slugs = [store.add_team(db, name, f"t{name}", AT) for name in names]
        assert slugs == ["team", "team-2", "team-3", "team-4", "team-5", "2", "2-2"]
        assert store.teams(db) == tuple(
            Team(name, slug, AT) for name, slug in zip(names, slugs, strict=True)
        )


@pytest.mark.parametrize(
    "name",
    [
        "A\0B",
        "A\nB",
        "A\tB",
        "A\x7fB",
        "A\u2028B",
        "A\u202eB",
        "A\ud800",
        "",
        " \u200b ",
        "x" * 300,
    ],
)
def test_a_name_that_cannot_be_says_why(engine, name):
    with store.unit(engine) as db:
        with pytest.raises(Mistake, match=r"the team name .* 100|only plain characters"):
            store.add_team(db, name, "t", AT)
        assert store.teams(db) == ()


@pytest.mark.parametrize("name", ["team a", " TEAM  A ", "Ｔeam\u3000A", "Te\u200bam A"])
def test_two_names_that_look_alike_are_one(filled, name):
    with store.unit(filled) as db:
        with pytest.raises(Mistake, match="already a team 'Team A'"):
            store.add_team(db, name, "other", AT)
        assert store.team(db, name).name == "Team A"


def test_a_name_of_a_hundred_is_kept_and_its_slug_is_short(engine):
    with store.unit(engine) as db:
        slugs = {store.add_team(db, "㎯" * 99 + end, end, AT) for end in "xy"}
        assert len(slugs) == 2
        assert max(map(len, slugs)) <= 64


def test_a_token_is_kept_only_as_its_digest(filled):
    with store.unit(filled) as db:
        store.set_token(db, "team b", "another")
        kept = db.scalars(select(schema.teams.c.token).order_by(schema.teams.c.id)).all()
        assert kept == [hashlib.sha256(t).hexdigest() for t in (b"token of a", b"another")]
        with pytest.raises(Mistake, match="did you mean 'Team B'") as said:
            store.set_token(db, "Team BB", "x")
    assert said.value.mend == "grader team list, or: grader team add 'Team BB'"


def test_a_team_added_at_once_by_eight_is_added_once(filled):
    def add(i):
        try:
            with store.unit(filled) as db:
                return store.add_team(db, "Same", f"t{i}", AT)
        except Mistake:
            return None

    with ThreadPoolExecutor(8) as pool:
        assert sorted(map(str, pool.map(add, range(8)))) == ["None"] * 7 + ["same"]


# --- runs


def test_a_run_comes_back_with_every_field(filled, upload, graded):
    sent = replace(upload, flags=("late", "primary"), phase="test")
    assert send(filled, sent, graded) == ("team-a-1", True)
    (entry,) = entries(filled)
    assert entry.graded == graded
    assert (entry.team, entry.name, entry.phase, entry.filename) == (
        "Team A",
        "first",
        "test",
        "a.csv",
    )
    assert entry.flags == {"primary": "", "late": ""}
    assert list(entry.flags) == ["primary", "late"]
    assert (entry.size, entry.sha256) == (
        len(upload.payload),
        hashlib.sha256(upload.payload).hexdigest(),
    )
    assert (entry.received, entry.settings, entry.held) == (AT, "gold:1", False)
    with store.unit(filled) as db:
        assert store.payload(db, "demo", "team-a-1") == replace(sent, flags=("primary", "late"))
        assert list(store.uploads(db, "demo")) == [
            ("team-a-1", store.payload(db, "demo", "team-a-1"))
        ]


def test_the_same_again_is_the_same_run(filled, upload, graded):
    first = send(filled, upload, graded)
    again = replace(upload, team=" team a", name="first ", received=AT + timedelta(days=1))
    assert send(filled, again, graded) == (first[0], False)
    assert [total(filled, t) for t in (schema.runs, schema.payloads, schema.gradings)] == [1, 1, 1]
    assert entries(filled)[0].received == AT


def test_another_name_phase_team_or_byte_is_another_run(filled, upload, graded):
    others = [
        upload,
        replace(upload, name="second"),
        replace(upload, phase="test"),
        replace(upload, team="Team B"),
        replace(upload, payload=upload.payload + b"\n"),
    ]
    found = [send(filled, other, graded) for other in others]
    assert found == [
        ("team-a-1", True),
        ("team-a-2", True),
        ("team-a-3", True),
        ("team-b-1", True),
        ("team-a-4", True),
    ]
    assert total(filled, schema.payloads) == 2
    digest = hashlib.sha256(upload.payload).hexdigest()
    with store.reading(filled) as db:
        assert store.alike(db, "demo", "Team A", digest, "x") == (
            ("first", True),
            ("second", True),
            ("first", True),
        )
        assert store.alike(db, "demo", "Team B", digest, "x") == (("first", True),)
        assert store.alike(db, "demo", "Team A", "0" * 64, "x") == ()


def test_the_same_run_in_another_task_is_another_run(filled, upload, graded, config, gold):
    with store.unit(filled) as db:
        store.add_task(db, "other", config, gold, b"s", AT)
    assert send(filled, upload, graded) == send(filled, upload, graded, task="other")
    assert [len(entries(filled, task)) for task in ("demo", "other")] == [1, 1]
    assert total(filled, schema.payloads) == 1


def test_the_same_run_sent_by_eight_at_once_is_one(filled, upload, graded):
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: send(filled, upload, graded), range(8)))
    assert sorted(found) == [("team-a-1", False)] * 7 + [("team-a-1", True)]
    assert total(filled, schema.runs) == 1


def test_eight_runs_at_once_get_eight_numbers(filled, upload, graded):
    names = [replace(upload, name=f"run {i}") for i in range(8)]
    with ThreadPoolExecutor(8) as pool:
        found = {slug for slug, _ in pool.map(lambda u: send(filled, u, graded), names)}
    assert found == {f"team-a-{k}" for k in range(1, 9)}


def test_the_same_bytes_in_two_tasks_at_once(filled, upload, graded, config, gold):
    tasks = [f"task-{i}" for i in range(8)]
    with store.unit(filled) as db:
        for task in tasks:
            store.add_task(db, task, config, gold, b"s", AT)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda t: send(filled, upload, graded, task=t), tasks))
    assert found == [("team-a-1", True)] * 8
    assert total(filled, schema.payloads) == 1


def test_a_failure_after_the_run_leaves_nothing(filled, upload, graded):
    def fail():
        with store.unit(filled) as db:
            store.add_run(db, "demo", upload, graded, "", 1)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert total(filled, schema.runs) == total(filled, schema.payloads) == 0


@pytest.mark.parametrize("name", ["best\0run", "a\nb", "x" * 300, "  ", "\ud800"])
def test_a_run_name_that_cannot_be_is_refused(filled, upload, graded, name):
    with pytest.raises(Mistake, match=r"the run name .* 200|only plain characters"):
        send(filled, replace(upload, name=name), graded)
    with pytest.raises(Mistake, match="the phase"):
        send(filled, replace(upload, phase="a\0"), graded)
    assert total(filled, schema.runs) == 0


def test_a_long_name_and_a_large_body_are_kept_whole(filled, upload, graded):
    big = replace(upload, name="東" * 200, payload=bytes(range(256)) * 8192)
    slug, _ = send(filled, big, graded)
    with store.reading(filled) as db:
        assert store.payload(db, "demo", slug) == big
        body = db.scalar(select(schema.payloads.c.body))
    assert zlib.decompress(body) == big.payload
    assert len(body) < len(big.payload) / 50


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../../tmp/pwn.csv", "pwn.csv"),
        ("/etc/cron.d/pwn", "pwn"),
        ("..\\..\\pwn.csv", "pwn.csv"),
        (".", "run"),
        ("..", "run"),
        ("", "run"),
        ("aé東.csv", "aé東.csv"),
        ("x" * 400 + ".csv", "x" * 196 + ".csv"),
        ("run.csv\r\nX-Injected: 1", "run.csvX-Injected: 1"),
        ("a\0\udcff.csv", "a.csv"),
    ],
)
def test_a_file_name_is_kept_as_harmless_text(filled, upload, graded, given, kept):
    send(filled, replace(upload, filename=given), graded)
    assert entries(filled)[0].filename == kept


def test_a_number_is_never_given_twice(filled, upload, graded):
    slug, _ = send(filled, upload, HELD)
    with filled.begin() as db:
        first = db.scalar(select(schema.runs.c.id))
        db.execute(schema.runs.delete())
    assert slug == "team-a-1"
    send(filled, replace(upload, team="Team B"), graded)
    with filled.connect() as db:
        assert db.scalar(select(schema.runs.c.id)) > first
        assert db.scalar(select(schema.runs.c.slug)) == "team-b-1"


def test_sizes_beyond_31_bits_are_kept(filled):
    with filled.begin() as db:
        row = {"sha256": "0" * 64, "size": 9_007_199_254_740_993, "body": b""}
        db.execute(insert(schema.payloads).values(row))
        assert db.scalar(select(schema.payloads.c.size)) == 9_007_199_254_740_993


def test_an_unknown_run_or_team_names_the_nearest(filled, upload, graded):
    send(filled, upload, graded)
    with store.unit(filled) as db:
        with pytest.raises(Mistake, match="no run 'tema-a-1'; did you mean 'team-a-1'") as said:
            store.payload(db, "demo", "tema-a-1")
        assert said.value.mend == "grader run list demo"
        with pytest.raises(Mistake, match="no run"):
            store.flag(db, "demo", "x", "withdrawn", "why", AT)
        with pytest.raises(Mistake, match="no team 'Team C'"):
            store.add_run(db, "demo", replace(upload, team="Team C"), graded, "", 1)


def test_a_flag_keeps_its_latest_reason(filled, upload, graded):
    slug, _ = send(filled, replace(upload, flags=("baseline",)), graded)
    with store.unit(filled) as db:
        store.flag(db, "demo", slug, "withdrawn", "wrong file", AT)
        store.flag(db, "demo", slug, "withdrawn", "the team asked", AT)
    assert entries(filled)[0].flags == {"baseline": "", "withdrawn": "the team asked"}
    with store.reading(filled) as db:
        assert store.payload(db, "demo", slug).flags == ("baseline", "withdrawn")


# --- gradings


def test_a_held_run_is_accepted_when_it_is_graded(filled, upload, graded):
    slug, _ = send(filled, upload, HELD)
    assert entries(filled)[0].held
    with store.unit(filled) as db:
        assert [name for name, _ in store.uploads(db, "demo")] == [slug]
        assert db.scalar(select(schema.runs.c.status)) == "held"
        store.add_grading(db, "demo", slug, 1, graded, "gold:1;again", AT)
        assert db.scalar(select(schema.runs.c.status)) == "accepted"
    (entry,) = entries(filled)
    assert (entry.graded, entry.settings) == (graded, "gold:1;again")


def test_a_task_has_a_seal_that_follows_from_its_secret_and_tells_nothing_of_it(
    filled, config, gold
):
    with store.unit(filled) as db:
        store.add_task(db, "other", config, gold, b"t", AT)
    for _ in range(2):
        with store.reading(filled) as db:
            found = store.snapshot(db, AT).tasks
            rows = db.execute(select(schema.tasks.c.slug, schema.golds.c.salt).join(schema.golds))
            made = {slug: hmac.new(bytes(salt), b"seal", "sha256").digest() for slug, salt in rows}
        seals = {one.task.slug: one.seal for one in found}
        assert seals == made
        assert len(set(seals.values())) == 2
        assert not any(repr(one.seal) in repr(one) for one in found)


def test_what_is_graded_again_is_told_from_what_was_there_before(filled, upload, graded):
    made = next(e.graded.analysis for e in exams().entries if e.graded and e.graded.analysis)
    graded, seen = replace(graded, analysed=made), set()
    slug, _ = send(filled, upload, graded)
    for _ in range(3):  # at the same instant, and with the same result
        (entry,) = entries(filled)
        assert entry.graded.analysis == made
        seen.add(repr(entry.graded.analysed))
        with store.unit(filled) as db:
            store.add_grading(db, "demo", slug, 1, graded, "again", AT)
    assert len(seen) == 3


def test_grading_again_replaces_and_another_gold_has_its_own(filled, upload, graded, gold):
    slug, _ = send(filled, upload, graded)
    other = replace(graded, scores=graded.scores[:1], right=2)
    with store.unit(filled) as db:
        store.add_grading(db, "demo", slug, 1, other, "again", AT)
    assert (total(filled, schema.gradings), total(filled, schema.scorecards)) == (1, 1)
    assert entries(filled)[0].graded == other
    with store.unit(filled) as db:
        store.add_gold(db, "demo", gold, "second", b"s", AT)
    assert entries(filled)[0].graded is None
    with store.unit(filled) as db:
        for name, _ in store.uploads(db, "demo"):
            store.add_grading(db, "demo", name, 2, graded, "two", AT)
    assert entries(filled)[0].graded == graded
    assert total(filled, schema.gradings) == 2


def test_floats_come_back_bit_for_bit(filled, upload, graded):
    awkward = [0.1 + 0.2, 1 / 3, 5e-324, 2.2250738585072014e-308, 1e308, -1e-300, 1.0, 2.0**53 + 2]
    scores = tuple(
        Score(
            f"m{i}",
            "all",
            1,
            x,
            np.nextafter(x, -9),
            x,
            details={"zeta": x, "alpha": np.float64(x)},
        )
        for i, x in enumerate(awkward)
    )
    send(filled, upload, replace(graded, scores=scores))
    back = entries(filled)[0].graded.scores
    for mine, x in zip(back, awkward, strict=True):
        for y in (mine.value, mine.high, *mine.details.values()):
            assert struct.pack(">d", y) == struct.pack(">d", x)
        assert mine.low == float(np.nextafter(x, -9))
        assert list(mine.details) == ["zeta", "alpha"]


def test_minus_zero_is_zero_on_both(filled, upload, graded):
    send(filled, upload, replace(graded, scores=(Score("bias", "all", 1, -0.0),)))
    assert str(entries(filled)[0].graded.scores[0].value) == "0.0"


def test_numbers_of_numpy_are_numbers(filled, upload, graded):
    score = Score("hmr", "all", np.int64(3), np.float64(0.5), details={"k": np.int64(3)})
    send(filled, upload, replace(graded, scores=(score,), n=np.int64(4), right=np.intp(3)))
    (entry,) = entries(filled)
    assert (entry.graded.n, entry.graded.right, entry.graded.scores[0].n) == (4, 3, 3)
    assert entry.graded.scores[0].details == {"k": 3}


def test_a_score_that_is_no_number_is_a_bug(filled, upload, graded):
    whole = Score("hmr", "all", 1, 0.5)
    for wrong, why in (
        ([Score("hmr", "all", 1, float("nan"))], "not finite"),
        ([Score("hmr", "all", 1, float("inf"))], "not finite"),
        ([whole._replace(low=float("-inf"))], "not finite"),
        ([Score("hmr", "all", 1, None)], "no reason"),
        ([whole._replace(high=1.5e308)], "not finite"),
        ([whole, whole._replace(value=0.25)], "twice"),
    ):
        with pytest.raises(ValueError, match=why):
            send(filled, upload, replace(graded, scores=tuple(wrong)))
    with pytest.raises(Mistake, match="no text"):
        send(filled, upload, replace(graded, scores=(whole._replace(note="\ud800"),)))
    assert total(filled, schema.runs) == 0


def test_notices_may_quote_anything(filled, upload, graded):
    said = replace(graded, notices=(Notice("odd", "the id 'a\0\ud800東' <b>"),))
    send(filled, upload, said)
    assert entries(filled)[0].graded == said


# --- rules that both databases enforce


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM teams WHERE name = 'Team A'",
        "DELETE FROM tasks",
        "DELETE FROM payloads",
        "DELETE FROM golds",
        "UPDATE runs SET team_id = 999",
        "UPDATE runs SET status = 'lost'",
        "UPDATE instances SET status = 'lost'",
        "UPDATE run_flags SET flag = 'lost'",
        "UPDATE scorecards SET grading_id = 999",
        "UPDATE scorecards SET body = NULL",
        "INSERT INTO run_flags VALUES (999, 'late', '', '2026-11-01')",
    ],
)
def test_what_would_break_a_rule_is_refused(filled, upload, graded, statement):
    send(filled, replace(upload, flags=("late",)), graded)
    with pytest.raises(IntegrityError), store.unit(filled) as db:
        db.execute(text(statement))


def test_an_unknown_column_is_a_bug_and_no_mistake(filled):
    with pytest.raises(Exception, match="nonsense") as said, store.unit(filled) as db:
        db.execute(text("SELECT nonsense FROM runs"))
    assert not isinstance(said.value, Mistake)


# --- snapshots


def statements(engine, slugs=None):
    seen = []

    def note(_connection, _cursor, statement, *_):
        if not statement.startswith(("PRAGMA", "BEGIN", "SET", "SHOW")):
            seen.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    try:
        with store.reading(engine) as db:
            store.snapshot(db, AT, slugs)
    finally:
        event.remove(engine, "before_cursor_execute", note)
    return len(seen)


def test_a_snapshot_takes_twelve_queries_whatever_it_holds(filled, upload, graded, config, gold):
    assert statements(filled) == 12
    for i in range(12):
        send(filled, replace(upload, name=f"run {i}", flags=("late",)), graded)
    with store.unit(filled) as db:
        store.add_task(db, "other", config, gold, b"s", AT)
        store.add_gold(db, "demo", gold, "again", b"s", AT)
    for i in range(3):
        send(filled, replace(upload, name=f"run {i}"), graded, task="other")
    assert statements(filled) == statements(filled, ["other"]) == 12


def test_a_snapshot_keeps_orders(filled, upload, graded, config, gold):
    with store.unit(filled) as db:
        for slug in ("zeta", "alpha", "beta"):
            store.add_task(db, slug, config, gold, b"s", AT)
    names = ["b", "B", "ä", "a", "_", "10", "9"]
    for name in names:
        send(filled, replace(upload, name=name), graded)
    with store.reading(filled) as db:
        every = store.snapshot(db, AT)
        some = store.snapshot(db, AT, ["beta", "demo", "beta"])
    assert [r.task.slug for r in every.tasks] == ["demo", "zeta", "alpha", "beta"]
    assert [r.task.slug for r in some.tasks] == ["beta", "demo"]
    assert [entry.name for entry in some.tasks[1].entries] == names
    assert some.tasks[0].entries == ()
    assert every.as_of == AT
    assert every.tasks[0].task.title == "Demo"


def test_a_snapshot_sees_one_instant(filled, upload, graded):
    with store.reading(filled) as db:
        before = store.snapshot(db, AT)
        if db.dialect.name == "postgresql":  # a reader of SQLite would hold the writer up
            send(filled, upload, graded)
        assert store.snapshot(db, AT) == before


def test_an_empty_database_is_an_empty_snapshot(engine):
    with store.reading(engine) as db:
        assert store.snapshot(db, AT).tasks == ()
        assert store.snapshot(db, AT, []).tasks == ()


def test_a_gold_without_instances_or_subsets_and_a_run_without_scores(engine, upload):
    nothing = Gold((), ())
    bare = Graded((), (), (), 0, 0, 0, 0)
    with store.unit(engine) as db:
        store.add_task(db, "void", 'title = "Void"\n', nothing, b"s", AT)
        store.add_team(db, "Team A", "t", AT)
        store.add_run(db, "void", upload, bare, "", 1)
    assert entries(engine, "void")[0].graded == bare
