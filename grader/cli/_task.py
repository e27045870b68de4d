"""Which task and gold a command means: a folder, a registered task, or the keys as options."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grader.errors import Mistake
from grader.model import Gold, Task

_LISTS = ("measures", "labels", "subsets")
_WHOLE = ("precision", "resamples", "seed")
_OVER = ("measures", "primary", "resamples", "seed")  # what is computed, not what is right
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
    document = _stated({"title": "no task file"}, given)
    if "primary" not in document and (measures := document.get("measures")):
        document["primary"] = measures[0]
    return declared(document, "options", "the options")


def _stated(document: dict[str, Any], given: Mapping[str, str]) -> dict[str, Any]:
    """A task file's document with options in the place of its keys."""
    for key, text in given.items():
        if (name := _TABLES.get(key)) is None:
            document[key] = _valued(key, text)
        elif isinstance(table := document.setdefault(name, {}), dict):  # else it is told so
            table[key] = _valued(key, text)
    return document


def _declared(folder: Path, keys: Mapping[str, str | None]) -> Task:
    """The task of a folder, with options in the place of those keys that judge nothing."""
    from grader.tasks import config, declared, parse, slug_of
    from grader.tasks.document import document

    given = {k: v for k, v in keys.items() if v is not None}
    text, slug = config(folder), slug_of(folder)
    task = parse(text, slug)
    if fixed := [k for k in given if k not in _OVER]:
        free = ", ".join(f"--{k}" for k in _OVER)
        raise Mistake(f"--{fixed[0]} and --task exclude each other: the task says it, but {free}")
    if not given:
        return task
    return declared(_stated(document(text), given), slug, f"the options and {task.title!r}")


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
    from grader.tasks import contents, read_gold

    if task is None:
        if gold is None:
            raise Mistake(
                f"{need} needs a task or a gold file",
                mend=f"grader {need} --task tasks/SLUG, or: grader {need} --gold gold.csv",
            )
        declared = from_options(keys)
    else:
        declared = _declared(Path(task), keys)
        if gold is None:
            gold = Path(task) / declared.gold.file
            its_gold = read_gold(declared, contents(gold), str(gold))
            if not need.startswith("check") and declared.answers == "judged":
                raise Mistake(
                    f"the answers of {task} are judged, and no file says which are right",
                    "a registered task knows what was judged",
                    mend=f"grader run show {declared.slug} RUN",
                )
            if not need.startswith("check") and not any(its_gold.answers):
                raise Mistake(f"the gold of {task} has no answers: it is for grader check")
            return declared, its_gold
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
