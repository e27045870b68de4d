"""Gold becomes public: labels, judgements, the commitment's key."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from grader import store
from grader.errors import Mistake
from grader.judging.units import distinct, replies
from grader.marking import Decision
from grader.model import Results
from grader.plural import counted
from grader.releasing.closing import entangled, pending
from grader.store import Connection
from grader.store.opening import Secret, release_gold, secrets


@dataclass(frozen=True, slots=True)
class Opening:
    """A gold version that is public from now on.

    ``shares`` says which other tasks have ids of it, and what is disputed; ``runs`` counts those
    that are shown instance by instance, ``kept_back`` the others.
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
    shares = [*shares, *_disputed(results)]
    if reasons := [*pending(results, decision.at), *waits]:
        raise Mistake(
            f"the gold of {slug!r} stays secret while runs are scored on it:",
            *(f"  {said}" for said in reasons),
            mend="close it in task.toml (a task without phases: by a [[phase]] that is over), "
            f"then grader task update tasks/{slug}",
        )
    if veiled := [repr(phase.name) for phase in results.task.phases if phase.veiled(decision.at)]:
        raise Mistake(
            f"the gold of {slug!r} stays secret while teams go by pseudonyms, in phase "
            f"{', '.join(veiled)}: its key and its runs would tell whose they are",
            mend="release it after the reveal, or reveal the phase in task.toml, "
            f"then grader task update tasks/{slug}",
        )
    consents = {t.name: t.registration.consent is True for t in store.teams(db)}
    runs = [e for e in results.entries if e.graded and "withdrawn" not in e.flags]
    agreed = {entry.slug for entry in runs if consents[entry.team]}
    if not sure:
        which = version or secrets(db, slug)[-1].version
        said = *_warned(slug, which, len(agreed), len(runs)), *_unshown(db, slug, agreed)
        raise Mistake(*said, *_sure(), *shares, mend="--yes")
    secret = release_gold(db, slug, version, decision.at)
    store.log(db, slug, f"gold release: v{secret.version}", decision.why, decision.at)
    return Opening(secret, len(agreed), len(runs) - len(agreed), tuple(shares))


def _warned(slug: str, version: int, agreed: int, runs: int) -> Iterator[str]:
    yield f"nothing was released yet: gold v{version} of {slug!r} would be public for good"
    yield "its labels, judgements and the key of its commitment cannot be taken back, and"
    yield f"{agreed} of {runs} runs would be shown instance by instance: their teams agreed to"
    yield "an archive (team import)"


def _disputed(results: Results) -> Iterator[str]:
    """Yield that something is disputed and not answered."""
    open_ = [str(one.number) for one in results.disputes if one.answered is None]
    if open_:
        many = counted(len(open_), "dispute")
        yield f"{many} not answered: {', '.join(open_)} (grader dispute list {results.task.slug})"


def _unshown(db: Connection, slug: str, agreed: Collection[str]) -> Iterator[str]:
    """Yield how many judged answers are of other runs alone: the labels name no run, but those."""
    now = store.registered(db, slug)
    if now.task.answers != "judged" or now.task.judging.unit == "run":
        return
    runs, _ = replies(now.task, now.gold, store.uploads(db, slug))
    theirs = set(distinct(run for run in runs if run.run in agreed))
    if many := len({one.unit for one in store.judgements(db, slug)} - theirs):
        yield f"{counted(many, 'judged answer')} that no such run gives would be public too, "
        yield "without the name of a run"


def _sure() -> Iterator[str]:
    yield "if that is meant, the same command again with"
