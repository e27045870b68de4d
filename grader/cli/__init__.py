"""The command line. A file with a ``command`` is one command, a folder a group of them.

Files are imported when their command is asked for, and heavy imports stay inside the commands,
so that `grader --help` starts as fast as click does.
"""

import atexit
import gc
import importlib
import pkgutil
import sys
from io import TextIOWrapper
from typing import Any, NoReturn

import click

from grader.errors import Mistake
from grader.version import __version__

# What is left when a command has ended need not be looked through for what nobody uses.
atexit.register(gc.freeze)

BUG = 70
INTERRUPTED = 130


class Folder(click.Group):
    """A group whose commands are the modules of a package; ``_`` in a name is for shared parts."""

    def __init__(self, package: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.package = package

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        path = importlib.import_module(self.package).__path__
        return sorted(m.name for m in pkgutil.iter_modules(path) if not m.name.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        found: click.Command = importlib.import_module(f"{self.package}.{cmd_name}").command
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click, with the command that was perhaps meant."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as e:
            from difflib import get_close_matches

            near = get_close_matches(args[0], self.list_commands(ctx), 1)
            hint = (
                f" Did you mean {near[0]!r}?" if near and "Did you mean" not in e.message else ""
            )
            raise click.UsageError(f"{e.message}{hint}", ctx) from e


class Main(Folder):
    """The outermost group: decides the exit code of everything that can go wrong."""

    def main(self, *args: Any, **kwargs: Any) -> NoReturn:
        kwargs["standalone_mode"] = False
        if sys.stdout is None or sys.stderr is None:
            sys.exit(2)  # nobody could be told, so nothing is done
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        try:
            code = super().main(*args, **kwargs)
            sys.stdout.flush()
        except SystemExit as e:
            # click ends with 1 when a pipe is closed, which here would say that a run is refused.
            code = 0 if type(sys.stdout).__name__ == "PacifyFlushWrapper" else e.code
        except Exception as e:  # noqa: BLE001, the outermost place
            code = _told(e)
        except KeyboardInterrupt:
            code = _told(click.Abort())
        sys.exit(code if isinstance(code, int) else 0)


def _told(error: Exception) -> int:
    """Say what went wrong; return the exit code."""
    if isinstance(error, Mistake):
        click.echo(f"grader: {error}", err=True)
    elif isinstance(error, click.ClickException):
        error.show()
    elif isinstance(error, click.Abort):
        said = "interrupted; a change is made whole or not at all: list to see"
        click.echo(f"grader: {said}", err=True)
        return INTERRUPTED
    elif isinstance(error, OSError) and error.filename is None:
        click.echo(f"grader: the answer could not be printed: {error.strerror}", err=True)
        click.echo("  what was asked may have been done: look before trying again", err=True)
    else:
        return _bug()
    return 2


def _bug() -> int:
    import traceback

    click.echo(traceback.format_exc(), err=True)
    click.echo(
        "grader: this is a bug in grader, not your mistake; a change is stored whole or not at "
        "all.\n  Please report it in the project's issue tracker, with the lines above and the "
        "output of: grader --version",
        err=True,
    )
    return BUG


@click.group(
    cls=Main,
    package="grader.cli",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="grader")
def main() -> None:
    """Run a shared task whose submissions carry confidences.

    \b
      grader demo                  a complete task, graded and published
      grader check RUN --task DIR  what is wrong with a run, before it is sent
      grader score RUN --gold G    the measures of a run, without a database
    """
