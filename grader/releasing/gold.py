"""Gold becomes public: labels, judgements, the commitment's key."""

from collections.abc import Iterator
from dataclasses import dataclass

from grader import store
from grader.errors import Mistake
from grader.marking import Decision
from grader.releasing.closing import entangled, pending
from grader.store import Connection
from grader.store.opening import Secret, release_gold, secrets


@dataclass(frozen=True, slots=True)
class Opening:
    """A gold version that is public from now on.

    ``shares`` says which other tasks have ids of it, ``runs`` counts those that are shown
    instance by instance, ``kept_back`` the others.
    """

    secret: Secret
    runs: int
    kept_back: int
    shares: tuple[str, ...]


def release(
    db: Connection, slug: str, version: int | None, decision: Decision, *, sure: bool
) -> Opening:
    """Make a gold version (None: the newest) public, for good.

    raises  Mistake, for an unknown task or version, one that is public already, while something
            that depends on these labels still takes runs, or unless the organisers are ``sure``
    """
    store.config(db, slug, lock=True)
    results = store.snapshot(db, decision.at, [slug]).tasks[0]
    waits, shares = entangled(db, slug, decision.at)
    if reasons := [*pending(results, decision.at), *waits]:
        raise Mistake(
            f"the gold of {slug!r} stays secret while runs are scored on it:",
            *(f"  {said}" for said in reasons),
            mend="close it in task.toml (a task without phases: by a [[phase]] that is over), "
            f"then grader task update tasks/{slug}",
        )
    consents = {t.name: t.registration.consent is True for t in store.teams(db)}
    runs = [e for e in results.entries if e.graded and "withdrawn" not in e.flags]
    agreed = sum(consents[entry.team] for entry in runs)
    if not sure:
        which = version or secrets(db, slug)[-1].version
        raise Mistake(*_warned(slug, which, agreed, len(runs) - agreed), *shares, mend="--yes")
    secret = release_gold(db, slug, version, decision.at)
    store.log(db, slug, f"gold release: v{secret.version}", decision.why, decision.at)
    return Opening(secret, agreed, len(runs) - agreed, tuple(shares))


def _warned(slug: str, version: int, agreed: int, others: int) -> Iterator[str]:
    yield f"nothing was released yet: gold v{version} of {slug!r} would be public for good"
    yield "its labels, judgements and the key of its commitment cannot be taken back, and"
    yield f"{agreed} of {agreed + others} runs would be shown instance by instance: their teams"
    yield "agreed to an archive (team import); if that is meant, the same command again with"
