"""The README is run: every console block, in order, must print what it shows."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from grader.cli._options import KEYS as OPTIONS
from grader.measures import MEASURES
from grader.tasks import KEYS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def steps():
    for block in CONSOLE.findall(README):
        for step in block.strip().removeprefix("$ ").split("\n$ "):
            command, _, shown = step.partition("\n")
            yield command, shown


def matches(shown, printed):
    """Whether the output is what is shown, where … stands for anything on one line."""
    pattern = re.escape(shown.strip()).replace("…", "[^\n]*")
    return re.fullmatch(pattern, printed.strip()) is not None


@pytest.fixture
def folder(tmp_path):
    """A checkout as the reader has it, but with a database and a site of its own."""
    (tmp_path / "tasks").mkdir()
    for name in ("digits", "quiz"):
        (tmp_path / "tasks" / name).symlink_to(ROOT / "tasks" / name)
    return tmp_path


def test_every_console_block_prints_what_it_shows(folder):
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    env.pop("GRADER_DB", None)
    ran = 0
    for command, shown in steps():
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert matches(shown, done.stdout), f"$ {command}\n{done.stdout}{done.stderr}"
        assert not done.stderr
        ran += 1
    assert ran == README.count("\n$ ") >= 9


def test_a_shown_line_that_differs_is_noticed():
    assert matches("a …\nb", "a 1 2\nb\n")
    assert not matches("a …\nb", "a 1\nc\nb\n")
    assert not matches("0.428571", "0.428572")


def test_the_tables_are_those_of_the_code():
    for key, what in KEYS.items():
        assert f"| `{key}` | {what} |".replace("|", "") in README.replace("\\|", "").replace(
            "|", ""
        )
    for measure in MEASURES.values():
        assert measure.about.replace("|", "\\|") in README


def test_the_options_in_place_of_a_task_file_are_listed():
    """The sentence names all of them and no other, and each is a key of a task file."""
    said = re.search(
        r"`grader score` and `grader check` take ([^;]*), where", " ".join(README.split())
    )
    listed = re.findall("`--([a-z]+)`", said[1])
    assert sorted(listed) == sorted(key for key, _ in OPTIONS)
    assert set(listed) <= {key.rpartition(".")[2] for key in KEYS}


def test_ci_runs_the_command_of_the_readme():
    command = next(line for line in README.splitlines() if line.endswith("-m pytest"))
    assert command in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_every_relative_link_leads_to_a_file():
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
