"""The folder as a door: what is dropped is answered once, whatever happens in between."""

import gzip
import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest
from conftest import AT
from phased import CLOSES, NOON, SECOND, phase, registered, run, runs
from test_parcel import zipped

from grader import inbox, store
from grader.errors import Unavailable
from grader.inbox import CLAIMED, DONE, Box, claiming, look, work
from grader.store import engine as engine_of
from grader.tasks import parse, read_gold


@pytest.fixture
def drop(engine, tmp_path):
    """A box with the task ``t`` and the folders of two teams, and what it said."""
    registered(engine, phase(late='"unofficial"'))
    for team in ("ants", "Bees"):
        (tmp_path / "in" / "t" / team).mkdir(parents=True)
    said = []
    return Box(tmp_path / "in", engine, 0.0, said.append, said.append)


@pytest.fixture
def always(engine, tmp_path):
    """The same of a task that takes runs at any time."""
    registered(engine)
    (tmp_path / "in" / "t" / "ants").mkdir(parents=True)
    said = []
    return Box(tmp_path / "in", engine, 0.0, said.append, said.append)


def put(box, name, payload, team="ants"):
    file = box.folder / "t" / team / name
    file.write_bytes(payload)
    return file


def passed(box, at=NOON):
    return work(box, look(box, {}), lambda: at)[1]


def left(box):
    """Every file in the folder, with its place, but the lock and what a claim keeps."""
    found = (p.relative_to(box.folder) for p in box.folder.rglob("*") if not p.is_dir())
    return sorted(str(p) for p in found if p.name not in (".lock", ".sight"))


def report(file, ending="txt"):
    return Path(f"{file}.report.{ending}").read_text(encoding="utf-8")


def test_a_file_is_graded_answered_beside_it_and_done(drop):
    file = put(drop, "net.csv", run())
    assert passed(drop) == 0
    assert left(drop) == [
        ".done/t/ants/20310510T120000.000000Z-1/net.csv",
        "t/ants/net.csv.report.json",
        "t/ants/net.csv.report.txt",
    ]
    found = json.loads(report(file, "json"))
    assert (found["status"], found["team"], found["name"]) == ("accepted", "Ants", "net")
    assert found["received"] == NOON.isoformat()
    text = report(file)
    rows = [" ".join(line.split()) for line in text.splitlines()]
    assert rows[:4] == ["status accepted", "task t", "team Ants", "run ants-1 (net)"]
    assert rows[4] == "received 2031-05-10 12:00:00 UTC (2031-05-10 00:00:00 AoE)"
    assert text.replace("\n", "").isprintable()
    (entry,) = runs(drop.engine)
    assert (entry.name, entry.received) == ("net", NOON)
    assert passed(drop) == 0
    assert len(left(drop)) == 3
    assert drop.told == set()


def test_refused_packed_and_bundled_files_have_reports_too(drop):
    bad = put(drop, "bad.csv", run(sure="1.5"))
    packed = put(drop, "a.csv.gz", gzip.compress(run()), "Bees")
    bundle = put(drop, "b.zip", zipped(**{"x/one.csv": run(7), "x/two.csv": b"nothing"}))
    passed(drop)
    assert report(bad).startswith("bad.csv: refused, 8 problems\n")
    assert json.loads(report(bad, "json"))["rejected"] is True
    assert json.loads(report(packed, "json"))["name"] == "a"
    one, two = json.loads(report(bundle, "json"))
    assert (one["file"], one["status"], two["file"]) == ("x/one.csv", "accepted", "x/two.csv")
    assert report(bundle).split("\n\n")[1].startswith("b.zip/x/two.csv: refused, ")
    assert sorted(r.name for r in runs(drop.engine)) == ["a", "one"]


def test_the_same_file_dropped_again_is_the_same_run(drop):
    file = put(drop, "net.csv", run())
    passed(drop)
    put(drop, "net.csv", run())
    passed(drop, NOON + SECOND)
    assert "before: this is the first receipt" in report(file)
    assert json.loads(report(file, "json"))["received"] == NOON.isoformat()
    put(drop, "net.csv", run(5))
    passed(drop, NOON + SECOND)
    assert len(runs(drop.engine)) == 2
    done = [name for name in left(drop) if name.startswith(DONE)]
    places = ("00.000000Z-1", "01.000000Z-1", "01.000000Z-2")
    assert [Path(name).parent.name[-12:] for name in done] == list(places)


