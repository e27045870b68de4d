"""Publishing: all of a site or nothing, and never a file of someone else."""

import errno
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from grader.errors import Mistake
from grader.publishing import Page, Published, known, publish, swapping, twin, writer
from grader.publishing.manifest import manifest
from grader.site import tasks_shown

OLD = {
    "index.html": b"old",
    "static/site.css": b"body {}",
    "task/index.html": b"old board",
    "task/run-1.html": b"one",
}
NEW = {**OLD, "index.html": b"new", "task/run-2.html": b"two", "task/subset/a.html": b"part"}
del NEW["task/run-1.html"]


def held(out: Path) -> dict[str, bytes]:
    """Every file in a folder, the manifest left out, hidden ones too."""
    found = (p for p in sorted(out.rglob("*")) if p.is_file() and p.name != "site.json")
    return {p.relative_to(out).as_posix(): p.read_bytes() for p in found}


@pytest.fixture(params=["at once", "by two", "in two steps", "file by file", "copied in"])
def way(request, monkeypatch):
    """The ways in which a new site takes the place of an old one, whatever this disk can do."""
    if request.param == "by two":
        monkeypatch.setattr(twin, "_MANY", 1)
    if request.param == "in two steps":
        monkeypatch.setattr(swapping, "_renameat2", lambda: None)
    if request.param == "file by file":
        monkeypatch.setattr(swapping, "may_be_swapped", lambda _: False)
    if request.param == "copied in":

        def busy(*_):
            raise OSError(errno.EBUSY, "Device or resource busy")

        monkeypatch.setattr(swapping, "_at_once", busy)
    return request.param


@pytest.fixture
def out(tmp_path):
    target = tmp_path / "site"
    assert publish(OLD.items(), target) == Published(4, 0, 0)
    assert [p.name for p in tmp_path.iterdir()] == ["site"]
    return target


def failing(monkeypatch, name, number, error):
    """Let the call of a Path's method with this number fail, and all that follow."""
    real, calls = getattr(Path, name), []

    def method(self, *args, **named):
        calls.append(self)
        if len(calls) == number:
            raise error
        return real(self, *args, **named)

    monkeypatch.setattr(Path, name, method)
    return calls


@pytest.mark.usefixtures("way")
def test_only_what_changed_is_touched(out):
    before = (out / "static/site.css").stat()
    assert publish(NEW.items(), out) == Published(3, 2, 1)
    after = (out / "static/site.css").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert held(out) == NEW
    assert publish(NEW.items(), out) == Published(0, 5, 0)
    assert json.loads((out / "site.json").read_text()) == {"files": sorted(NEW)}
    assert [p.name for p in out.parent.iterdir()] == ["site"]
    assert not [p for p in out.iterdir() if p.name.startswith(".")]


@pytest.mark.usefixtures("way")
def test_a_site_that_is_as_it_should_be_stays_where_it_is(out):
    pages = [Page(path, content, "key") for path, content in OLD.items()]
    assert publish(pages, out) == Published(0, 4, 0)  # the manifest changes
    before, entered = [p.stat() for p in (out, out / "task", out / "site.json")], []

    @contextmanager
    def noted():
        entered.append(held(out))
        yield

    assert publish(pages, out, within=noted()) == Published(0, 4, 0)
    assert entered == [OLD]
    after = [p.stat() for p in (out, out / "task", out / "site.json")]
    assert [s.st_ino for s in after] == [s.st_ino for s in before]
    assert after[2].st_mtime_ns == before[2].st_mtime_ns
    (out / "index.html").unlink()
    assert publish(pages, out) == Published(1, 3, 0)
    assert known(out) == dict.fromkeys(OLD, "key")


@pytest.mark.usefixtures("way")
def test_a_page_that_is_gone_takes_its_empty_folder_along(out):
    publish({"index.html": b"all"}.items(), out)
    assert sorted(p.name for p in out.iterdir()) == ["index.html", "site.json"]


