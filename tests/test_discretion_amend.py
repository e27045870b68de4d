"""Another file in the place of a run's, on both databases."""

import gzip
import io
import json
import zipfile
from datetime import timedelta
from hashlib import sha256

import pytest
from click.testing import CliRunner
from conftest import AT
from phased import CLOSES, GOLD, NOON, phase, registered, run, runs, send

from grader import audit, marking, store
from grader.board import common, visible
from grader.cli import main
from grader.errors import Mistake
from grader.grade import grade
from grader.marking import Amended, Decision
from grader.model import Amendment, Graded, Upload
from grader.rescore import Act, entries, rescore
from grader.versioning import Reason, drop

DAY = timedelta(days=1)
SHIFTED = Decision("ids were shifted by one: their mail of 11 May", NOON + DAY)


def amend(engine, payload, name="ants-1", file="mended.csv", why=SHIFTED):
    return marking.amend(engine, "t", name, Upload("", "", file, payload, why.at), why)


def digest(payload):
    return sha256(payload).hexdigest()


def accuracy(entry):
    return next(
        s.value for s in entry.graded.scores if (s.measure, s.subset) == ("accuracy", "all")
    )


def versions(engine, name="ants-1"):
    with store.reading(engine) as db:
        (entry,) = (e for e in store.snapshot(db, NOON, ["t"]).tasks[0].entries if e.slug == name)
        many = len(entry.amendments) + 1
        return [store.file_version(db, "t", name, k + 1) for k in range(many)]


def log(engine):
    with store.reading(engine) as db:
        return [(event.what, event.why) for event in store.history(db, "t")]


def test_an_amended_run_keeps_address_instant_and_slot_and_both_files(engine):
    registered(engine, phase(runs=1))
    send(engine, run(2))
    done = amend(engine, run(6))
    assert isinstance(done, Amended)
    assert (done.version, done.before, done.sha256) == (2, digest(run(2)), digest(run(6)))
    (entry,) = runs(engine)
    assert (entry.slug, entry.name, entry.received, entry.phase) == (
        *("ants-1", "run", NOON, "formal"),
    )
    assert (entry.sha256, entry.filename, entry.size) == (
        *(digest(run(6)), "mended.csv", len(run(6))),
    )
    assert entry.flags == {"amended": SHIFTED.why}
    assert entry.amendments == (Amendment(digest(run(2)), "run.csv", SHIFTED.why, SHIFTED.at),)
    assert accuracy(entry) == 6 / 8
    assert f"run:sha256:{digest(run(6))}" in entry.settings
    assert versions(engine) == [("run.csv", run(2)), ("mended.csv", run(6))]
    assert log(engine) == [("run amend: ants-1", SHIFTED.why)]
    with store.reading(engine) as db:
        assert len(store.past(db, "t", "Ants").runs) == 1
        assert [e.what for e in store.history(db, "t", "ants-1")] == ["run amend: ants-1"]


def test_scores_are_those_of_a_grading_from_scratch(engine):
    registered(engine, phase(split='"private"'))
    send(engine, run(2))
    amend(engine, run(6, sure="0.25"))
    with store.reading(engine) as db:
        now = store.registered(db, "t")
    fresh = grade(now.task, now.gold, run(6, sure="0.25"), "formal")
    assert isinstance(fresh, Graded)
    assert runs(engine)[0].graded.scores == fresh.scores
    before = runs(engine)
    with store.unit(engine) as db:
        rescore(db, "t", AT, entries(db, "t", AT))
    assert runs(engine) == before


REFUSED = [
    (run(6) + b"q0,yes,0.5\n", "duplicate-id"),
    (run(6)[:-11], "missing-id"),
    (run(6).replace(b"q3,yes,0.5", b"q3,yes,50%"), "not-a-number"),
    (b"", "no-rows"),
    (gzip.compress(run(6))[:-9], "bad-archive"),
    (run(6) + b"\n" * 200, "too-large"),
]


def test_a_file_that_a_door_would_refuse_changes_nothing(engine):
    registered(engine, phase(size=len(run()) + 100))
    send(engine, run(2))
    before = runs(engine)
    answers = [amend(engine, payload) for payload, _ in REFUSED]
    assert [[p.code for p in no.problems] for no in answers] == [[wrong] for _, wrong in REFUSED]
    assert (runs(engine), log(engine), len(versions(engine))) == (before, [], 1)
    with store.reading(engine) as db:
        assert store.refused(db, "t") == ()


