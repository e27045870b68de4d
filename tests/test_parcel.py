"""What comes in packed: the same run as if it were plain, and each of a bundle has its answer."""

import gzip
import io
import json
import os
import zipfile
from datetime import timedelta
from hashlib import sha256

import pytest
from conftest import AT
from phased import CLOSES, NOON, OPENS, SECOND, code, phase, runs
from phased import registered as phased
from phased import run as made
from test_cli import BAD, RUN, answer, folder, invoke, refused, registered  # noqa: F401, fixtures

from grader import marking, parcel, store
from grader.errors import Mistake
from grader.intake import deliver
from grader.model import Problem, Receipt, Rejected, Upload
from grader.parcel import unpacked


def zipped(**members):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, payload in members.items():
            archive.writestr(name, payload)
    return held.getvalue()


def sent(payload, filename="a.zip", name="", **keys):
    return Upload("Ants", name, filename, payload, NOON, **keys)


def test_a_run_is_the_same_plain_gzipped_and_zipped():
    plain = sent(made(), "net.csv")
    (alone,) = unpacked(plain)
    assert (alone.name, alone.payload, alone.bundle) == ("net", made(), "")
    for payload, filename in (
        (gzip.compress(made()), "net.csv.gz"),
        (zipped(**{"net.csv": made()}), "whatever.zip"),
        (zipped(**{"us/net.csv": made(), "__MACOSX/us/._net.csv": b"x"}), "us.zip"),
    ):
        (packed,) = unpacked(sent(payload, filename))
        assert (packed.name, packed.filename, packed.payload) == ("net", "net.csv", made())
        assert packed.bundle == sha256(payload).hexdigest()


def test_a_name_that_is_given_stays():
    (one,) = unpacked(sent(gzip.compress(made()), "net.csv.gz", "mine"))
    assert one.name == "mine"


def test_runs_of_a_bundle_are_named_by_their_files_or_by_their_paths_where_those_are_alike():
    bundle = zipped(**{"a/run.csv": made(), "b/run.tsv": made(7), "net.v2.csv": made(6)})
    found = unpacked(sent(bundle))
    assert [(u.name, u.filename) for u in found] == [
        ("a/run", "a/run.csv"),
        ("b/run", "b/run.tsv"),
        ("net.v2", "net.v2.csv"),
    ]
    assert {u.bundle for u in found} == {sha256(bundle).hexdigest()}


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (["a.csv", "a.tsv"], ["a.csv", "a.tsv"]),
        (["x/a.csv", "x/a.txt", "y/a.csv"], ["x/a.csv", "x/a.txt", "y/a"]),
        (["a.csv", "a.tsv", "b.csv"], ["a.csv", "a.tsv", "b"]),
        (["./a.csv", "b.csv"], ["a", "b"]),
        (["a.csv", "a.csv.txt", "a.tsv"], ["a.csv-32f29f33", "a.csv", "a.tsv"]),
    ],
)
def test_no_two_runs_of_a_bundle_have_one_name(files, names):
    found = unpacked(sent(zipped(**{file: made() for file in files})))
    assert [u.name for u in found] == names


def test_two_long_paths_that_begin_alike_are_two_names():
    files = [f"{'n' * 230}/{k}/run.csv" for k in range(3)]
    names = [u.name for u in unpacked(sent(zipped(**{file: made() for file in files})))]
    assert len(set(names)) == 3
    assert {len(name) for name in names} == {200}
    assert all(store.checked("run name", name, 200) == name for name in names)


@pytest.mark.parametrize(
    "filename", ["\u200b.csv", "\u2060", "\u00ad.csv", " .csv", "\u3000\u200d"]
)
def test_a_name_that_nobody_sees_is_none(filename):
    (one,) = unpacked(sent(made(), filename))
    assert one.name == "run"
    (one,) = unpacked(sent(made(), f"{filename[0]}a"))
    assert store.folded(one.name) == "a"


@pytest.mark.parametrize("name", ["n" * 230, " "])
def test_the_name_of_any_file_in_an_archive_can_be_a_run_s(name):
    (one,) = unpacked(sent(zipped(**{f"{name}.csv": made()})))
    assert 0 < len(one.name) <= 200
    assert store.checked("run name", one.name, 200) == one.name