def test_a_hidden_gold_is_in_no_report(engine, tmp_path):
    text = 'title = "T"\n' + phase(visible='"none"')
    rare = b"id,answer\nq0,xylographer\nq1,quincunx\n"
    with store.unit(engine) as db:
        store.add_task(db, "t", text, read_gold(parse(text, "t"), rare, "g"), b"s" * 32, AT)
        store.add_team(db, "Ants", "token", AT)
    (tmp_path / "in" / "t" / "Ants").mkdir(parents=True)
    said = []
    box = Box(tmp_path / "in", engine, 0.0, said.append, said.append)
    for name, body in (
        ("right", b"q0,xylographer,1\nq1,quincunx,1\n"),
        ("wrong", b"q0,a,1\nq1,b,1\n"),
        ("bad", b"q0,a,9\n"),
    ):
        (box.folder / "t" / "Ants" / f"{name}.csv").write_bytes(b"id,answer,confidence\n" + body)
    passed(box)
    told = {p.name: p.read_text() for p in box.folder.rglob("*.report.*")}
    assert len(told) == 6
    assert not [n for n, t in told.items() if "xylographer" in t or "quincunx" in t]
    right, wrong = (told[f"{n}.csv.report.json"] for n in ("right", "wrong"))
    assert json.loads(right)["scores"] is json.loads(wrong)["scores"] is None


class TestWhatIsLeft:
    def test_unfinished_files_links_fifos_folders_and_reports(self, drop):
        folder = drop.folder / "t" / "ants"
        for name in (".net.csv", "net.csv.part", "net.csv.tmp", "net.csv~", "x.report.txt"):
            put(drop, name, run())
        secret = drop.folder.parent / "secret.csv"
        secret.write_bytes(run())
        (folder / "link.csv").symlink_to(secret)
        (folder / "second.csv").hardlink_to(secret)
        os.mkfifo(folder / "pipe.csv")
        (folder / "inner").mkdir()
        before = left(drop)
        passed(drop)
        assert left(drop) == before
        assert runs(drop.engine) == ()
        told = {line.split(": ")[0].rpartition("/")[2]: line for line in drop.told}
        assert set(told) == {"link.csv", "second.csv", "pipe.csv", "inner"}
        assert all("left: it is" in line for line in told.values())
        assert secret.read_bytes() == run()

    def test_folders_of_no_task_or_team(self, drop):
        for place in ("u/ants", "t/Cats"):
            (drop.folder / place).mkdir(parents=True)
            (drop.folder / place / "net.csv").write_bytes(run())
        (drop.folder / "README").write_text("how to")
        (drop.folder / "t" / "lost.csv").write_bytes(run())
        (drop.folder / "v" / "nobody").mkdir(parents=True)
        before = left(drop)
        passed(drop)
        passed(drop)
        assert left(drop) == before
        assert sorted(line.partition("in/")[2] for line in drop.told) == [
            "t/Cats: left: there is no team of that name; 1 file in it",
            "t/lost.csv: left: files belong into the folder of a team",
            "u: left: there is no task of that name; 1 file in it",
        ]
        with store.unit(drop.engine) as db:
            store.add_team(db, "CATS", "token of c", AT)
        passed(drop)
        assert [r.team for r in runs(drop.engine)] == ["CATS"]

    def test_a_team_is_known_by_name_alias_and_slug(self, drop):
        with store.unit(drop.engine) as db:
            store.add_alias(db, "Ants", "Formica Ü", AT)
        for n, folder in enumerate(("ANTS", "formica u\u0308")):
            (drop.folder / "t" / folder).mkdir()
            put(drop, "net.csv", run(n + 2), folder)
        passed(drop)
        assert [r.team for r in runs(drop.engine)] == ["Ants", "Ants"]

    def test_odd_names_do_no_harm(self, drop):
        names = ["a\nb.csv", "\x1b[2J.csv", "-rf.csv", b"\xff.csv", "x" * 251 + ".csv", "é.csv"]
        names += ["\u200b.csv", "\u2060", "\u00ad.csv", "x" * 251 + ".tsv", "é" * 120 + ".csv"]
        for n, name in enumerate(names):
            (drop.folder / "t" / "ants" / os.fsdecode(name)).write_bytes(run(n))
        passed(drop)
        assert len(runs(drop.engine)) == len(names)
        reports = [name for name in left(drop) if name.endswith("report.txt")]
        assert len(reports) == len(names)
        assert all(r.name.isprintable() for r in runs(drop.engine))
        assert all(name.startswith("t/ants/") for name in reports)
        assert drop.told == set()
        longest = [n for n in reports if "xxx" in n]
        assert len(longest) == 2
        assert all(n.startswith("t/ants/" + "x" * 230) for n in longest)
        assert passed(drop) == 0  # no report is taken for a run
        assert len(runs(drop.engine)) == len(names)

    def test_a_file_that_grows_is_waited_for(self, drop):
        box = Box(drop.folder, drop.engine, 0.05, drop.say, drop.warn)
        file = put(box, "net.csv", run()[:20])
        seen = look(box, {})
        time.sleep(0.06)
        file.write_bytes(run())
        seen, _ = work(box, seen, lambda: NOON)
        assert runs(box.engine) == ()
        time.sleep(0.06)
        work(box, seen, lambda: NOON)
        assert json.loads(report(file, "json"))["status"] == "accepted"

    @pytest.mark.parametrize("how", ["longer", "as long", "another"])
    def test_what_is_written_after_the_claim_came_in_when_it_was_read(
        self, drop, monkeypatch, how
    ):
        """Its sender holds the file open; the claim was stamped before the close."""
        file, later = put(drop, "net.csv", run(5)), CLOSES + SECOND
        os.utime(file, ns=(10**18, 10**18))
        new = run(8, sure="0.25") if how == "longer" else run(5, sure="0.7")
        real = inbox.claims

        def written(box):
            for given in real(box):
                if how == "another":
                    other = Path(f"{box.folder}.csv")
                    other.write_bytes(new)
                    os.utime(other, ns=(10**18, 10**18))
                    other.replace(given.file)
                else:
                    given.file.write_bytes(new)
            return real(box)

        monkeypatch.setattr(inbox, "claims", written)
        instants = iter([NOON] + [later] * 9)
        work(drop, look(drop, {}), lambda: next(instants))
        (entry,) = runs(drop.engine)
        assert (entry.received, "late" in entry.flags) == (later, True)
        assert json.loads(report(file, "json"))["received"] == later.isoformat()

    def test_a_file_above_the_limit_is_refused_and_not_read_whole(self, drop, monkeypatch):
        from grader import formats, parcel  # noqa: PLC0415

        monkeypatch.setattr(claiming, "LIMIT", 1000)
        monkeypatch.setattr(formats, "LIMIT", 1000)
        monkeypatch.setattr(parcel, "LIMIT", 1000)
        file = put(drop, "net.csv", b"x" * 5000)
        passed(drop)
        assert [p["code"] for p in json.loads(report(file, "json"))["problems"]] == ["too-large"]


