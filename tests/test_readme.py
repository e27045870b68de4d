"""The README is run: every console block, in order, must print what it shows."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.cli import main
from grader.cli._options import KEYS as OPTIONS
from grader.measures import MEASURES
from grader.tasks import KEYS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
# The tool alone, with words in which there is nothing for a shell to do but to take quotes off.
PLAIN = re.compile(r'grader(?: +(?:[\w./:=,@-]|"[^"$`\\!]*")+)+')


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
def folder(tmp_path, monkeypatch):
    """A checkout as the reader has it, but with a database and a site of its own."""
    (tmp_path / "tasks").mkdir()
    for name in ("digits", "quiz"):
        (tmp_path / "tasks" / name).symlink_to(ROOT / "tasks" / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.delenv("GRADER_DB", raising=False)
    return tmp_path


def printed(command):
    """What a command prints on each of its two streams.

    A plain one of the tool runs in this process: most take less time than starting one. What it
    prints goes into what the shell has behind the first bar.
    """
    tool, _, rest = command.partition(" | ")
    if PLAIN.fullmatch(tool) is None:
        return shell(command, "")
    done = CliRunner(catch_exceptions=False).invoke(main, shlex.split(tool)[1:])
    out, errors = shell(rest, done.stdout) if rest else (done.stdout, "")
    return out, done.stderr + errors


def shell(command, given):
    done = subprocess.run(
        ["bash", "-c", command], input=given, capture_output=True, text=True, check=False
    )
    return done.stdout, done.stderr


def test_every_console_block_prints_what_it_shows(folder):
    ran = 0
    for command, shown in steps():
        out, errors = printed(command)
        assert matches(shown, out), f"$ {command}\n{out}{errors}"
        assert not errors
        ran += 1
    assert ran == README.count("\n$ ") >= 9


def test_what_is_plain_is_what_a_shell_leaves_alone():
    commands = [command for command, _ in steps()]
    plain = [c for c in commands if PLAIN.fullmatch(c.partition(" | ")[0])]
    assert len(commands) > len(plain) > len(commands) / 2
    for command in plain:
        tool = command.partition(" | ")[0]
        words, errors = shell(f"printf '%s\\n' {tool}", "")
        assert (words.splitlines(), errors) == (shlex.split(tool), "")


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
