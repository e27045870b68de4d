"""The tables. Types chosen to mean the same on SQLite and PostgreSQL.

A list or mapping is JSON text in ASCII: the same bytes on both databases, floats exact.
Text that is compared has a limit set where it comes in, so no index row grows too long.
"""

from grader.store.schema.campaign import (
    amendments,
    campaigns,
    disputes,
    extensions,
    handouts,
    releases,
)
from grader.store.schema.judging import judgements, judges
from grader.store.schema.kinds import METADATA
from grader.store.schema.runs import gradings, payloads, run_flags, runs, scorecards, views
from grader.store.schema.tasks import dimensions, golds, instances, log, log_runs, tasks
from grader.store.schema.teams import aliases, commitments, refusals, teams

__all__ = [
    "METADATA",
    "aliases",
    "amendments",
    "campaigns",
    "commitments",
    "dimensions",
    "disputes",
    "extensions",
    "golds",
    "gradings",
    "handouts",
    "instances",
    "judgements",
    "judges",
    "log",
    "log_runs",
    "payloads",
    "refusals",
    "releases",
    "run_flags",
    "runs",
    "scorecards",
    "tasks",
    "teams",
    "views",
]
