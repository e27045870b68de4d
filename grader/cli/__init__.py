"""The command line. A file with a ``command`` is one command, a folder a group of them.

Files are imported when their command is asked for, and heavy imports stay inside the commands,
so that `grader --help` starts as fast as click does.
"""

import importlib
import pkgutil
import sys
from typing import Any, NoReturn

import click

from grader import __version__
from grader.errors import Mistake

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
        try:
            code = super().main(*args, **kwargs)
        except Mistake as e:
            click.echo(f"grader: {e}", err=True)
            code = 2
        except click.ClickException as e:
            e.show()
            code = 2
        except (click.Abort, KeyboardInterrupt):
            click.echo("grader: interrupted", err=True)
            code = INTERRUPTED
        except BrokenPipeError:
            sys.stderr.close()  # nobody reads on; Python would complain at exit
            code = 0
        except Exception:  # noqa: BLE001, the outermost place
            code = _bug()
        sys.exit(code if isinstance(code, int) else 0)


def _bug() -> int:
    import traceback

    click.echo(traceback.format_exc(), err=True)
    click.echo(
        "grader: this is a bug in grader, not your mistake; nothing was stored by this command.\n"
        "  Please report it in the project's issue tracker, with the lines above and the output "
        "of: grader --version",
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