class TestKilled:
    """Each step is the last of one process; the next begins with what is there."""

    STEPS = ("mkdir", "sight", "rename", "commit", "json", "text", "put json", "put text", "done")

    class Kill(BaseException):
        pass

    def dying(self, monkeypatch, step, *, after):
        """Let the process die before or after a step, the first time that it comes to it."""
        place, name, nth = {
            "mkdir": (Path, "mkdir", 1),
            "sight": (Path, "write_bytes", 1),
            "rename": (Path, "rename", 1),
            "commit": (inbox, "deliver", 1),
            "json": (Path, "write_text", 1),
            "text": (Path, "write_text", 2),
            "put json": (Path, "replace", 1),
            "put text": (Path, "replace", 2),
            "done": (Path, "rename", 2),
        }[step]
        real, calls = getattr(place, name), []

        def step_(*args, **kwargs):
            calls.append(args)
            mine = len(calls) == nth
            if mine and not after:
                raise self.Kill
            found = real(*args, **kwargs)
            if mine and after:
                raise self.Kill
            return found

        monkeypatch.setattr(place, name, step_)

    @pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
    @pytest.mark.parametrize("step", STEPS)
    def test_at_each_step_nothing_is_lost_or_doubled(self, drop, monkeypatch, step, after):
        file = put(drop, "net.csv", run())
        with monkeypatch.context() as patch:
            self.dying(patch, step, after=after)
            with pytest.raises(self.Kill):
                passed(drop)
        claimed = step not in ("mkdir", "sight") and (step, after) != ("rename", False)
        later = CLOSES + timedelta(days=1)  # a restart after the close changes no instant
        passed(drop, later)
        (entry,) = runs(drop.engine)
        assert entry.received == (NOON if claimed else later)
        assert ("late" in entry.flags) is not claimed
        assert json.loads(report(file, "json"))["status"] == "accepted"
        assert [n for n in left(drop) if "report" in n] == [
            "t/ants/net.csv.report.json",
            "t/ants/net.csv.report.txt",
        ]
        assert [Path(n).name for n in left(drop) if "report" not in n] == ["net.csv"]
        assert list((drop.folder / CLAIMED).glob("*/*/*")) == []

    def test_a_claimed_file_is_never_taken_the_place_of(self, drop, monkeypatch):
        put(drop, "net.csv", run())
        with monkeypatch.context() as patch:
            self.dying(patch, "commit", after=False)
            with pytest.raises(self.Kill):
                passed(drop)
        put(drop, "net.csv", run(5))
        passed(drop)  # at the same instant
        assert len(runs(drop.engine)) == 2

    def test_one_file_that_breaks_our_code_shuts_the_door_to_no_other(self, drop, monkeypatch):
        put(drop, "a.csv", run())
        other = put(drop, "b.csv", run(5))
        real = inbox.deliver

        def broken(engine, slug, sent):
            if sent.filename == "a.csv":
                raise ZeroDivisionError
            return real(engine, slug, sent)

        with monkeypatch.context() as patch:
            patch.setattr(inbox, "deliver", broken)
            assert passed(drop) == 1
        assert json.loads(report(other, "json"))["status"] == "accepted"
        assert [n for n in left(drop) if n.startswith(CLAIMED)]
        passed(drop)
        assert len(runs(drop.engine)) == 2

    def test_a_busy_database_loses_nothing(self, drop, migrated_url, monkeypatch):
        monkeypatch.setattr(engine_of, "_PATIENCE", 0.2 if "sqlite" in migrated_url else 1)
        box = Box(drop.folder, store.connect(migrated_url), 0.0, drop.say, drop.warn)
        file = put(box, "net.csv", run())
        with store.unit(drop.engine) as db:
            store.registered(db, "t", lock=True)
            passed(box)
        assert left(box) == [".claimed/t/ants/20310510T120000.000000Z-1/net.csv"]
        (line,) = box.told
        assert "is claimed and kept, and is tried again next time: the database" in line
        passed(box, CLOSES)
        assert json.loads(report(file, "json"))["received"] == NOON.isoformat()

    def test_a_database_that_is_away_claims_nothing(self, drop, monkeypatch):
        put(drop, "net.csv", run())

        def away(_):
            raise Unavailable("the database is away")

        monkeypatch.setattr(store, "reading", away)
        with pytest.raises(Unavailable):
            passed(drop)
        assert left(drop) == ["t/ants/net.csv"]

    def test_real_kills(self, always, migrated_url):
        """Processes killed at random moments while files come in; what is left is finished."""
        words = ["inbox", str(always.folder), "--watch", "--every", "0.02", "--db", migrated_url]
        source = f"from grader.cli import main\nmain({words!r})"
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["grader.cli.inbox", "grader.inbox"])
        draw, n = random.Random(migrated_url.partition(":")[0]), 15  # noqa: S311, no secret
        for k in range(n):
            if k % 3 == 0:
                worker = context.Process(target=exec, args=(source,))
                worker.start()
            put(always, f"r{k}.csv", run(k % 9, sure=f"0.{k + 10}"))
            time.sleep(draw.uniform(0, 0.12))
            if k % 3 == 2:
                time.sleep(draw.uniform(0, 0.4))
                worker.kill()
                worker.join()
        passed(always)
        found = runs(always.engine)
        assert sorted(r.name for r in found) == sorted(f"r{k}" for k in range(n))
        told = [json.loads(p.read_text()) for p in always.folder.rglob("*.report.json")]
        assert len(told) == n
        by_name = {r.name: (r.slug, r.received.isoformat()) for r in found}
        assert {t["name"]: (t["run"], t["received"]) for t in told} == by_name
        assert len([name for name in left(always) if name.endswith(".report.txt")]) == n
        assert not [
            name
            for name in left(always)
            if name.startswith((CLAIMED, "t/ants/r")) and name.endswith(".csv")
        ]


