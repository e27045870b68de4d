"""grader gold replace: take over corrected labels."""

from datetime import datetime
from pathlib import Path

import click

from grader.cli._options import FILE
from grader.cli.gold._said import deciding


@click.command("replace")
@click.argument("slug")
@click.argument("file", type=FILE)
@deciding
def command(slug: str, file: Path, why: str, who: str, db: str, at: datetime, form: str) -> None:
    """Take over the labels, subsets, clusters and splits of FILE, and score every run again.

    FILE has the columns that the task names, and every id that is not dropped, in any order. Once
    runs are in no id may be new. What was dropped stays so until it is restored.

    \b
        grader gold replace digits gold.csv --why "three labels were mistyped"
    """
    from grader.cli.gold._said import made, say
    from grader.tasks import contents, read_gold
    from grader.versioning import Reason, replace_gold

    content = contents(file)
    done = made(
        db,
        at,
        lambda d, act: replace_gold(
            d, slug, lambda task: read_gold(task, content, str(file)), Reason(why, who), act
        ),
    )
    say(slug, done, "changed", form)
