"""Runs in which organisers overlook a rule, on both databases."""

import io
import json
import zipfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from conftest import AT
from phased import CLOSES, GOLD, NOON, OPENS, SECOND, code, phase, registered, run, runs, send

from grader import admission, audit, marking, store
from grader.check import MENDS, WAIVABLE, check, records
from grader.cli import main
from grader.errors import Mistake
from grader.grade import grade, overlooking
from grader.intake import deliver
from grader.marking import Decision
from grader.model import Gold, Graded, Rejected, Run, Upload
from grader.paired import public
from grader.rescore import Act, entries, rescore
from grader.signature import settings
from grader.tasks import parse, read_gold
from grader.versioning import Reason, drop

DAY = timedelta(days=1)
WHY = "their mail of 3 June"
HEAD = "id,answer,confidence\n"


def waived(engine, payload, codes, at=NOON, **keys):
    """Submit a run in which problems are overlooked."""
    return send(engine, payload, at, waived=tuple(codes), why=WHY, **keys)


def lines(*rows):
    return (HEAD + "".join(f"{row}\n" for row in rows)).encode()


def full(changed):
    """A run that is right and half sure everywhere, but for changed lines by their place."""
    rows = {i: f"q{i},yes,0.5" for i in range(8)} | changed
    return lines(*(row for _, row in sorted(rows.items()) if row))


def marks(engine):
    return {entry.slug: dict(entry.flags) for entry in runs(engine)}


def scores(graded):
    return {(s.measure, s.subset): s.value for s in graded.scores}


def notices(receipt):
    return {notice.code: notice.message for notice in receipt.notices}


# --- the door


def test_a_late_file_is_taken_in_time_if_organisers_overlook_the_close(engine):
    registered(engine, phase())
    assert code(send(engine, run(), CLOSES + DAY)) == "closed"
    receipt = waived(engine, run(), ["closed"], CLOSES + DAY)
    assert (receipt.phase, receipt.held) == ("formal", False)
    assert notices(receipt)["waived"] == f"organisers overlook closed: {WHY}"
    (entry,) = runs(engine)
    assert (entry.flags, entry.waived) == ({"waived": f"closed: {WHY}"}, ("closed",))
    assert entry.received == CLOSES + DAY
    assert "waived" not in entry.settings  # no number depends on it
    with store.reading(engine) as db:
        log = store.history(db, "t")
        assert store.history(db, "t", "ants-1") == log
    assert [(e.what, e.why) for e in log] == [("run waive: ants-1, closed", WHY)]


def test_a_run_that_would_be_unofficial_is_official_if_the_close_is_overlooked(engine):
    registered(engine, phase(late='"unofficial"'))
    send(engine, run(), CLOSES, name="late")
    waived(engine, run(), ["closed"], CLOSES)
    assert [list(flags) for flags in marks(engine).values()] == [["late"], ["waived"]]


def test_a_file_goes_into_the_phase_that_is_named(engine):
    registered(engine, phase("dry"), phase("formal", CLOSES, CLOSES + DAY))
    with pytest.raises(Mistake, match="closed need not be waived: phase 'formal' takes it"):
        waived(engine, run(), ["closed"], CLOSES)
    assert waived(engine, run(), ["closed"], CLOSES, phase="dry").phase == "dry"
    early = waived(engine, run(), ["not-open"], NOON, phase="formal", name="early")
    assert early.phase == "formal"
    assert notices(early)["waived"].startswith("organisers overlook not-open")
    last = waived(engine, run(), ["closed"], CLOSES + DAY, name="last")
    assert last.phase == "formal"  # the one that closed last
    first = waived(engine, run(), ["not-open", "quota"], OPENS - SECOND, name="first")
    assert first.phase == "dry"  # the one that opens next
    assert code(waived(engine, run(), ["not-open"], CLOSES, phase="dry", name="no")) == "closed"
    with pytest.raises(Mistake, match="there is no phase 'wet' of 't'; there is 'dry', 'formal'"):
        waived(engine, run(), ["closed"], CLOSES, phase="wet")
    assert [entry.waived for entry in runs(engine)] == [
        ("closed",),
        ("not-open",),
        ("closed",),
        ("not-open",),
    ]


