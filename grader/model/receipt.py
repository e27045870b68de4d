"""What the sender of a run is told."""

from dataclasses import dataclass
from datetime import datetime

from grader.model.graded import Graded
from grader.model.phase import Slots
from grader.model.results import Pseudonym
from grader.model.upload import Notice


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a sender is given for an accepted run.

    A held one is safe but not scored yet; a repeated one had been sent before. Its scores are told
    to ``digits`` decimals, or not at all, and then ``hidden`` says why. ``slots`` is None where
    no phase limits how many runs there may be. ``trouble`` is the traceback of a scorer that
    broke. ``known_as`` is what others see it as, where they are not to know whose it is.
    """

    task: str
    team: str
    name: str
    run: str
    phase: str
    received: datetime
    sha256: str
    graded: Graded | None
    settings: str
    digits: int
    notices: tuple[Notice, ...] = ()
    repeated: bool = False
    held: bool = False
    hidden: str = ""
    slots: Slots | None = None
    trouble: str = ""
    known_as: Pseudonym | None = None