def test_the_name_of_the_file_is_asked_too(engine):
    registered(engine, phase(), top='[run]\nnames = "[Team]-[1-9]"\n')
    sent = Upload("Ants", "r", "Ants-1.csv", run(2), NOON)
    from grader.intake import deliver  # noqa: PLC0415

    deliver(engine, "t", sent)
    assert [p.code for p in amend(engine, run(6)).problems] == ["bad-name"]
    assert isinstance(amend(engine, run(6), file="ants-2.csv"), Amended)


def test_a_packed_file_is_the_run_in_it_and_of_several_none(engine):
    registered(engine, phase())
    send(engine, run(2))
    amend(engine, gzip.compress(run(6)), file="mended.csv.gz")
    assert versions(engine)[1] == ("mended.csv", run(6))
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("a.csv", run(3))
        archive.writestr("b.csv", run(4))
    with pytest.raises(Mistake, match=r"two.zip holds 2 runs: give the file of ants-1 alone"):
        amend(engine, held.getvalue(), file="two.zip")


def test_what_cannot_be_amended_is_said_and_changes_nothing(engine):
    registered(engine, phase())
    send(engine, run(2))
    send(engine, run(3), name="run")
    send(engine, run(4), name="other")
    before = runs(engine)
    for name, payload, why in (
        ("ants-1", run(2), "ants-1 has these bytes already"),
        ("ants-1", run(3), "the bytes are ants-2, which has the same name in the same phase"),
        ("ants-9", run(5), "there is no run 'ants-9'"),
    ):
        with pytest.raises(Mistake, match=why) as said:
            amend(engine, payload, name)
        assert said.value.mend
    assert (runs(engine), log(engine)) == (before, [])
    amend(engine, run(4))  # the bytes of a run of another name may be this one's too
    with store.unit(engine) as db:
        marking.withdraw(db, "t", "ants-2", SHIFTED)
    with pytest.raises(Mistake, match="ants-2 is withdrawn") as said:
        amend(engine, run(5), "ants-2")
    assert "grader run restore t ants-2" in said.value.mend


# --- sent again


def test_whoever_sends_the_old_or_the_new_file_again_gets_the_receipt_of_the_run(engine):
    registered(engine, phase(runs=1))
    send(engine, run(2))
    amend(engine, run(6))
    for payload, at in ((run(2), NOON + DAY), (run(6), NOON + DAY), (run(2), CLOSES + DAY)):
        again = send(engine, payload, at)
        assert (again.run, again.repeated, again.received) == ("ants-1", True, NOON)
        assert again.sha256 == digest(run(6))
        found = {s.measure: s.value for s in again.graded.scores if s.subset == "all"}
        assert found["accuracy"] == 6 / 8  # what stands on the board, not what was sent
        said = {notice.code: notice.message for notice in again.notices}
        assert said["amended"] == f"organisers marked it amended ({SHIFTED.why})"
    assert len(runs(engine)) == 1


def test_a_run_that_is_amended_while_its_old_file_is_sent_again_is_told_as_it_then_is(
    engine, monkeypatch
):
    registered(engine, phase())
    send(engine, run(2))
    done = []

    def slow(*given):
        if not done:
            done.append(True)
            done.append(amend(engine, run(6)))
        return grade(*given)

    monkeypatch.setattr("grader.grade.grade", slow)
    again = send(engine, run(2))
    found = {s.measure: s.value for s in again.graded.scores if s.subset == "all"}
    assert (found["accuracy"], again.sha256) == (6 / 8, digest(run(6)))


def test_a_run_may_be_amended_to_and_fro(engine):
    registered(engine, phase())
    send(engine, run(2))
    assert [amend(engine, run(n)).version for n in (6, 2, 4)] == [2, 3, 4]
    assert [payload for _, payload in versions(engine)] == [run(2), run(6), run(2), run(4)]
    assert send(engine, run(6)).run == "ants-1"
    with store.reading(engine) as db:
        for number in (0, 5, -1):
            with pytest.raises(Mistake, match="there are versions 1 to 4"):
                store.file_version(db, "t", "ants-1", number)
        assert store.file_version(db, "t", "ants-1") == ("mended.csv", run(4))