def test_what_cannot_be_opened_stays_as_it_is():
    for payload in (b"PK\x03\x04 broken", b"\x1f\x8b broken", zipped(), b"", made()):
        (one,) = unpacked(sent(payload))
        assert (one.payload, one.bundle) == (payload, "")


def test_more_runs_than_are_taken_at_once(monkeypatch):
    monkeypatch.setattr(parcel, "RUNS", 2)
    three = zipped(**{f"{i}.csv": made(i) for i in range(3)})
    found = unpacked(sent(three))
    assert isinstance(found, Problem)
    assert found.message == "the archive: 3 runs in it, and 2 are taken at once"
    assert len(unpacked(sent(zipped(a=made(), b=made(7))))) == 2


def test_each_run_of_a_bundle_has_its_own_verdict(engine):
    phased(engine, phase(runs=2))
    bundle = zipped(a=made(8), b=made(sure="1.5"), c=made(5), d=made(6))
    found = dict(deliver(engine, "t", sent(bundle)))
    assert [type(found[name]) is Receipt for name in "abcd"] == [True, False, True, False]
    assert (code_of(found["b"]), code(found["d"])) == ("out-of-range", "quota")
    assert [r.name for r in runs(engine)] == ["a", "c"]
    again = dict(deliver(engine, "t", sent(bundle)))
    assert [again[n].run for n in "ac"] == [found[n].run for n in "ac"]
    assert all(again[n].repeated for n in "ac")
    # A run of it that comes alone is the same run.
    ((_, alone),) = deliver(engine, "t", sent(made(5), "c.csv"))
    assert (alone.run, alone.repeated) == (found["c"].run, True)


def test_equal_runs_of_a_bundle_are_two_runs_and_refused_ones_are_told_apart(engine):
    phased(engine, phase())
    bundle = zipped(**{"a.csv": made(), "a.tsv": made(), "x/b.csv": b"no", "y/b.csv": b"no"})
    found = dict(deliver(engine, "t", sent(bundle)))
    assert [found[n].run for n in ("a.csv", "a.tsv")] == ["ants-1", "ants-2"]
    assert [type(found[n]) for n in ("x/b.csv", "y/b.csv")] == [Rejected, Rejected]
    assert [r.name for r in runs(engine)] == ["a.csv", "a.tsv"]


def test_a_refused_file_that_is_graded_again_is_told_the_same(engine):
    phased(engine, phase(refused=2))
    bundle = zipped(**{f"{k}.csv": b"no" + bytes([k]) for k in (48, 49, 50)})
    told = [
        [[p.code for p in no.problems] for _, no in deliver(engine, "t", sent(bundle))]
        for _ in range(2)
    ]
    assert told[0] == told[1]
    assert told[0][2] == ["too-many-refused"] != told[0][0]
    ((_, other),) = deliver(engine, "t", sent(b"no 3", "48.csv"))
    assert code(other) == "too-many-refused"


def code_of(outcome):
    return outcome.problems[0].code


def test_one_name_or_primary_is_not_for_several_runs(engine):
    phased(engine, phase())
    both = zipped(a=made(), b=made(7))
    for keys in ({"name": "x"}, {"flags": ("primary",)}):
        with pytest.raises(Mistake, match="holds 2 runs"):
            deliver(engine, "t", sent(both, **keys))
    assert runs(engine) == ()
    assert len(deliver(engine, "t", sent(both, flags=("baseline",)))) == 2


@pytest.mark.parametrize("what", ["the archive", "the run in it"])
def test_a_promise_of_the_archive_or_of_the_run_in_it_counts(engine, what):
    phased(engine, phase(grace=60))
    packed = gzip.compress(made())
    digest = sha256(packed if what == "the archive" else made()).hexdigest()
    with store.unit(engine) as db:
        marking.promise(db, "t", "Ants", digest, CLOSES - SECOND)
    late = Upload("Ants", "", "net.csv.gz", packed, CLOSES + timedelta(minutes=1))
    ((_, receipt),) = deliver(engine, "t", late)
    assert receipt.phase == "formal"


def test_the_largest_file_of_a_phase_is_the_run_s_own(engine):
    phased(engine, phase(size=len(made())))
    ((_, fits),) = deliver(engine, "t", sent(zipped(a=made())))
    assert isinstance(fits, Receipt)
    ((_, large),) = deliver(engine, "t", sent(zipped(a=made() + b"\n" * 99)))
    assert code(large) == "too-large"


