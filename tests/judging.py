"""A judged task in a database, what is sent to it, and what judges say."""

import csv
import io
from datetime import UTC, datetime

from grader import store
from grader.intake import receive
from grader.judging.known import File
from grader.model import Judge, Upload
from grader.rescore import Act
from grader.resolving import Delivery, take
from grader.tasks import parse, read_gold

NOON = datetime(2031, 5, 10, 12, tzinfo=UTC)
IDS = [f"q{i}" for i in range(6)]
TOML = """
title = "Quiz"
answers = "judged"
primary = "accuracy"
measures = ["hmr"]
abstain = ["?"]
[resampling]
resamples = 0
[judging]
"""
SALT = b"salt" * 8


def registered(engine, judging="", slug="quiz", ids=IDS, toml=TOML):
    text = f"{toml}{judging}"
    task = parse(text, slug)
    gold = read_gold(task, ("id\n" + "\n".join(ids) + "\n").encode(), "gold.csv")
    with store.unit(engine) as db:
        store.add_task(db, slug, text, gold, SALT, NOON)
        for name in ("Ants", "Bees") if not store.teams(db) else ():
            store.add_team(db, name, f"token of {name}", NOON)
    return engine


def body(answers, sure=0.5, ids=IDS):
    """A run that gives these answers, surer by a hundredth from one to the next."""
    file = io.StringIO()
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(("id", "answer", "confidence"))
    given = enumerate(zip(ids, answers, strict=True))
    rows.writerows((i, a, f"{sure + k / 100:.2f}") for k, (i, a) in given)
    return file.getvalue().encode()


def send(engine, answers, team="Ants", name="one", ids=IDS, **more):
    sent = Upload(team, name, f"{name}.csv", body(answers, ids=ids), NOON, **more)
    return receive(engine, "quiz", sent)


def labels(*rows, head="id,answer,label"):
    """A file of labels: rows of an id, an answer and a label."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    return f"{head}\n{file.getvalue()}".encode()


def said(engine, judge, *rows, why="", at=NOON, **more):
    """What a judge says, by rows of an id, an answer and a label."""
    mine = judge if isinstance(judge, Judge) else Judge(judge)
    head = more.pop("head", "id,answer,label")
    file = File(f"{mine.name}.csv", labels(*rows, head=head))
    return brought(engine, mine, file, why=why, at=at, **more)


def brought(engine, judge, *files, why="", at=NOON, **more):
    with store.unit(engine) as db:
        return take(db, "quiz", Delivery(judge, files, why=why, **more), Act(at, b"pepper" * 5))


def gold(engine, version=None):
    with store.reading(engine) as db:
        return store.gold(db, "quiz", version)[0]


def scores(engine, at=NOON):
    """Each run's value of the primary, or how far it may still go."""
    with store.reading(engine) as db:
        entries = store.snapshot(db, at, ["quiz"]).tasks[0].entries
    found = {}
    for entry in entries:
        one = next(s for s in entry.graded.scores if (s.measure, s.subset) == ("accuracy", "all"))
        found[entry.slug] = one.extremes if one.value is None else one.value
    return found
