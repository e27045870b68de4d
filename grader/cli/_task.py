"""Which task and gold a command means: a folder, a registered task, or the keys as options."""

import re
from pathlib import Path
from typing import Any

from grader.errors import Mistake
from grader.model import Gold, Task

_LISTS = ("measures", "labels", "subsets")
_WHOLE = ("precision", "resamples", "seed")
_TABLES = {
    "subsets": "gold",
    "level": "interval",
    "resamples": "resampling",
    "seed": "resampling",
}


def from_options(keys: dict[str, str | None]) -> Task:
    """The task that options declare; the primary is the first measure unless named."""
    from grader.tasks import declared

    given = {k: v for k, v in keys.items() if v is not None}
    if "level" in given and given.get("kind", "answers") == "answers":
        raise Mistake("--level is of intervals: it goes with --kind interval")
    document: dict[str, Any] = {"title": "no task file"}
    for key, text in given.items():
        table = document.setdefault(_TABLES[key], {}) if key in _TABLES else document
        table[key] = _valued(key, text)
    if "primary" not in document and (measures := document.get("measures")):
        document["primary"] = measures[0]
    return declared(document, "options", "the options")


def _valued(key: str, text: str) -> Any:
    """An option's text as the key's type; one that is not stays a text, and is told so."""
    from grader.judge import number

    if key in _LISTS:
        return listed(text)
    if key == "abstain":
        return [text]
    if key in _WHOLE and re.fullmatch("[0-9]{1,18}", text):
        return int(text)
    if key == "level" and number(text) is not None:
        return float(text)
    return text


def listed(text: str) -> list[str]:
    """Split at commas outside parentheses: ``hmr,macro(hmr,exam)`` is two.

    >>> listed("hmr, macro(hmr,exam)")
    ['hmr', 'macro(hmr,exam)']
    """
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [p.strip() for p in parts if p.strip()]


def of_files(
    task: str | None, gold: Path | None, keys: dict[str, str | None], need: str
) -> tuple[Task, Gold]:
    """The task and gold of files alone: a folder's, or the options' with a gold file."""
    from grader.tasks import config, contents, load, parse, read_gold, slug_of

    if task is None:
        if gold is None:
            raise Mistake(
                f"{need} needs a task or a gold file",
                mend=f"grader {need} --task tasks/SLUG, or: grader {need} --gold gold.csv",
            )
        declared = from_options(keys)
    else:
        given = [k for k, v in keys.items() if v is not None]
        if given:
            raise Mistake(f"--{given[0]} and --task exclude each other: the task says it")
        folder = Path(task)
        if gold is None:
            found, _, its_gold = load(folder)
            if not need.startswith("check") and not any(its_gold.answers):
                raise Mistake(f"the gold of {folder} has no answers: it is for grader check")
            return found, its_gold
        text = config(folder)
        declared = parse(text, slug_of(folder))
    return declared, read_gold(declared, contents(gold), str(gold))


def named(name: str, db: str) -> tuple[Task, Gold]:
    """The task and gold of a folder, or of a registered task."""
    if is_folder(name):
        from grader.tasks import load

        task, _, gold = load(Path(name))
        return task, gold
    from grader import store

    with store.reading(store.existing(db)) as connection:
        found = store.registered(connection, name)
    return found.task, found.gold


def is_folder(name: str) -> bool:
    """Whether a name is that of a folder; one that no folder can have is not."""
    try:
        return Path(name).is_dir()
    except OSError:
        return False