@pytest.mark.usefixtures("way")
def test_files_of_others_are_left_alone(out):
    (out / "CNAME").write_text("boards.example")
    (out / ".htaccess").write_text("Options")
    (out / "task/notes.html").write_text("mine")
    (out / ".git/objects").mkdir(parents=True)
    (out / ".git/HEAD").write_text("ref: refs/heads/pages")
    (out / ".git/empty").mkdir()
    (out / "latest").symlink_to("task")
    (out / "nowhere").symlink_to("gone")
    before = (out / "CNAME").stat()
    assert publish({"index.html": b"new"}.items(), out) == Published(1, 0, 3)
    kept = {"index.html", "CNAME", ".htaccess", "task/notes.html", ".git/HEAD"}
    assert set(held(out)) == kept
    assert (out / ".git/empty").is_dir()
    assert (str((out / "latest").readlink()), (out / "nowhere").is_symlink()) == ("task", True)
    after = (out / "CNAME").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


@pytest.mark.parametrize("path", ["index.html", "task/index.html", "notes.txt"])
def test_a_folder_that_is_no_site_is_refused(tmp_path, path):
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_text("mine")
    with pytest.raises(Mistake, match="is no site: it holds"):
        publish(OLD.items(), tmp_path)
    assert held(tmp_path) == {path: b"mine"}


@pytest.mark.parametrize("path", ["task/run-2.html", "task/subset"])
@pytest.mark.usefixtures("way")
def test_a_file_of_someone_else_is_never_overwritten(out, path):
    (out / path).write_text("mine")
    with pytest.raises(Mistake, match="in the way"):
        publish(NEW.items(), out)
    assert held(out) == OLD | {path: b"mine"}


@pytest.mark.usefixtures("way")
def test_a_folder_in_the_place_of_a_page_is_named(out):
    (out / "index.html").unlink()
    (out / "index.html").mkdir()
    with pytest.raises(Mistake, match="is in the way: the site has a page"):
        publish(NEW.items(), out)
    assert held(out) == {path: page for path, page in OLD.items() if path != "index.html"}


@pytest.mark.parametrize("name", ["CNAME", ".nojekyll", ".git", "robots.txt"])
def test_a_fresh_web_root_may_hold_a_site(tmp_path, name):
    (tmp_path / name).write_text("boards.example")
    assert publish(OLD.items(), tmp_path) == Published(4, 0, 0)
    assert held(tmp_path) == OLD | {name: b"boards.example"}


def test_a_folder_keeps_its_mode_and_a_link_to_it_its_target(out):
    out.chmod(0o750)
    (out / "task").chmod(0o2755)
    (out.parent / "www").symlink_to("site")
    publish(NEW.items(), out.parent / "www")
    assert held(out) == NEW
    assert (out.parent / "www").is_symlink()
    assert [oct(p.stat().st_mode & 0o7777) for p in (out, out / "task")] == ["0o750", "0o2755"]


def test_a_reader_sees_the_old_site_or_the_new_one(out, monkeypatch):
    seen = []

    def watched(method):
        def called(self, *args, **named):
            seen.append(held(out))
            done = method(self, *args, **named)
            seen.append(held(out))
            return done

        return called

    for name in ("write_bytes", "rename", "replace", "unlink", "mkdir"):
        monkeypatch.setattr(Path, name, watched(getattr(Path, name)))
    for name in ("link", "unlink", "rmdir"):
        monkeypatch.setattr(os, name, watched(getattr(os, name)))
    real = swapping.exchange
    monkeypatch.setattr(swapping, "exchange", lambda *of: watched(lambda _: real(*of))(0))
    publish(NEW.items(), out)
    assert [state for state in seen if state not in (OLD, NEW)] == []
    assert (seen[0], seen[-1], len(seen) > 10) == (OLD, NEW, True)