# --- a scorer that breaks


def test_a_run_whose_new_file_breaks_the_scorer_is_held_until_it_is_scored(engine, monkeypatch):
    registered(engine, phase())
    send(engine, run(2))
    with monkeypatch.context() as patch:
        patch.setattr("grader.grade.grade", lambda *_: 1 / 0)
        done = amend(engine, run(6))
    assert (done.graded, "ZeroDivisionError" in done.trouble) == (None, True)
    (entry,) = runs(engine)
    assert (entry.held, entry.sha256, list(entry.flags)) == (True, digest(run(6)), ["amended"])
    assert versions(engine) == [("run.csv", run(2)), ("mended.csv", run(6))]
    with store.reading(engine) as db:
        assert store.is_held(db, "t", "ants-1")
    with store.unit(engine) as db:
        rescore(db, "t", AT, entries(db, "t", AT))
    assert accuracy(runs(engine)[0]) == 6 / 8


# --- gold versions


def test_scores_under_earlier_gold_are_of_the_old_file_and_compare_with_nothing(engine):
    registered(engine, phase())
    send(engine, run(2))
    send(engine, run(4), team="Bees")
    with store.unit(engine) as db:
        drop(db, "t", ["q0"], Reason("bad"), Act(AT, b"salt" * 8))
    amend(engine, run(6))
    with store.reading(engine) as db:
        first, now = (store.snapshot(db, NOON, ["t"], v).tasks[0] for v in (1, None))
    assert [accuracy(entry) for entry in first.entries] == [2 / 8, 4 / 8]
    assert [accuracy(entry) for entry in now.entries] == [5 / 7, 3 / 7]
    assert f"run:sha256:{digest(run(2))}" in first.entries[0].settings
    assert common(first, now)[2] == ("ants-1",)


def test_a_gold_that_changes_while_the_file_is_graded_is_the_one_it_is_scored_under(
    engine, monkeypatch
):
    registered(engine, phase())
    send(engine, run(2))
    dropped = []

    def slow(*given):
        if not dropped:
            dropped.append("q0")
            with store.unit(engine) as db:
                drop(db, "t", ["q0"], Reason("bad"), Act(AT, b"salt" * 8))
        return grade(*given)

    monkeypatch.setattr("grader.grade.grade", slow)
    amend(engine, run(6))
    (entry,) = runs(engine)
    assert (accuracy(entry), entry.graded.of) == (5 / 7, 7)


def test_a_run_that_is_withdrawn_while_its_file_is_graded_stays_as_it_was(engine, monkeypatch):
    registered(engine, phase())
    send(engine, run(2))

    def slow(*given):
        with store.unit(engine) as db:
            marking.withdraw(db, "t", "ants-1", SHIFTED)
        return grade(*given)

    monkeypatch.setattr("grader.grade.grade", slow)
    with pytest.raises(Mistake, match="ants-1 is withdrawn"):
        amend(engine, run(6))
    assert versions(engine) == [("run.csv", run(2))]
    assert list(runs(engine)[0].flags) == ["withdrawn"]


def test_bytes_that_come_in_as_a_run_while_they_are_graded_are_that_run(engine, monkeypatch):
    registered(engine, phase())
    send(engine, run(2))
    came = []

    def slow(*given):
        if not came:
            came.append(True)
            send(engine, run(6))
        return grade(*given)

    monkeypatch.setattr("grader.grade.grade", slow)
    with pytest.raises(Mistake, match="the bytes are ants-2"):
        amend(engine, run(6))
    assert [entry.sha256 for entry in runs(engine)] == [digest(run(2)), digest(run(6))]


# --- what else hangs on a run's bytes


def test_near_duplicates_are_found_by_the_new_file(engine):
    registered(engine, phase())
    send(engine, run(2))
    send(engine, run(6), team="Bees")
    amend(engine, run(6, order=-1))  # the same content in other lines
    with store.reading(engine) as db:
        now = store.registered(db, "t")
        found = audit.audit(now.task, now.gold, store.uploads(db, "t"))
        (pair,) = audit.document("t", found, ())["near_duplicates"]
    assert (pair["runs"], pair["why"]) == (["ants-1", "bees-1"], ["content"])
    again = send(engine, run(6), name="copy")
    assert [n.code for n in again.notices] == ["same-content"]


