"""Folders of files: written whole or not at all, and nothing of others is touched."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.cli import main
from grader.cli._folder import LISTED, write_folder
from grader.errors import Mistake

FIRST = {"overview.json": b"{}", "one/a.csv": b"1", "one/old.csv": b"2", "gone/deep/b.csv": b"3"}
SECOND = {"overview.json": b"{2}", "one/a.csv": b"4", "two/c.csv": b"5"}


def held(folder):
    found = (p for p in folder.rglob("*") if p.is_file() and p.name != LISTED)
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in found}


@pytest.fixture
def paper(tmp_path):
    write_folder(tmp_path / "new" / "paper", FIRST, again=True)
    return tmp_path / "new" / "paper"


def test_a_new_folder_holds_the_files_and_nothing_lies_beside_it(paper):
    assert held(paper) == FIRST
    assert [p.name for p in paper.parent.iterdir()] == ["paper"]
    umask = os.umask(0)
    os.umask(umask)
    assert paper.stat().st_mode & 0o777 == 0o777 & ~umask


def test_what_an_earlier_call_wrote_goes_and_files_of_others_stay(paper):
    (paper / "one" / "mine.tex").write_bytes(b"mine")
    write_folder(paper, SECOND, again=True)
    assert held(paper) == SECOND | {"one/mine.tex": b"mine"}
    assert sorted(p.name for p in paper.iterdir()) == [LISTED, "one", "overview.json", "two"]
    write_folder(paper, {"overview.json": b"{3}"}, again=True)
    assert held(paper) == {"overview.json": b"{3}", "one/mine.tex": b"mine"}


@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize("fits", range(3))
def test_on_a_full_disk_nothing_is_changed(tmp_path, monkeypatch, fits, there):
    paper = tmp_path / "paper"
    if there:
        write_folder(paper, FIRST, again=True)
    write, done = Path.write_bytes, []

    def full(path, content):
        done.append(path)
        if len(done) > fits:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(path, content)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(Mistake, match="paper cannot be written: No space left on device"):
        write_folder(paper, SECOND, again=True)
    assert [p.name for p in tmp_path.iterdir()] == ["paper"] * there
    assert not there or held(paper) == FIRST


def test_what_a_killed_command_left_is_no_folder_of_that_name_and_goes(tmp_path):
    """It has overview.json as long as it has anything, by which a publish knows it."""
    killed = (
        "import os, pathlib, sys\n"
        "from grader.cli._folder import write_folder\n"
        "write = pathlib.Path.write_bytes\n"
        "def dies(path, content):\n"
        "    write(path, content)\n"
        "    path.name == 'a.csv' and os._exit(9)\n"
        "pathlib.Path.write_bytes = dies\n"
        "write_folder(pathlib.Path(sys.argv[1]), {'overview.json': b'', 'one/a.csv': b'1'})\n"
    )
    paper = tmp_path / "paper"
    done = subprocess.run([sys.executable, "-c", killed, str(paper)], check=False)
    assert done.returncode == 9
    (left,) = tmp_path.iterdir()
    assert left.name.startswith(".paper.")
    assert (left / "overview.json").exists()
    write_folder(paper, SECOND, again=True)
    assert [p.name for p in tmp_path.iterdir()] == ["paper"]
    assert held(paper) == SECOND


def test_a_folder_in_the_way_of_a_file_is_told_and_nothing_is_changed(paper):
    (paper / "two" / "c.csv").mkdir(parents=True)
    with pytest.raises(Mistake, match=r"c\.csv is a folder, where a file would be"):
        write_folder(paper, SECOND, again=True)
    assert held(paper) == FIRST


def test_a_folder_that_is_written_once_holds_the_files_alone(tmp_path):
    (tmp_path / "empty").mkdir()
    for name in ("empty", "new"):
        write_folder(tmp_path / name, FIRST)
        assert held(tmp_path / name) == FIRST
        assert not (tmp_path / name / LISTED).exists()


@pytest.mark.parametrize(
    ("command", "folder"), [(("init", "my"), "tasks/my"), (("task", "kit", "t"), "kit/t")]
)
def test_no_half_of_a_task_or_kit_is_left_on_a_full_disk(tmp_path, monkeypatch, command, folder):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "task.toml").write_text('title = "T"\n', encoding="utf-8")
    (tmp_path / "t" / "gold.csv").write_text("id,answer\nq1,yes\nq2,no\n", encoding="utf-8")
    write, done = Path.write_bytes, []

    def full(path, content):
        done.append(path)
        if len(done) == 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(path, content)

    monkeypatch.setattr(Path, "write_bytes", full)
    found = CliRunner().invoke(main, command)
    assert (found.exit_code, f"{folder} cannot be written: No space left" in found.stderr) == (
        2,
        True,
    )
    assert not (tmp_path / folder).exists()
    assert CliRunner().invoke(main, command).exit_code == 0
    assert len(list((tmp_path / folder).parent.iterdir())) == 1


def test_a_list_that_names_files_elsewhere_removes_none(paper):
    other = paper.parent / "other.txt"
    other.write_bytes(b"x")
    (paper / LISTED).write_text("../other.txt\n/etc/none\none/old.csv\n", encoding="utf-8")
    write_folder(paper, SECOND, again=True)
    assert other.read_bytes() == b"x"
    assert not (paper / "one" / "old.csv").exists()