@pytest.mark.parametrize("file", ["task.toml", "gold.csv", "gold.jsonl", "grader.db"])
@pytest.mark.parametrize("folder", ["", "digits", "tasks/digits"])
@pytest.mark.parametrize("published", [False, True])
def test_no_page_is_put_beside_what_teams_must_not_see(tmp_path, folder, file, published):
    if published:
        publish(OLD.items(), tmp_path)
    (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    (tmp_path / folder / file).write_text("mine")
    before = held(tmp_path)
    with pytest.raises(Mistake, match=f"{file} would be served"):
        publish(NEW.items(), tmp_path)
    assert held(tmp_path) == before


def test_a_kit_may_be_served_beside_the_pages(out):
    (out / "kit/digits").mkdir(parents=True)
    for name in ("task.toml", "ids.csv"):
        (out / "kit/digits" / name).write_text("for participants")
    assert publish(NEW.items(), out) == Published(3, 2, 1)
    (out / "kit/digits/gold.csv").write_text("id,answer")
    with pytest.raises(Mistake, match=r"gold\.csv would be served"):
        publish(OLD.items(), out)


@pytest.mark.parametrize("number", [1, 2, 3])
@pytest.mark.usefixtures("way")
def test_a_full_disk_leaves_the_old_site_whole(out, monkeypatch, number):
    full = OSError(errno.ENOSPC, "No space left on device")
    failing(monkeypatch, "write_bytes", number, full)
    with pytest.raises(Mistake, match="No space left on device"):
        publish(NEW.items(), out)
    assert held(out) == OLD
    assert not list(out.glob(".publishing-*"))
    assert [p.name for p in out.parent.iterdir()] == ["site"]


@pytest.mark.parametrize("error", [OSError(errno.EIO, "Input/output error"), KeyboardInterrupt()])
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_a_move_that_fails_midway_is_undone(out, monkeypatch, number, error):
    monkeypatch.setattr(swapping, "may_be_swapped", lambda _: False)
    calls = failing(monkeypatch, "replace", number, error)
    with pytest.raises((Mistake, KeyboardInterrupt)):
        publish(NEW.items(), out)
    assert len(calls) >= number
    assert held(out) == OLD
    monkeypatch.undo()
    assert publish(NEW.items(), out) == Published(3, 2, 1)
    assert held(out) == NEW


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_swap_in_steps_that_fails_midway_is_undone(out, monkeypatch, number):
    monkeypatch.setattr(swapping, "_renameat2", lambda: None)
    calls = failing(monkeypatch, "rename", number, OSError(errno.EIO, "Input/output error"))
    with pytest.raises(Mistake, match="Input/output error"):
        publish(NEW.items(), out)
    assert len(calls) >= number
    assert held(out) == OLD
    monkeypatch.undo()
    assert publish(NEW.items(), out) == Published(3, 2, 1)
    assert held(out) == NEW


def test_what_fails_while_the_site_is_put_in_place_is_undone(out, way):
    @contextmanager
    def kept():
        yield
        raise RuntimeError("the database is gone")

    with pytest.raises(RuntimeError):
        publish(NEW.items(), out, within=kept())
    assert held(out) == (NEW if way in {"file by file", "copied in"} else OLD)


def test_a_removal_that_fails_is_undone(out, monkeypatch):
    monkeypatch.setattr(swapping, "may_be_swapped", lambda _: False)
    failing(monkeypatch, "unlink", 1, OSError(errno.EPERM, "Operation not permitted"))
    with pytest.raises(Mistake):
        publish(NEW.items(), out)
    assert held(out) == OLD


def run(program: str, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program, *args], capture_output=True, check=False, text=True
    )


def test_a_file_that_really_cannot_be_written_leaves_the_old_site_whole(out):
    program = (
        "import resource, sys; from pathlib import Path\n"
        "from grader.publishing import publish; from grader.errors import Mistake\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "try: publish([('index.html', b'new'), ('big.html', b'x' * 9999)], Path(sys.argv[1]))\n"
        "except Mistake as e: print(e)"
    )
    said = run(program, str(out))
    assert "cannot be written" in said.stdout, said.stderr
    assert held(out) == OLD


@pytest.mark.skipif(sys.platform != "linux", reason="prctl is Linux's")
def test_an_old_site_with_a_folder_that_nobody_may_write_to_is_removed_whole(out):
    program = (
        "import ctypes, sys; from pathlib import Path\n"
        "for capability in (1, 2):\n"  # file modes bind root too, after the next exec
        "    ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)\n"
        "import subprocess; subprocess.run([sys.executable, '-c', sys.argv[2], sys.argv[1]])"
    )
    publishing = (
        "import sys; from pathlib import Path; from grader.publishing import publish\n"
        "publish([('index.html', b'new'), ('task/run-1.html', b'one')], Path(sys.argv[1]))"
    )
    (out / "mine").mkdir()
    (out / "mine/notes.txt").write_text("kept")
    (out / "mine").chmod(0o555)
    said = run(program, str(out), publishing)
    assert held(out)["index.html"] == b"new", said.stderr
    assert (out / "mine").stat().st_mode & 0o777 == 0o555
    assert [p.name for p in out.parent.iterdir()] == ["site"]
    (out / "mine").chmod(0o755)