def test_a_task_without_phases_has_no_instant_to_overlook(engine):
    registered(engine)
    with pytest.raises(Mistake, match="there are no phases at that instant"):
        waived(engine, run(), ["closed"])


def test_quota_size_name_and_refused_files_are_overlooked_one_by_one(engine):
    top = '[run]\nnames = "[Team]-[1-9]"\n'
    registered(engine, phase(runs=1, refused=1, size=len(run())), top=top)
    assert send(engine, run()).problems[0].code == "bad-name"
    large = run() + b"\n"
    assert code(send(engine, large, name="b")) == "too-large"
    waived(engine, large, ["too-large", "too-many-refused", "bad-name"], name="b")
    other = run(order=-1)
    assert code(waived(engine, other, ["bad-name"], name="c")) == "too-many-refused"
    later = NOON + 2 * DAY
    assert code(waived(engine, other, ["bad-name"], later, name="c")) == "quota"
    again = waived(engine, other, ["bad-name", "quota"], later, name="c")
    assert (again.slots.used, again.slots.why) == (2, "none is left")
    assert [set(entry.waived) for entry in runs(engine)] == [
        {"too-large", "too-many-refused", "bad-name"},
        {"quota", "bad-name"},
    ]


def test_beside_a_run_beyond_the_quota_another_comes_back_into_its_own_slot(engine):
    registered(engine, phase(runs=1, visible='"none"'))
    why = Decision("a mistake", AT)
    send(engine, run())
    waived(engine, run(6), ["quota"], NOON + SECOND, name="beyond")
    for name in ("ants-1", "ants-2"):
        with store.unit(engine) as db:
            marking.withdraw(db, "t", name, why)
            marking.restore(db, "t", name, why)
    with store.unit(engine) as db:
        marking.withdraw(db, "t", "ants-1", why)
    assert code(send(engine, run(5), NOON + DAY, name="third")) == "quota"  # ants-2 uses it


def test_what_need_not_be_overlooked_is_not(engine):
    registered(engine, phase(runs=1))
    receipt = waived(engine, run(), ["quota", "missing-id"])
    assert (marks(engine), receipt.notices) == ({"ants-1": {}}, ())


# --- what a file says

MISSING, UNKNOWN = full({0: ""}), full({8: "zz,yes,0.9"})
BLANK = full({0: "q0, ,0.5"})
# By hand: accuracy, R_O, R_U, HMR, Brier.
CONTENT = [
    ("missing-id", MISSING, (7 / 8, 0.0, 0.5, 0.0, (7 * 0.25 + 1) / 8)),
    ("unknown-id", UNKNOWN, (1.0, 1.0, 0.5, 2 / 3, 0.25)),
    ("blank-answer", BLANK, (7 / 8, 0.5, 0.5, 0.5, 0.25)),
]
KEYS = ("accuracy", "r_o", "r_u", "hmr", "brier")


def test_what_is_overlooked_in_a_file_has_its_meaning(engine):
    registered(engine, phase())
    for name, payload, expected in CONTENT:
        no = send(engine, payload, name=name)
        assert {problem.code for problem in no.problems} == {name}
        receipt = waived(engine, payload, [name], name=name)
        found = scores(receipt.graded)
        assert [found[key, "all"] for key in KEYS] == pytest.approx(expected, abs=0.0005)
    for entry, (name, _, expected) in zip(runs(engine), CONTENT, strict=True):
        stored = scores(entry.graded)
        assert [stored[key, "all"] for key in KEYS] == pytest.approx(expected, abs=1e-15)
        assert entry.settings.endswith(f"|waived:{name}")
        assert (entry.waived, list(entry.flags)) == ((name,), ["waived"])


