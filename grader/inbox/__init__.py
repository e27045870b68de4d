"""A folder as a door: DIR/<task>/<team>/<file> comes in, a report is left beside it.

A file is claimed by one rename, into a folder of ``.claimed`` whose name is the instant of
receipt; graded from there; its report is put where it lay; and it moves to ``.done``. One that
was written to after its claim came in when it was read. Killed
between any two steps, the next pass begins again with what is claimed, at the same instant: the
same bytes under the same name are the same run, so nothing is lost and nothing doubled.
"""

import json
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from traceback import format_exc

from grader import store
from grader.errors import Mistake
from grader.inbox.box import REPORTS, Box, beside
from grader.inbox.claiming import CLAIMED, DONE, Claim, alone, claim, claims, contents
from grader.inbox.looking import Look, look, named
from grader.intake import deliver
from grader.model import Receipt, Rejected, Upload
from grader.plural import counted
from grader.receipts import answers, lines, printable

__all__ = ["CLAIMED", "DONE", "Box", "Claim", "Look", "look", "work"]


def work(box: Box, seen: Look, clock: Callable[[], datetime]) -> tuple[Look, int]:
    """Take in the files that have not changed for a while, and grade all that is claimed.

    One process does so at a time; what is claimed when it begins was left by one that died.

    returns  how the folders look now, and on how many files our own code broke
    """
    tried, broken = set[Path](), 0
    with alone(box) as mine:
        while mine and not box.stop.is_set():
            seen = _taken(box, seen, clock)
            waiting = [given for given in claims(box) if given.folder not in tried]
            if not waiting:
                break
            for given in waiting:
                if box.stop.is_set():
                    break
                tried.add(given.folder)
                broken += _handle(box, given, clock)
                seen = _taken(box, seen, clock)  # what came meanwhile has its instant soon
    return seen, broken


def _taken(box: Box, seen: Look, clock: Callable[[], datetime]) -> Look:
    """Claim the files that have not changed for a while; return how the folders look."""
    seen = look(box, seen)
    for path, (sight, since) in seen.items():
        if time.monotonic() - since >= box.every:
            claim(box, path, sight, clock())
    return seen


def _handle(box: Box, given: Claim, clock: Callable[[], datetime]) -> int:
    """Grade a claimed file, leave its report, and move it to what is done; 1 if our code broke."""
    dropped = box.folder / given.task / given.team / given.file.name
    again = "is claimed and kept, and is tried again next time"
    try:
        outcomes = _delivered(box, given, clock)
        _report(given, outcomes)
        _put(box, given, dropped)
    except Mistake as e:
        box.tell(dropped, f"{again}: {e.said[0]}")
        return 0
    except OSError as e:
        box.tell(dropped, f"{again}: {e.strerror}")
        return 0
    except Exception:  # noqa: BLE001, one file must not shut the door to all others
        box.tell(dropped, again)
        box.warn(format_exc())
        return 1
    receipts = [o for _, o in outcomes if isinstance(o, Receipt)]
    said = f"{counted(len(receipts), 'run')} taken, {len(outcomes) - len(receipts)} refused"
    box.say(printable(f"{dropped}: {said}"))
    troubles = [receipt.trouble for receipt in receipts if receipt.held]
    for trouble in troubles:
        box.warn(trouble)
    return int(bool(troubles))


def _delivered(
    box: Box, given: Claim, clock: Callable[[], datetime]
) -> Sequence[tuple[str, Receipt | Rejected]]:
    payload, now = contents(given.file)
    at = max(given.received, clock()) if given.changed(now) else given.received
    with store.reading(box.engine) as db:
        team = named(store.teams(db), given.team)
    name = store.harmless(given.file.name)
    sent = Upload(team or given.team, "", name, payload, at)
    return deliver(box.engine, given.task, sent)


def _report(given: Claim, outcomes: Sequence[tuple[str, Receipt | Rejected]]) -> None:
    """Write both reports, whole, into the claim's folder, under names that no claimed file has."""
    shown = store.harmless(given.file.name)
    several = [(f"{shown}/{file}", outcome) for file, outcome in outcomes]
    text = "".join(f"{line}\n" for line in lines(several if len(several) > 1 else outcomes))
    found = json.dumps(answers(outcomes), ensure_ascii=False, indent=2, allow_nan=False)
    for ending, content in zip(REPORTS, (f"{found}\n", text), strict=True):
        (given.folder / ending).write_text(content, encoding="utf-8", errors="backslashreplace")


def _put(box: Box, given: Claim, dropped: Path) -> None:
    """Move the reports beside the place where the file lay, and the file to what is done."""
    done = box.folder / DONE / given.folder.relative_to(box.folder / CLAIMED)
    done.parent.mkdir(parents=True, exist_ok=True)
    for ending in REPORTS:
        report = given.folder / ending
        try:
            report.replace(beside(dropped, ending))
        except OSError as e:
            said = f"its report cannot be put there and lies in {done}: {e.strerror}"
            box.tell(dropped, said)
    given.folder.rename(done)