KILLED = """
import os, sys
from pathlib import Path
from grader.publishing import publish, swapping

number, how, name = int(sys.argv[2]), *sys.argv[3:]
owner = os if name in {'link', 'unlink'} else Path
real, calls = getattr(owner, name), []

def killed(*args, **named):
    calls.append(1)
    if len(calls) == number: os._exit(9)
    return real(*args, **named)

if how == 'two': swapping._renameat2 = lambda: None
if how == 'files': swapping.may_be_swapped = lambda _: False
setattr(owner, name, killed)
pages = [('index.html', b'half'), ('task/run-9.html', b'9'), ('static/site.css', b'body {}')]
publish(pages, Path(sys.argv[1]))
"""
HALF = {"index.html": b"half", "task/run-9.html": b"9", "static/site.css": b"body {}"}


@pytest.mark.parametrize(
    ("how", "name", "number"),
    [
        ("once", "write_bytes", 1),
        ("once", "write_bytes", 3),
        ("once", "link", 1),
        ("once", "unlink", 1),
        ("once", "unlink", 4),
        ("two", "rename", 1),
        ("two", "rename", 2),
        ("two", "rename", 3),
        ("files", "replace", 1),
        ("files", "replace", 3),
    ],
)
def test_a_killed_publish_leaves_a_whole_site_and_the_next_one_cleans_up(out, how, name, number):
    assert run(KILLED, str(out), str(number), how, name).returncode == 9
    if how == "once":
        assert held(out) == (HALF if number == 4 else OLD)
    left = [p for p in (*out.parent.iterdir(), *out.glob(".*")) if "publishing-" in p.name]
    assert left
    if (how, number) == ("two", 2):  # the one moment in which there is none
        assert not out.exists()
        with pytest.raises(RuntimeError):  # what was moved aside is there again, whatever follows
            publish(bug(), out)
        assert held(out) == OLD
    if (how, number) == ("two", 3):
        assert held(out) == HALF
    publish(NEW.items(), out)
    assert held(out) == NEW
    assert [p.name for p in out.parent.iterdir()] == ["site"]


def test_what_others_put_there_while_the_new_site_is_completed_stays(out, monkeypatch):
    real = writer.complete

    def beside(*given):
        real(*given)
        (out / "notes").mkdir()
        (out / "notes/late.txt").write_bytes(b"mine")
        (out / "task/run-2.html").write_bytes(b"mine, too")  # a page comes there: it wins
        (out / "later").symlink_to("notes")

    monkeypatch.setattr(writer, "complete", beside)
    assert publish(NEW.items(), out) == Published(3, 2, 1)
    assert held(out) == NEW | {"notes/late.txt": b"mine"}
    assert (out / "later").readlink() == Path("notes")
    assert [p.name for p in out.parent.iterdir()] == ["site"]


def test_a_helper_that_was_killed_leaves_the_old_site_whole(out, monkeypatch):
    def killed(*_):
        if os.getpid() != mine:
            os.kill(os.getpid(), signal.SIGKILL)

    mine = os.getpid()
    monkeypatch.setattr(twin, "_MANY", 1)
    monkeypatch.setattr(os, "link", killed)
    with pytest.raises(Mistake, match="a process that helped was killed"):
        publish(NEW.items(), out)
    assert held(out) == OLD
    assert [p.name for p in out.parent.iterdir()] == ["site"]


