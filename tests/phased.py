"""A task with phases in a database, and what is sent to it."""

from datetime import UTC, datetime, timedelta

from conftest import AT

from grader import store
from grader.intake import receive
from grader.model import Rejected, Upload
from grader.rescore import entries
from grader.tasks import parse, read_gold

GOLD = b"id,answer,part,kind\n" + b"".join(
    f"q{i},yes,{'public' if i < 3 else 'private'},{'a' if i % 2 else 'b'}\n".encode()
    for i in range(8)
)
SECOND = timedelta(seconds=1)
OPENS, CLOSES = datetime(2031, 5, 1, tzinfo=UTC), datetime(2031, 6, 1, tzinfo=UTC)
NOON = datetime(2031, 5, 10, 12, tzinfo=UTC)


def task_text(phases, top=""):
    gold = '[gold]\nsplit = "part"\nsubsets = ["kind"]\n'
    return f'title = "T"\n{top}{gold}[resampling]\nresamples = 0\n{phases}'


def phase(name="formal", opens=OPENS, closes=CLOSES, **keys):
    given = {"name": f'"{name}"', "opens": f'"{opens.isoformat()}"'}
    given |= {"closes": f'"{closes.isoformat()}"'} | keys
    return "[[phase]]\n" + "".join(f"{k} = {v}\n" for k, v in given.items())


def registered(engine, *phases, top=""):
    text = task_text("".join(phases), top)
    task = parse(text, "t")
    with store.unit(engine) as db:
        store.add_task(db, task.slug, text, read_gold(task, GOLD, "gold.csv"), b"salt" * 8, AT)
        for name in ("Ants", "Bees"):
            store.add_team(db, name, f"token of {name}", AT)
    return engine


def run(right=8, sure="0.5", order=1):
    rows = [f"q{i},{'yes' if i < right else 'no'},{sure}" for i in range(8)][::order]
    return ("id,answer,confidence\n" + "\n".join(rows) + "\n").encode()


def send(engine, payload, at=NOON, team="Ants", name="run", **keys):
    return receive(engine, "t", Upload(team, name, "run.csv", payload, at, **keys))


def code(outcome):
    assert isinstance(outcome, Rejected)
    (problem,) = outcome.problems
    return problem.code


def runs(engine):
    with store.reading(engine) as db:
        return entries(db, "t", NOON)
