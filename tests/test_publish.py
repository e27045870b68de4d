"""Publishing: all of a site or nothing, and never a file of someone else."""

import errno
import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.errors import Mistake
from grader.site import Published, publish

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


@pytest.fixture
def out(tmp_path):
    target = tmp_path / "site"
    assert publish(OLD.items(), target) == Published(4, 0, 0)
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


def test_only_what_changed_is_touched(out):
    before = (out / "static/site.css").stat()
    assert publish(NEW.items(), out) == Published(3, 2, 1)
    after = (out / "static/site.css").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert held(out) == NEW
    assert publish(NEW.items(), out) == Published(0, 5, 0)
    assert json.loads((out / "site.json").read_text()) == {"files": sorted(NEW)}


def test_a_page_that_is_gone_takes_its_empty_folder_along(out):
    publish({"index.html": b"all"}.items(), out)
    assert sorted(p.name for p in out.iterdir()) == ["index.html", "site.json"]


def test_files_of_others_are_left_alone(out):
    (out / "CNAME").write_text("boards.example")
    (out / ".htaccess").write_text("Options")
    (out / "task/notes.html").write_text("mine")
    assert publish({"index.html": b"new"}.items(), out) == Published(1, 0, 3)
    assert set(held(out)) == {"index.html", "CNAME", ".htaccess", "task/notes.html"}


@pytest.mark.parametrize("path", ["index.html", "task/index.html"])
def test_a_file_of_someone_else_is_never_overwritten(tmp_path, path):
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_text("mine")
    with pytest.raises(Mistake, match="in the way"):
        publish(OLD.items(), tmp_path)
    assert held(tmp_path) == {path: b"mine"}


def test_a_folder_with_other_files_may_hold_a_site(tmp_path):
    (tmp_path / "CNAME").write_text("boards.example")
    assert publish(OLD.items(), tmp_path) == Published(4, 0, 0)


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
def test_a_full_disk_leaves_the_old_site_whole(out, monkeypatch, number):
    full = OSError(errno.ENOSPC, "No space left on device")
    failing(monkeypatch, "write_bytes", number, full)
    with pytest.raises(Mistake, match="No space left on device"):
        publish(NEW.items(), out)
    assert held(out) == OLD
    assert not list(out.glob(".publishing-*"))


@pytest.mark.parametrize("error", [OSError(errno.EIO, "Input/output error"), KeyboardInterrupt()])
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_a_move_that_fails_midway_is_undone(out, monkeypatch, number, error):
    calls = failing(monkeypatch, "replace", number, error)
    with pytest.raises((Mistake, KeyboardInterrupt)):
        publish(NEW.items(), out)
    assert len(calls) >= number
    assert held(out) == OLD
    monkeypatch.undo()
    assert publish(NEW.items(), out) == Published(3, 2, 1)
    assert held(out) == NEW


def test_a_removal_that_fails_is_undone(out, monkeypatch):
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
        "from grader.site import publish; from grader.errors import Mistake\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "try: publish([('index.html', b'new'), ('big.html', b'x' * 9999)], Path(sys.argv[1]))\n"
        "except Mistake as e: print(e)"
    )
    said = run(program, str(out))
    assert "cannot be written" in said.stdout, said.stderr
    assert held(out) == OLD


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_what_a_killed_publish_left_is_cleaned_up(out, number):
    program = (
        "import os, sys; from pathlib import Path; from grader.site import publish\n"
        "real, calls = Path.replace, []\n"
        "def killed(self, target):\n"
        "    calls.append(1)\n"
        f"    if len(calls) == {number}: os._exit(9)\n"
        "    return real(self, target)\n"
        "Path.replace = killed\n"
        "publish([('index.html', b'half'), ('task/run-9.html', b'9'), ('a.html', b'a')],"
        " Path(sys.argv[1]))"
    )
    assert run(program, str(out)).returncode == 9
    assert list(out.glob(".publishing-*"))
    publish(NEW.items(), out)
    assert held(out) == NEW


def test_a_bug_while_pages_are_made_changes_nothing(out):
    def pages():
        yield "index.html", b"new"
        raise RuntimeError("a bug")

    with pytest.raises(RuntimeError):
        publish(pages(), out)
    assert held(out) == OLD


def test_a_file_where_the_folder_should_be_is_a_mistake(tmp_path):
    (tmp_path / "file").write_text("x")
    for target in (tmp_path / "file", tmp_path / "file" / "site"):
        with pytest.raises(Mistake, match="cannot be written"):
            publish(OLD.items(), target)


def test_a_file_where_a_folder_of_the_site_should_be_is_a_mistake(tmp_path):
    (tmp_path / "task").write_text("mine")
    with pytest.raises(Mistake):
        publish(OLD.items(), tmp_path)
    assert held(tmp_path) == {"task": b"mine"}


def test_a_read_only_folder_is_a_mistake(out, monkeypatch):
    def refused(**_):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("grader.site.publishing.mkdtemp", refused)
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


@pytest.mark.parametrize("content", ["", "[]", "{", '{"name": "a web app"}'])
def test_a_manifest_of_another_program_is_refused(tmp_path, content):
    (tmp_path / "site.json").write_text(content)
    with pytest.raises(Mistake, match="not the list"):
        publish(OLD.items(), tmp_path)
    assert (tmp_path / "site.json").read_text() == content


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


@pytest.mark.parametrize(
    "path", ["../x", "/x", "a/./b", "", "site.json", ".publishing-1/x", "a\\b"]
)
def test_an_address_that_leaves_the_folder_is_a_bug(tmp_path, path):
    with pytest.raises(ValueError, match="address"):
        publish([(path, b"")], tmp_path)


def test_an_address_that_two_pages_share_is_a_bug(tmp_path):
    with pytest.raises(ValueError, match="address"):
        publish([("a.html", b"1"), ("a.html", b"2")], tmp_path)