@pytest.mark.parametrize("helped", [False, True])
def test_no_half_copy_stays_of_a_full_disk(out, monkeypatch, helped):
    """A disk without second names; full for the one that begins, helper or not."""
    real, mine, tried = shutil.copy2, os.getpid(), []

    def full(of, to):
        if os.getpid() == mine and tried:
            return real(of, to)
        tried.append(to)
        Path(to).write_bytes(b"ha")
        raise OSError(errno.ENOSPC, "No space left on device")

    def without(*_):
        raise OSError(errno.EPERM, "Operation not permitted")

    if helped:
        monkeypatch.setattr(twin, "_MANY", 1)
        tried.append("by the helper")
    monkeypatch.setattr(os, "link", without)
    monkeypatch.setattr(shutil, "copy2", full)
    assert publish(NEW.items(), out) == Published(3, 2, 1)
    assert held(out) == NEW


def bug():
    yield "index.html", b"new"
    raise RuntimeError("a bug")


@pytest.mark.usefixtures("way")
def test_a_bug_while_pages_are_made_changes_nothing(out):
    with pytest.raises(RuntimeError):
        publish(bug(), out)
    assert held(out) == OLD


@pytest.mark.usefixtures("way")
def test_a_first_publish_that_fails_leaves_no_folder(tmp_path):
    (tmp_path / "mine").mkdir()
    for out in (tmp_path / "site", tmp_path / "mine"):
        with pytest.raises(RuntimeError):
            publish(bug(), out)
    assert [p.name for p in tmp_path.iterdir()] == ["mine"]
    assert not list((tmp_path / "mine").iterdir())


def test_a_first_publish_that_fails_leaves_no_folder_above_the_site(tmp_path):
    (tmp_path / "www").mkdir()
    with pytest.raises(RuntimeError):
        publish(bug(), tmp_path / "www/task/site")
    assert not list((tmp_path / "www").iterdir())


def test_who_is_told_to_wait_does_not_take_the_new_folder_from_the_other(tmp_path, monkeypatch):
    """Of two first publishes at once: the other has just made the folder, and begins."""
    real, target = Path.mkdir, tmp_path / "site"

    def other(path, *args, **named):
        real(path, *args, **named)
        monkeypatch.undo()
        fcntl.flock(os.open(path, os.O_RDONLY), fcntl.LOCK_EX)

    monkeypatch.setattr(Path, "mkdir", other)
    with pytest.raises(Mistake, match="another publish"):
        publish(NEW.items(), target)
    assert target.is_dir()


def test_a_file_where_the_folder_should_be_is_a_mistake(tmp_path):
    (tmp_path / "file").write_text("x")
    for target in (tmp_path / "file", tmp_path / "file" / "site"):
        with pytest.raises(Mistake, match="cannot be written"):
            publish(OLD.items(), target)


def test_a_read_only_folder_is_a_mistake(out, monkeypatch):
    def refused(**_):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("grader.publishing.staging.mkdtemp", refused)
    with pytest.raises(Mistake, match="Read-only file system") as e:
        publish(NEW.items(), out)
    assert "unchanged" in str(e.value)
    assert held(out) == OLD


@pytest.mark.parametrize(
    "files",
    [["../outside"], ["/etc/passwd"], ["a/../../outside"], ["a//b"], [".hidden"], [1], "x", None],
)
def test_a_manifest_that_leads_outside_is_refused(out, files):
    outside = out.parent / "outside"
    outside.write_text("keep")
    (out / "site.json").write_text(json.dumps({"files": files}))
    with pytest.raises(Mistake, match=r"site\.json"):
        publish(NEW.items(), out)
    assert outside.read_text() == "keep"
    assert held(out) == OLD


@pytest.mark.parametrize("content", ["", "[]", "{", '{"name": "a web app"}', "[" * 200_000])
def test_a_manifest_of_another_program_is_refused(tmp_path, content):
    (tmp_path / "site.json").write_text(content)
    with pytest.raises(Mistake, match="not the list"):
        publish(OLD.items(), tmp_path)
    assert (tmp_path / "site.json").read_text() == content


