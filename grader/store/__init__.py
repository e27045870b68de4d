"""The database, as functions over a connection. Nouns go in and come out; rows stay here.

``with unit(engine) as db`` is one transaction, and nothing else commits. ``reading`` is one that
only reads, everything as of one instant.
"""

from sqlalchemy import Connection, Engine

from grader.store.amendments import amend, file_version
from grader.store.campaigns import add_campaign, campaign, campaigns, set_campaign, tracks
from grader.store.disclosures import disclosures
from grader.store.disputes import add_dispute, answer_dispute
from grader.store.engine import connect, reading, sqlite_file, unit
from grader.store.erasing import addresses, erase_team, forget
from grader.store.extensions import extend, extended
from grader.store.golds import add_gold, add_task, gold
from grader.store.gradings import unanalysed
from grader.store.handouts import first_handed_out, hand_out
from grader.store.judgements import (
    add_judge,
    add_judgements,
    blinding,
    every_judgement,
    judgements,
    judges,
)
from grader.store.log import history, log, moved_since
from grader.store.marks import describe, flag, flags, is_held, unflag
from grader.store.moving import (
    Collision,
    alone_with_all,
    merge_teams,
    rename_team,
    runs_of,
    touched,
)
from grader.store.names import checked, folded, harmless, team_name
from grader.store.namings import merged, renamed
from grader.store.past import elsewhere, past, promise, refuse, refused
from grader.store.pseudonyms import pseudonym
from grader.store.registered import Registered, registered
from grader.store.releases import add_release, document, release_names, releases
from grader.store.remembering import with_past
from grader.store.revision import existing, opened, upgrade
from grader.store.runs import (
    add_grading,
    add_run,
    alike,
    first,
    namesakes,
    payload,
    uploads,
)
from grader.store.snapshot import snapshot
from grader.store.tasks import config, set_config, slugs
from grader.store.teams import add_alias, add_team, register, set_token, team, teams
from grader.store.versions import run_numbers, runs_in, standings_before, versions
from grader.store.views import stored_views
from grader.store.wording import Place, look, reword

__all__ = [
    "Collision",
    "Connection",
    "Engine",
    "Place",
    "Registered",
    "add_alias",
    "add_campaign",
    "add_dispute",
    "add_gold",
    "add_grading",
    "add_judge",
    "add_judgements",
    "add_release",
    "add_run",
    "add_task",
    "add_team",
    "addresses",
    "alike",
    "alone_with_all",
    "amend",
    "answer_dispute",
    "blinding",
    "campaign",
    "campaigns",
    "checked",
    "config",
    "connect",
    "describe",
    "disclosures",
    "document",
    "elsewhere",
    "erase_team",
    "every_judgement",
    "existing",
    "extend",
    "extended",
    "file_version",
    "first",
    "first_handed_out",
    "flag",
    "flags",
    "folded",
    "forget",
    "gold",
    "hand_out",
    "harmless",
    "history",
    "is_held",
    "judgements",
    "judges",
    "log",
    "look",
    "merge_teams",
    "merged",
    "moved_since",
    "namesakes",
    "opened",
    "past",
    "payload",
    "promise",
    "pseudonym",
    "reading",
    "refuse",
    "refused",
    "register",
    "registered",
    "release_names",
    "releases",
    "rename_team",
    "renamed",
    "reword",
    "run_numbers",
    "runs_in",
    "runs_of",
    "set_campaign",
    "set_config",
    "set_token",
    "slugs",
    "snapshot",
    "sqlite_file",
    "standings_before",
    "stored_views",
    "team",
    "team_name",
    "teams",
    "touched",
    "tracks",
    "unanalysed",
    "unflag",
    "unit",
    "upgrade",
    "uploads",
    "versions",
    "with_past",
]