def test_scored_again_it_is_overlooked_again(engine):
    registered(engine, phase(split='"public"'))
    for name, payload, _ in CONTENT:
        waived(engine, payload, [name], name=name)
    send(engine, run(), name="plain")
    before = runs(engine)
    with store.unit(engine) as db:
        rescore(db, "t", AT, entries(db, "t", AT))
    assert runs(engine) == before
    with store.unit(engine) as db:
        drop(db, "t", ["q1"], Reason("bad"), Act(AT, b"salt" * 8))
        now = store.registered(db, "t")
    *again, plain = runs(engine)
    for entry, (name, payload, _) in zip(again, CONTENT, strict=True):
        fresh = grade(overlooking(now.task, (name,)), now.gold, payload, "formal")
        assert isinstance(fresh, Graded)
        assert scores(entry.graded) == scores(fresh)
        assert entry.graded.of == 2  # of the public part, q1 dropped
        assert entry.settings.endswith(f"|waived:{name}")
    assert "waived" not in plain.settings


def test_what_is_not_overlooked_is_told_and_the_file_refused(engine):
    registered(engine, phase())
    payload = full({0: "", 1: "q1,yes,1.5", 8: "zz,yes,0.9"})
    no = waived(engine, payload, ["missing-id", "unknown-id"])
    assert {problem.code for problem in no.problems} == {"out-of-range"}
    assert runs(engine) == ()
    with store.reading(engine) as db:
        (kept,) = store.refused(db, "t")
        assert (kept.codes, store.history(db, "t")) == ({"out-of-range": 1}, ())


def _rounded(score):
    return score.measure, score.subset, None if score.value is None else round(score.value, 3)


def test_a_repeated_file_gets_its_first_receipt_though_nothing_is_overlooked_now(engine):
    registered(engine, phase(runs=1))
    first = waived(engine, MISSING, ["missing-id"])
    again = send(engine, MISSING, NOON + DAY)
    assert (again.run, again.repeated, again.graded) == (first.run, True, first.graded)
    assert again.settings == first.settings
    assert notices(again)["waived"] == f"organisers marked it waived (missing-id: {WHY})"
    late = send(engine, MISSING, CLOSES + DAY)
    assert (late.run, late.slots.used) == (first.run, 1)
    # The phase is over, so numbers have all their decimals now.
    assert [_rounded(score) for score in late.graded.scores] == [
        _rounded(score) for score in first.graded.scores
    ]
    assert len(runs(engine)) == 1


def test_each_run_of_a_bundle_has_what_is_overlooked_in_it(engine):
    registered(engine, phase())
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, payload in (("a.csv", MISSING), ("b.csv", run())):
            archive.writestr(name, payload)
    sent = Upload("Ants", "", "all.zip", held.getvalue(), NOON)
    sent = replace(sent, waived=("missing-id",), why=WHY)
    found = dict(deliver(engine, "t", sent))
    assert sorted(found) == ["a.csv", "b.csv"]
    assert {e.name: e.waived for e in runs(engine)} == {"a": ("missing-id",), "b": ()}


@pytest.mark.parametrize("name", sorted({*MENDS, *admission.MENDS} - set(WAIVABLE)))
def test_what_has_no_sure_meaning_cannot_be_overlooked(filled_once, name):
    if name in admission.WAIVABLE:
        assert name not in WAIVABLE
        return
    with pytest.raises(Mistake, match=f"{name} cannot be waived") as said:
        waived(filled_once, run(), [name])
    assert said.value.mend == "grader submit MENDED --task t --team Ants"


@pytest.fixture(scope="module")
def filled_once(tmp_path_factory):
    return registered(store.opened(f"sqlite:///{tmp_path_factory.mktemp('w')}/g.db"), phase())


def test_a_code_that_is_none_is_said_with_the_nearest(filled_once):
    with pytest.raises(
        Mistake, match="no problem is called 'missing-ids'; did you mean missing-id"
    ):
        waived(filled_once, run(), ["missing-ids"])
    assert runs(filled_once) == ()


