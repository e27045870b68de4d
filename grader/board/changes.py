"""What a gold version changed, in words."""

from grader.model import Version
from grader.plural import counted


def changes(version: Version) -> tuple[str, ...]:
    """How a version differs from the one before it, in counts of instances; labels never.

    >>> from datetime import UTC, datetime
    >>> now = datetime(2027, 3, 1, tzinfo=UTC)
    >>> changes(Version(2, now, "a typing error", "chair", "9f", 4, 4, labels=1, moved=2))
    ('1 label changed', '2 instances in other subsets, clusters or splits')
    """
    found = [
        (len(version.dropped), ("instance", "dropped")),
        (len(version.restored), ("instance", "restored")),
        (version.labels, ("label", "changed")),
        (version.moved, ("instance", "in other subsets, clusters or splits")),
        (version.judged, ("instance", "judged")),
        (version.unjudged, ("instance", "no longer judged")),
        (version.added, ("instance", "added")),
        (version.removed, ("instance", "removed")),
    ]
    return tuple(f"{counted(many, what)} {how}" for many, (what, how) in found if many)