def test_a_file_s_name_is_checked_and_told_with_everything_else(engine):
    phased(engine, phase(), top='[run]\nnames = "[Team]-AC-[1-4]"\n')
    with store.unit(engine) as db:
        store.add_alias(db, "Ants", "ANT", AT)
    for right in ("Ants-AC-1.csv", "ANT-AC-4", "ants-AC-2.csv.gz"):
        payload = gzip.compress(made()) if right.endswith(".gz") else made()
        ((_, receipt),) = deliver(engine, "t", sent(payload, right))
        assert isinstance(receipt, Receipt), right
    for wrong in ("Ants-AC-5.csv", "Bees-AC-1.csv", "run.csv"):
        ((_, no),) = deliver(engine, "t", sent(made(7), wrong))
        said = f"{wrong!r} does not follow [Team]-AC-[1-4]: a right name is 'Ants-AC-1'"
        assert [(p.code, p.message) for p in no.problems] == [("bad-name", said)]
    ((_, both),) = deliver(engine, "t", sent(made(sure="1.5"), "run.csv"))
    assert [p.code for p in both.problems] == ["bad-name", *["out-of-range"] * 8]
    bundle = zipped(**{"x/ANT-AC-3.csv": made(4), "x/other.csv": made(3)})
    kinds = [type(outcome) is Receipt for _, outcome in deliver(engine, "t", sent(bundle))]
    assert kinds == [True, False]


def test_the_same_refused_file_of_the_same_instant_is_kept_once(engine):
    phased(engine, phase())
    for at in (OPENS, OPENS, OPENS + SECOND):
        bad = Upload("Ants", "", "x.csv", made(sure="1.5"), at)
        deliver(engine, "t", bad)
    with store.reading(engine) as db:
        assert [r.at for r in store.refused(db, "t")] == [OPENS, OPENS + SECOND]


class TestSubmit:
    def test_a_bundle_is_one_report_and_a_list(self, registered):  # noqa: F811
        (registered / "b.zip").write_bytes(zipped(**{"x/one.csv": RUN, "x/two.csv": BAD}))
        submit = ("submit", "b.zip", "--task", "capitals", "--team", "A")
        done = invoke(*submit)
        assert done.exit_code == 1
        first, second = done.stdout.split("\n\n")
        assert first.startswith("b.zip/x/one.csv: accepted\nstatus    accepted\n")
        assert second.startswith("b.zip/x/two.csv: refused, 5 problems\n")
        done = invoke(*submit, "--format", "json")
        one, two = json.loads(done.stdout)
        assert done.exit_code == 1
        assert (one["file"], one["name"], one["repeated"]) == ("x/one.csv", "one", True)
        assert (two["file"], two["rejected"], two["total"]) == ("x/two.csv", True, 5)

    def test_a_packed_run_is_answered_as_a_plain_one(self, registered):  # noqa: F811
        (registered / "run.zip").write_bytes(zipped(**{"run.csv": RUN}))
        (registered / "run.csv.gz").write_bytes(gzip.compress(RUN.encode()))
        send = ("--task", "capitals", "--team", "A")
        plain = answer("submit", "run.csv", *send)
        for file in ("run.zip", "run.csv.gz"):
            again = answer("submit", file, *send)
            assert (again["run"], again["repeated"], again["sha256"]) == (
                plain["run"],
                True,
                plain["sha256"],
            )

    def test_a_name_for_several_runs_is_a_mistake(self, registered):  # noqa: F811
        (registered / "b.zip").write_bytes(zipped(a=RUN, b=RUN))
        send = ("submit", "b.zip", "--task", "capitals", "--team", "A", "--name", "x")
        assert "holds 2 runs" in refused(*send)

    def test_what_a_team_says_of_a_run_is_kept(self, registered):  # noqa: F811
        send = ("submit", "run.csv", "--task", "capitals", "--team", "A", "--text", "A **net**.")
        assert (registered / "run.csv").exists()
        answer(*send, "--link", "https://a.example", "--resource", "Wikipedia", "--resource", "B")
        engine = store.existing(os.environ["GRADER_DB"])
        with store.reading(engine) as db:
            (entry,) = store.snapshot(db, AT, ["capitals"]).tasks[0].entries
        assert (entry.about.text, entry.about.links) == ("A **net**.", ("https://a.example",))
        assert entry.about.resources == ("Wikipedia", "B")