def start(folder, url, *more):
    tool = str(Path(sys.executable).with_name("grader"))
    command = [tool, "inbox", str(folder), "--db", url, "--every", "0.05"]
    return subprocess.Popen(
        [*command, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_two_at_once_handle_each_file_once(drop, migrated_url):
    for k in range(8):
        put(drop, f"r{k}.csv", run(k), "ants" if k % 2 else "Bees")
    both = [start(drop.folder, migrated_url, "--at", NOON.isoformat()) for _ in range(2)]
    done = [process.communicate(timeout=120) for process in both]
    assert [process.returncode for process in both] == [0, 0], done
    answered = [line for out, _ in done for line in out.splitlines()]
    assert len(answered) == len(set(answered)) == len(runs(drop.engine)) == 8


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_watching_ends_with_a_signal(always, migrated_url, number, request):
    watching = start(always.folder, migrated_url, "--watch")
    request.addfinalizer(watching.kill)
    assert watching.stdout.readline().startswith("watching ")
    file = put(always, "net.csv", run())
    assert watching.stdout.readline().endswith("net.csv: 1 run taken, 0 refused\n")
    watching.send_signal(number)
    with watching:
        out, err = watching.communicate(timeout=60)
    assert (watching.returncode, out, err) == (0, "", "")
    assert json.loads(report(file, "json"))["team"] == "Ants"
