"""How fast the command line answers."""

import subprocess
import sys
from pathlib import Path

from side import Row, at_most


def help_text() -> Row:
    """`grader --help` against importing click alone, as whole processes."""
    grader = Path(sys.executable).parent / "grader"

    def run(*command: str | Path) -> None:
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603, our own tools

    return at_most(
        "grader --help",
        lambda: run(grader, "--help"),
        ('python -c "import click"', lambda: run(sys.executable, "-c", "import click")),
        3,
    )


ROWS = (help_text,)
