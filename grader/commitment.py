"""What binds organisers to a gold without showing it."""

import json
from collections.abc import Mapping
from hmac import digest

from grader.model import Gold, Subsets


def commitment(gold: Gold, salt: bytes) -> str:
    """A hex HMAC-SHA256 of what is ``committed``, keyed by ``salt``.

    Gold and salt are published together.
    """
    return keyed(committed(gold), salt)


def keyed(text: str, salt: bytes) -> str:
    """The hex HMAC-SHA256 of a text in ASCII, keyed by ``salt``."""
    return digest(salt, text.encode("ascii"), "sha256").hex()


def committed(gold: Gold) -> str:
    """All of a gold that a score depends on, as a text of which there is one spelling.

    It is JSON, in ASCII, keys sorted, no spaces, of ``ids``, ``answers``, ``clusters``,
    ``splits``, ``statuses`` (one each instance) and ``subsets`` (each dimension's value or null,
    one each instance), in a judged task also ``rejected``.
    """
    standings = gold.standing
    return spelled(
        {
            "ids": gold.ids,
            "answers": gold.answers,
            "subsets": {s.name: _values(s) for s in gold.subsets},
            "clusters": gold.clusters,
            "splits": gold.splits,
            "statuses": [standing.status for standing in standings],
            **({"rejected": gold.rejected} if gold.rejected else {}),
        }
    )


def spelled(said: Mapping[str, object]) -> str:
    """The text of what is committed."""
    return json.dumps(said, sort_keys=True, separators=(",", ":"))


def _values(subsets: Subsets) -> list[str | None]:
    return [subsets.values[k] if k >= 0 else None for k in subsets.codes.tolist()]
