"""What a team is called, found in texts that people wrote."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from grader.model import Team

SHORT = 4  # letters; a shorter name counts as one only in its own case
# A letter that stands in a word: not of Thai, Lao, Burmese, Khmer, Kana or Han, which have no
# spaces between words.
_LETTER = r"[^\W_\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]"


@dataclass(frozen=True)
class Mentions:
    """The names of a team, and the slugs of its runs' addresses with what stands for them.

    A name counts where it stands as words of its own, in either case: "ants" is not in "wants".
    In scripts without spaces it counts anywhere. It does not count in ``others``, longer names.

    >>> said = Mentions(("Ants",), {"ants": "erased-team-1"}, "erased team 1")
    >>> said.reworded("run withdraw: ants-2; the ants' mail, as wants ants_b.csv")
    "run withdraw: erased-team-1-2; the erased team 1' mail, as wants erased team 1_b.csv"
    """

    names: Sequence[str]
    slugs: Mapping[str, str]
    instead: str
    others: Sequence[str] = ()

    def reworded(self, text: str) -> str:
        """The text with other words for every mention."""
        return self._pattern.sub(self._word, text)

    def found(self, text: str) -> bool:
        """Whether a text mentions the team."""
        return any(self._word(match) != match[0] for match in self._pattern.finditer(text))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """Slugs with a number, then names, the longest first: one may begin as another does."""
        given = (*self.names, *self.others)
        written = {*given, *(json.dumps(name, ensure_ascii=False)[1:-1] for name in given)}
        every = [_name(n) for n in sorted(written, key=lambda n: (-len(n), n))]
        if self.slugs:
            slugs = "|".join(map(re.escape, sorted(self.slugs, key=len, reverse=True)))
            every.insert(0, rf"(?<![\w-])(?P<slug>{slugs})-(?P<number>[0-9]+)(?![\w-])")
        return re.compile("|".join(every))

    def _word(self, found: re.Match[str]) -> str:
        """What stands for a mention; for another's name, itself."""
        if self.slugs and found["slug"]:
            return f"{self.slugs[found['slug']]}-{found['number']}"
        said = _plain(found[0])
        return found[0] if said in map(_plain, self.others) else self.instead


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()


def _name(name: str) -> str:
    """A name as a regular expression: its own spaces may be others, or a line's end."""
    said = r"\s+".join(map(re.escape, name.split()))
    before = f"(?<!{_LETTER})" if re.match(_LETTER, name) else ""
    after = f"(?!{_LETTER})" if re.match(_LETTER, name[-1:]) else ""
    return f"{before}(?{'' if len(name) < SHORT else 'i'}:{said}){after}"


def names(team: Team, others: Sequence[Team]) -> tuple[str, ...]:
    """All that a team is called, and its affiliation and contact unless they are others' too."""
    shared = {part.casefold() for other in others for part in _said(other)}
    own = (part for part in _said(team) if part.casefold() not in shared)
    return tuple(dict.fromkeys((team.name, *team.aliases, *own)))


def _said(team: Team) -> Iterator[str]:
    """Yield what a team said of itself, a contact also in its parts."""
    said = team.registration
    parts = (said.affiliation, said.contact, *re.split(r"[;,<>()]", said.contact))
    yield from (part.strip() for part in parts if part.strip())