def test_what_was_overlooked_is_overlooked_again_where_it_is_needed(engine):
    registered(engine, phase())
    short, other = run(2)[:-10], run(6)[:-10]  # q7 is missing
    send(engine, short, CLOSES, waived=("closed", "missing-id"), why="a mail")
    done = amend(engine, other)
    (entry,) = runs(engine)
    assert (done.lifted, entry.waived) == ((), ("closed", "missing-id"))
    assert accuracy(entry) == 6 / 8
    assert entry.settings.endswith("|waived:missing-id")
    assert entry.flags["waived"] == "closed, missing-id: a mail"
    done = amend(engine, run(6))
    (entry,) = runs(engine)
    assert (done.lifted, entry.waived) == (("missing-id",), ("closed",))
    assert entry.flags["waived"] == "closed: a mail"
    assert "waived" not in entry.settings
    assert log(engine)[-1] == ("run amend: ants-1, no longer waived: missing-id", SHIFTED.why)


def test_a_waiver_that_is_needed_no_more_is_no_mark(engine):
    registered(engine, phase())
    send(engine, run(2)[:-10], waived=("missing-id",), why="a mail")
    amend(engine, run(6))
    assert list(runs(engine)[0].flags) == ["amended"]


def test_the_public_sees_that_and_why_a_run_was_amended(engine, migrated_url, tmp_path):
    registered(engine, phase())
    send(engine, run(2))
    amend(engine, run(6))
    with store.reading(engine) as db:
        (entry,) = visible(store.snapshot(db, NOON), "public").tasks[0].entries
    assert (entry.flags, len(entry.amendments)) == ({"amended": SHIFTED.why}, 1)
    publish = ["publish", str(tmp_path / "site"), "--db", migrated_url, "--at", NOON.isoformat()]
    assert CliRunner().invoke(main, publish).exit_code == 0
    board, page = (
        (tmp_path / "site" / "t" / name).read_text(encoding="utf-8")
        for name in ("index.html", "ants-1.html")
    )
    assert f'<span class="flag" title="{SHIFTED.why}">amended</span>' in board
    assert f'<span class="flag">amended</span> <bdi>{SHIFTED.why}</bdi>' in page
    assert digest(run(2)) in page
    assert "2031-05-11 12:00:00 UTC" in page


def test_the_command_amends_downloads_and_shows(engine, migrated_url, tmp_path):
    registered(engine, phase())
    send(engine, run(2))
    file = tmp_path / "mended.csv"
    file.write_bytes(run(6))
    db = ("--db", migrated_url)

    def invoke(*args):
        return CliRunner().invoke(main, [*map(str, args), *db])

    command = ("run", "amend", "t", "ants-1", file, "--why", "shifted", "--at", NOON.isoformat())
    done = invoke(*command)
    assert (done.exit_code, done.stdout) == (
        0,
        "ants-1 is amended, version 2; publish again to show it\n",
    )
    assert invoke(*command).exit_code == 2
    file.write_bytes(GOLD)
    no = invoke(*command)
    assert (no.exit_code, "refused" in no.stdout) == (1, True)
    for number, payload in ((1, run(2)), (2, run(6)), (None, run(6))):
        out = tmp_path / f"{number}.csv"
        which = () if number is None else ("--version", number)
        assert invoke("run", "download", "t", "ants-1", "--out", out, *which).exit_code == 0
        assert out.read_bytes() == payload
    shown = json.loads(invoke("run", "show", "t", "ants-1", "--format", "json").stdout)
    assert shown["versions"] == [
        {
            "version": 1,
            "sha256": digest(run(2)),
            "file": "run.csv",
            "until": NOON.isoformat(),
            "why": "shifted",
        },
        {
            "version": 2,
            "sha256": digest(run(6)),
            "file": "mended.csv",
            "until": None,
            "why": None,
        },
    ]
    text = invoke("run", "show", "t", "ants-1").stdout
    assert "  2; the first: grader run download t ants-1 --version 1\n" in text
    file.write_bytes(run(7))
    said = json.loads(invoke(*command, "--format", "json").stdout)
    assert (said["version"], said["status"], said["before"]) == (3, "accepted", digest(run(6)))