def test_no_interval_is_the_worst(engine):
    text = 'title = "I"\nkind = "interval"\n'
    task = parse(text, "i")
    with store.unit(engine) as db:
        gold = read_gold(task, b"id,answer\nq1,1\nq2,2\n", "gold.csv")
        store.add_task(db, "i", text, gold, b"salt", AT)
        store.add_team(db, "Ants", "token", AT)
    sent = Upload("Ants", "r", "r.csv", b"id,lower,upper\nq1,0,2\n", NOON)
    with pytest.raises(Mistake, match="no interval is the worst"):
        deliver(engine, "i", replace(sent, waived=("missing-id",), why=WHY))


# --- the rules alone

SPECIMENS = Path(__file__).parent / "specimens"
CHOICE = 'answers = "choice"\nlabels = ["yes", "no"]\n'
YES_NO = "id,answer\nq1,yes\nq2,no\nq3,yes\n"
OTHERS = {
    "not-numeric": ('answers = "numeric"\n', "id,answer\nq1,12.5\nq2,3\nq3,-1000\n"),
    "unknown-source": (
        'confidence = "percent"\n[run]\nsources = {run-a = ["a"]}\n',
        "id,answer\n1,yes\n2,no\n3,yes\n",
    ),
}


@pytest.mark.parametrize("name", WAIVABLE)
def test_the_specimen_of_what_can_be_overlooked_becomes_a_run(name):
    (path,) = (p for p in SPECIMENS.glob(f"{name}.*") if p.suffix != ".txt")
    toml, labels = OTHERS.get(name, (CHOICE, YES_NO))
    task = parse(f'title = "T"\n{toml}', "t")
    gold = read_gold(task, labels.encode(), "gold.csv")
    found = check(records(path.read_bytes(), task, gold), task, gold)
    assert isinstance(found, Rejected)
    lenient = overlooking(task, (name, "closed"))
    assert lenient.waived == (name,)
    made = check(records(path.read_bytes(), lenient, gold), lenient, gold)
    assert isinstance(made, Run)
    assert not np.isnan(made.confidence).any()
    said = [notice.message for notice in made.notices]
    assert any(WAIVABLE[name] in text or "wrong at confidence 1" in text for text in said)


def test_the_probability_of_the_answer_is_its_confidence():
    path = SPECIMENS / "two-confidences.csv"
    task = overlooking(parse(f'title = "T"\n{CHOICE}', "t"), ("two-confidences",))
    gold = read_gold(task, YES_NO.encode(), "gold.csv")
    made = check(records(path.read_bytes(), task, gold), task, gold)
    assert made.confidence.tolist() == [0.9, 0.8, 0.7]  # the file says .3 beside .7


def test_beside_class_probabilities_an_answer_needs_one_of_its_own():
    task = parse(f'title = "T"\n{CHOICE}', "t")
    gold = Gold(("q1", "q2"), (("yes",), ("no",)))
    body = b"id,answer,p:yes,p:no\nq1, ,0.5,0.5\nq2,perhaps,0.5,0.5\n"
    lenient = overlooking(task, ("blank-answer", "not-a-label"))
    for given in (task, lenient):
        found = check(records(body, given, gold), given, gold)
        assert {p.code for p in found.problems} >= {"blank-answer", "not-a-label"}


def test_without_anything_overlooked_a_task_and_its_signature_are_what_they_were():
    task = parse('title = "T"\n', "t")
    assert overlooking(task, ("closed", "quota")) is task
    assert "waived" not in settings(task, "v1:9f", "c0ffee")


# --- what else reads such a run


def test_a_least_accuracy_is_of_all_instances(engine):
    registered(engine, phase(), top="[ranking]\nmin_accuracy = 0.6\n")
    waived(engine, full(dict.fromkeys((0, 1, 2, 3), "")), ["missing-id"])
    with store.reading(engine) as db:
        from grader.board import rank  # noqa: PLC0415

        (row,) = rank(store.snapshot(db, NOON, ["t"]).tasks[0]).rows
    assert row.why == "an accuracy below 0.6, needed to be ranked"  # 4 of 8, not 4 of 4


