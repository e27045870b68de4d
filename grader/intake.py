"""What happens to an upload, whichever door it came by."""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from traceback import format_exc

from grader import store
from grader.errors import Mistake
from grader.grade import grade
from grader.model import Flag, Graded, Notice, Receipt, Rejected, Upload
from grader.scoring import settings
from grader.store import Connection, Engine, Registered

TRIES = 5  # times a gold version may change while one run is graded


def receive(engine: Engine, slug: str, upload: Upload) -> Receipt | Rejected:
    """Grade an upload and keep it, or say everything that is wrong with it.

    Grading ends before the transaction opens; the transaction checks that the task and its
    gold are still those that were graded against. If the scorer breaks, the run is held.

    raises  Mistake, for an unknown task or team or an impossible name
    """
    for _ in range(TRIES):
        with store.reading(engine) as db:
            at = store.registered(db, slug)
            store.team(db, upload.team)
        graded = _graded(at, upload)
        if isinstance(graded, Rejected):
            return graded
        with store.unit(engine) as db:
            now = store.registered(db, slug, lock=True)
            if (now.config, now.label) == (at.config, at.label):
                return _kept(db, at, upload, graded)
    raise Mistake(f"the task {slug!r} is being changed; the run was not stored: try again")


def _graded(at: Registered, upload: Upload) -> Graded | Rejected | str:
    """The grading; if the scorer broke, the traceback: the run is held, and the bug is told."""
    try:
        return grade(at.task, at.gold, upload.payload)
    except Exception:  # noqa: BLE001, the sender's bytes are worth more than our bug
        return format_exc()


def _kept(db: Connection, at: Registered, upload: Upload, found: Graded | str) -> Receipt:
    digest = sha256(upload.payload).hexdigest()
    slug, graded = at.task.slug, found if isinstance(found, Graded) else None
    tail = settings(at.task, at.label, digest)
    team = store.team(db, upload.team).name
    mine = [name for other, name in store.named(db, slug, digest) if other == team]
    run, new = store.add_run(db, slug, upload, graded, tail, at.gold.version)
    first = upload if new else store.payload(db, slug, run)
    if not new and store.is_held(db, slug, run):
        graded = None
    notices = [Notice("same-bytes", f"the same bytes as your run {n!r}") for n in mine if new]
    notices += [] if new else _before(store.flags(db, slug, run), upload)
    return Receipt(
        task=slug,
        team=team,
        name=first.name,
        run=run,
        phase=upload.phase,
        received=first.received,
        sha256=digest,
        graded=graded,
        settings=tail,
        digits=at.task.ranking.digits,
        notices=(*(graded.notices if graded else ()), *notices),
        repeated=not new,
        trouble="" if isinstance(found, Graded) else found,
    )


def _before(flags: Mapping[Flag, str], upload: Upload) -> Iterator[Notice]:
    """Yield what the sender of a run that is there already should know about it."""
    if "withdrawn" in flags:
        why = flags["withdrawn"]
        yield Notice("withdrawn", f"it is withdrawn ({why}): enter it under another --name")
    if set(upload.flags) - set(flags):
        yield Notice("flags", "its flags stay as it was first sent: use another --name")
