"""What of organisers' decisions in single cases, and of disputes, others may see."""

from dataclasses import replace
from datetime import datetime

from grader.model import Dispute, Results


def discreet(results: Results, at: datetime) -> Results:
    """The results without what concerns single teams, or could tell what is right.

    An extension for one team is said on the runs that came in by it, and nowhere else. That
    something is disputed is no secret, but whose dispute it is; what was objected and answered
    is read once the gold is public. Of a run that is not seen no dispute is.
    """
    gold = results.gold
    public = gold.public(at)
    seen = {entry.slug for entry in results.entries}
    return replace(
        results,
        extensions=tuple(one for one in results.extensions if one.team is None),
        disputes=tuple(
            _told(one, public=public)
            for one in results.disputes
            if one.run is None or one.run in seen
        ),
    )


def _told(one: Dispute, *, public: bool) -> Dispute:
    if public:
        return replace(one, team=None)
    return replace(one, team=None, said=None, answer=None)
