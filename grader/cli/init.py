"""grader init: a task to start from."""

from pathlib import Path

import click

_TASK = '''\
# A task: grader task add tasks/{slug}
title = "{slug}"
# description = """            # stands above the board: **Markdown**
# What is asked, where the data comes from, how to take part.
# """

primary = "hmr"                # orders the board; accuracy and Brier always stand beside it
measures = ["r_o", "r_u", "ece@10", "bias", "auroc", "nll"]

answers = "exact"              # or "normalised", "choice" (and labels), "numeric" (and tolerance)
# labels = ["yes", "no"]
# abstain = ["I don't know"]   # declines to answer: counts as wrong, and is counted
# kind = "interval"            # gold is a number, a run gives lower and upper; primary: iscore
confidence = "probability"     # 0 to 1; "percent" is 0 to 100
missing = "reject"             # or "worst" (wrong at confidence 1), "leave-out"

[gold]
file = "gold.csv"
id = "id"                      # or several columns: ["exam", "question"]
answer = "answer"
subsets = ["subset"]           # or {{ name = "level", values = ["easy", "hard"] }}
# separator = "|"              # several accepted answers in one cell

# [run]
# format = "csv"               # the only one taken, or "tsv", "jsonl", "ac", …; else any

[ranking]
rule = "all"                   # or "best" of each team, or the run each team names "primary"
digits = 3

# [[phase]]                    # without phases runs are taken at any time
# name = "formal"
# opens = "2027-05-01 AoE"     # or "2027-05-01T12:00Z"
# closes = "2027-05-31 AoE"    # open to the last second of that day, anywhere on Earth
# runs = 5                     # of a team in all; per_day = 2
# visible = "own"              # who sees scores before reveal: "none", "own", "teams", "public"
# reveal = "2027-06-15 AoE"
# late = "unofficial"          # taken after the close, not ranked; else refused
# grace = 60                   # minutes longer for files whose SHA-256 was promised
'''
_GOLD = "id,answer,subset\nq1,Paris,easy\nq2,Rome,easy\nq3,Canberra,hard\nq4,Ottawa,hard\n"
_RUN = "id,answer,confidence\nq1,Paris,0.95\nq2,Rome,0.9\nq3,Sydney,0.7\nq4,Ottawa,0.4\n"


@click.command("init")
@click.argument("slug", default="my-task")
def command(slug: str) -> None:
    """Make tasks/SLUG: a commented task.toml, a small gold, and a sample run to replace.

    \b
        grader init my-task
    """
    from grader.cli._folder import write_folder
    from grader.errors import Mistake
    from grader.tasks import slug_of

    folder = Path("tasks") / slug
    if slug_of(folder) != slug:
        raise Mistake(f"{slug!r} is no plain name", mend=f"grader init {slug_of(folder)}")
    if folder.exists():
        raise Mistake(f"{folder} exists already", mend="grader init another-name")
    texts = {"task.toml": _TASK.format(slug=slug), "gold.csv": _GOLD, "sample-run.csv": _RUN}
    write_folder(folder, {name: text.encode() for name, text in texts.items()})
    click.echo(f"""{folder} holds task.toml, gold.csv and sample-run.csv. Next:
  grader check {folder}/sample-run.csv --task {folder}
  grader task add {folder}
  grader team add "My team"
  grader submit {folder}/sample-run.csv --task {slug} --team "My team"
  grader publish site""")