def test_boards_comparisons_and_the_audit_read_it(engine):
    registered(engine, phase())
    waived(engine, MISSING, ["missing-id"])
    send(engine, run(6), team="Bees")
    with store.reading(engine) as db:
        (seen,) = public(db, NOON).tasks
        now = store.registered(db, "t")
        found = audit.audit(now.task, now.gold, store.uploads(db, "t"))
        document = audit.document("t", found, ())
    assert seen.versus["all"].n == 8
    assert document["unread"] == []


def test_whoever_scores_the_file_by_its_pages_command_gets_its_numbers(
    engine, migrated_url, tmp_path
):
    registered(engine, phase())
    waived(engine, MISSING, ["missing-id"])
    site, folder = tmp_path / "site", tmp_path / "t"
    folder.mkdir()
    (folder / "gold.csv").write_bytes(GOLD)
    with store.reading(engine) as db:
        (folder / "task.toml").write_text(store.config(db, "t"), encoding="utf-8")
    (tmp_path / "run.csv").write_bytes(MISSING)
    publish = ["publish", str(site), "--db", migrated_url, "--at", NOON.isoformat()]
    assert CliRunner().invoke(main, publish).exit_code == 0
    page = (site / "t" / "ants-1.html").read_text(encoding="utf-8")
    assert "--task t --waive=missing-id --format json" in page
    assert f"missing-id: {WHY}" in page
    score = ["score", str(tmp_path / "run.csv"), "--task", str(folder), "--format", "json"]
    assert CliRunner().invoke(main, score).exit_code == 1
    done = CliRunner().invoke(main, [*score, "--waive", "missing-id"])
    measures = json.loads(done.stdout)["subsets"]["all"]["measures"]
    stored = scores(runs(engine)[0].graded)
    assert measures["hmr"]["value"] == stored["hmr", "all"] == 0.0
    assert measures["brier"]["value"] == stored["brier", "all"] == 2.75 / 8
    assert measures["hmr"]["signature"].endswith("|waived:missing-id")
    wrong = CliRunner().invoke(main, [*score, "--waive", "bad-sum"])
    assert (wrong.exit_code, "'bad-sum' cannot be waived here" in wrong.stderr) == (2, True)


# --- the command

USES = [
    (("--waive", "closed"), "--waive CODE and --why TEXT go together"),
    (("--why", "x"), "--waive CODE and --why TEXT go together"),
    (("--waive", "closed", "--why", " "), "a reason needs words"),
    (("--waive", "quota", "--why", "x", "--phase", "formal"), "--phase goes with --waive closed"),
]


def test_the_command_waives_with_a_reason_alone(engine, migrated_url, tmp_path):
    registered(engine, phase())
    file = tmp_path / "run.csv"
    file.write_bytes(MISSING)
    late = (CLOSES + DAY).isoformat()
    submit = ["submit", str(file), "--task", "t", "--team", "Ants", "--db", migrated_url]
    for given, why in USES:
        done = CliRunner().invoke(main, [*submit, *given])
        assert done.exit_code == 2
        assert why in " ".join(done.stderr.replace("│", " ").split())
    given = ["--waive", "closed", "--waive", "missing-id", "--why", WHY, "--at", late]
    done = CliRunner().invoke(main, [*submit, *given])
    assert done.exit_code == 0, done.output
    assert f"note: organisers overlook closed, missing-id: {WHY}\n" in done.stdout
    assert (
        "note: 1 of 8 instances is missing: 'q0'; counts as wrong at confidence 1" in done.stdout
    )
    show = ["run", "show", "t", "ants-1", "--db", migrated_url]
    said = CliRunner().invoke(main, show).stdout
    assert f"waived (closed, missing-id: {WHY})" in said
    assert "run waive: ants-1, closed, missing-id" in said
