"""What happens to an upload, whichever door it came by."""

from dataclasses import replace
from hashlib import sha256

from grader import store
from grader.grade import grade
from grader.model import Graded, Notice, Receipt, Rejected, Upload
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
    raise RuntimeError(f"the gold of {slug!r} changed {TRIES} times while one run was graded")


def _graded(at: Registered, upload: Upload) -> Graded | Rejected | None:
    """The grading; None if the scorer broke: the sender's bytes are worth more than our bug."""
    try:
        return grade(at.task, at.gold, upload.payload)
    except Exception:  # noqa: BLE001, the run is held and the operator runs `rescore`
        return None


def _kept(db: Connection, at: Registered, upload: Upload, graded: Graded | None) -> Receipt:
    digest = sha256(upload.payload).hexdigest()
    slug = at.task.slug
    tail = settings(at.task, at.label, digest)
    others = [name for name in store.named(db, slug, digest) if name != (upload.team, upload.name)]
    run, new = store.add_run(db, slug, upload, graded, tail, at.gold.version)
    receipt = Receipt(
        task=slug,
        team=upload.team,
        name=upload.name,
        run=run,
        phase=upload.phase,
        received=upload.received,
        sha256=digest,
        graded=graded,
        settings=tail,
        notices=(*(graded.notices if graded else ()), *_same_bytes(others, upload)),
    )
    if new:
        return receipt
    first = store.payload(db, slug, run)
    return replace(receipt, received=first.received, repeated=True)


def _same_bytes(others: list[tuple[str, str]], upload: Upload) -> list[Notice]:
    """A team learns that it sent the bytes before; not that another team did."""
    mine = [name for team, name in others if team == upload.team]
    return [Notice("same-bytes", f"the same bytes as your run {name!r}") for name in mine]