@pytest.mark.usefixtures("way")
def test_nothing_is_written_or_removed_through_a_link(out, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    (out / "task").rename(elsewhere)
    (out / "task").symlink_to(elsewhere)
    publish({"index.html": b"new"}.items(), out)
    assert (elsewhere / "run-1.html").read_bytes() == b"one"
    with pytest.raises(Mistake, match="outside"):
        publish(NEW.items(), out)
    assert not (elsewhere / "run-2.html").exists()


def test_a_second_publish_at_the_same_time_is_told_to_wait(out):
    folder = os.open(out, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    with pytest.raises(Mistake, match="another publish"):
        publish(NEW.items(), out)
    os.close(folder)
    assert held(out) == OLD


def test_a_page_that_is_kept_is_of_the_same_key_or_a_bug(out):
    pages = [Page("a.html", b"a", "key"), Page("b.html", b"b")]
    assert publish(pages, out) == Published(2, 0, 4)
    assert known(out) == {"a.html": "key"}
    again = [Page("a.html", None, "key"), Page("b.html", b"c")]
    assert publish(again, out) == Published(1, 1, 0)
    assert held(out) == {"a.html": b"a", "b.html": b"c"}
    for wrong in (Page("a.html", None, "other"), Page("b.html", None, ""), Page("c.html", None)):
        with pytest.raises(ValueError, match="never made"):
            publish([wrong], out)
    (out / "a.html").write_text("by hand")
    assert known(out) == {}
    assert publish([Page("a.html", b"a", "key"), ("b.html", b"c")], out) == Published(1, 1, 0)
    (out / "a.html").unlink()
    assert known(out) == {}


def test_a_page_that_is_taken_away_while_others_are_made_is_a_mistake(out):
    publish([Page("a.html", b"a", "key")], out)
    (out / "a.html").unlink()
    with pytest.raises(Mistake, match="was taken away"):
        publish([Page("a.html", None, "key")], out)
    assert publish([Page("a.html", b"a", "key")], out) == Published(1, 0, 0)


def test_no_empty_folder_stands_for_pages_that_were_removed_by_hand(out):
    shutil.rmtree(out / "task")
    publish([("index.html", b"new")], out)
    assert sorted(p.name for p in out.iterdir()) == ["index.html", "site.json"]


@pytest.mark.parametrize(
    "found", [[], {"a.html": "key"}, {"a.html": [1, 2]}, {"b.html": ["k", "s"]}]
)
def test_keys_that_are_none_are_not_believed(out, found):
    publish([Page("a.html", b"a", "key")], out)
    read = json.loads((out / "site.json").read_text())
    (out / "site.json").write_text(json.dumps(read | {"made": found}))
    assert known(out) == {}
    assert publish(NEW.items(), out).removed == 1


@pytest.mark.parametrize(
    "path", ["../x", "/x", "a/./b", "", "site.json", ".publishing-1/x", "a\\b"]
)
def test_an_address_that_leaves_the_folder_is_a_bug(tmp_path, path):
    with pytest.raises(ValueError, match="address"):
        publish([(path, b"")], tmp_path)


def test_an_address_that_two_pages_share_is_a_bug(tmp_path):
    with pytest.raises(ValueError, match="address"):
        publish([("a.html", b"1"), ("a.html", b"2")], tmp_path)


def test_a_team_or_a_campaign_called_index_is_no_task(out):
    more = {"team/index.html": b"a team", "campaign/index.html": b"a campaign"}
    publish((OLD | more).items(), out)
    assert tasks_shown(manifest(out).paths) == {"task"}


def test_many_files_of_an_old_site_are_removed_and_nothing_behind_a_link(out, tmp_path):
    many = {f"{'deep/' * (i % 3)}{i}.html": b"%d" % i for i in range(200)}
    publish(many.items(), out)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "gold").write_text("mine")
    (out / "deep/latest").symlink_to(elsewhere)
    (out / "deep/deep/empty").mkdir()
    assert publish(OLD.items(), out) == Published(4, 0, 200)
    assert (elsewhere / "gold").read_text() == "mine"
    assert (out / "deep/latest").is_symlink()
    assert held(out) == OLD
    assert sorted(p.name for p in tmp_path.iterdir()) == ["elsewhere", "site"]


@pytest.mark.usefixtures("way")
def test_a_folder_of_someone_else_that_may_not_be_read_is_not_lost(out, monkeypatch):
    (out / "lost+found").mkdir()
    real = os.scandir

    def closed(path="."):
        if str(path).endswith("lost+found"):
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(path)

    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", closed)
        with suppress(Mistake):  # where all have to be moved
            publish(NEW.items(), out)
    assert (out / "lost+found").is_dir()
    assert held(out) in (OLD, NEW)
