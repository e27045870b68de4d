"""What a team says: of a run, and of a file that is to come."""

import shlex
from datetime import datetime

from grader import store
from grader.admission import Entrance, entrance
from grader.errors import Mistake
from grader.model import About, Phase, Problem
from grader.store import Connection


def describe(db: Connection, slug: str, run: str, about: About, at: datetime) -> None:
    """Keep what a team says of a run, in place of all that it said before."""
    store.describe(db, slug, run, about)
    parts = (("text", about.text), ("links", about.links), ("resources", about.resources))
    given = ", ".join(name for name, part in parts if part)
    what = f"run describe: {run} {given or 'no longer'}"
    store.log(db, slug, what, "", at, runs_named=[run])


def promise(db: Connection, slug: str, team: str, digest: str, at: datetime) -> Phase:
    """Keep the SHA-256 of a file that is to come within the grace after the close.

    returns  the phase that is open
    raises   Mistake, if none is, or it has no grace
    """
    task = store.registered(db, slug, lock=True, team=team).task
    past, name = store.past(db, slug, team), store.team(db, team).name
    found = entrance(task, at, (), past)
    if isinstance(found, Problem):
        said = f"nothing can be promised now: {found.message}"
        raise Mistake(said, mend=f"grader phase list {slug}")
    send = f"grader submit RUN --task {slug} --team {shlex.quote(name)}"
    if found == Entrance(None) or found.phase is None or found.late:
        raise Mistake(f"no phase of {slug!r} is open: nothing needs to be promised", mend=send)
    if not found.phase.grace:
        raise Mistake(f"phase {found.phase.name!r} has no grace: send the file itself", mend=send)
    if (found.phase.name, digest) not in past.committed:
        store.promise(db, slug, team, found.phase.name, digest, at)
        store.log(db, slug, f"run commit: {digest} of {name}", "", at)
    return found.phase
