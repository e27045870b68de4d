"""Measures of a judged run. A file here is found by itself: nothing else to edit."""

import importlib
import math
import pkgutil
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType

from grader.model import Measure, Parameter

_MACRO = re.compile(r"macro\(\s*([^(),\s]+)\s*,\s*([^()]+?)\s*\)")


class UnknownMeasure(ValueError):  # noqa: N818, the message is for people
    """A key that names no measure; the message says what was perhaps meant."""


def _found() -> Iterator[Measure]:
    for info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{info.name}")
        yield from (x for x in vars(module).values() if isinstance(x, Measure))


def _table() -> Mapping[str, Measure]:
    table: dict[str, Measure] = {}
    for measure in sorted(_found(), key=lambda m: m.key):
        if table.setdefault(measure.key, measure) is not measure:
            raise RuntimeError(f"two measures are called {measure.key!r}")
    return MappingProxyType(table)


MEASURES: Mapping[str, Measure] = _table()


@cache
def find(key: str) -> Measure:
    """The measure a key names, with its parameter bound: ``hmr@2``, ``macro(ece@10,subset)``.

    raises  UnknownMeasure, with the key that was perhaps meant

    >>> find("ece@10").params
    {'bins': 10}
    >>> find("macro(hmr, exam)").key
    'macro(hmr,exam)'
    >>> find("ece")
    Traceback (most recent call last):
    grader.measures.UnknownMeasure: 'ece' needs a number of bins: did you mean 'ece@10'?
    """
    if macro := _MACRO.fullmatch(key.strip()):
        inner, dimension = find(macro[1]), macro[2]
        return replace(
            inner,
            key=f"macro({inner.key},{dimension})",
            title=f"{inner.title}, mean over {dimension}",
            dimension=dimension,
        )
    name, at, text = key.strip().partition("@")
    if name not in MEASURES:
        raise UnknownMeasure(f"there is no measure {key!r}{_meant(name)}")
    measure = MEASURES[name]
    if measure.parameter is not None:
        return _bound(measure, measure.parameter, at, text)
    if at:
        raise UnknownMeasure(f"{key!r}: {name} takes no parameter: did you mean {name!r}?")
    return measure


def _bound(measure: Measure, wanted: Parameter, at: str, text: str) -> Measure:
    """The measure with the parameter that the text after the ``@`` of its key says."""
    name = measure.key
    if not at and not wanted.required:
        return measure
    value = _parameter(wanted.kind, text)
    if value is None:
        meant = f"{name}@{wanted.example}"
        raise UnknownMeasure(
            f"{name + at + text!r} needs a {wanted.name}: did you mean {meant!r}?"
        )
    # A weight has one spelling: scores are found by their keys.
    said = text if wanted.kind == "count" or text == "inf" else f"{Decimal(text).normalize():f}"
    params = {_argument(wanted.name): value}
    return replace(
        measure,
        key=f"{name}@{said}",
        title=f"{measure.title} @{said}",
        params=params,
        sums=measure.sums_of(**params) if measure.sums_of else measure.sums,
    )


def within(measure: Measure) -> Measure:
    """The measure that a macro is the mean of; any other measure itself.

    >>> within(find("macro(hmr,exam)")).key
    'hmr'
    """
    macro = _MACRO.fullmatch(measure.key)
    return find(macro[1]) if macro else measure


def _argument(name: str) -> str:
    return name.rsplit(" ", 1)[-1]


def _parameter(kind: str, text: str) -> float | int | None:
    if kind == "count":
        return int(text) if re.fullmatch(r"[1-9][0-9]{0,4}", text) else None
    if text == "inf" and kind == "weight":
        return math.inf
    if kind == "percent" and not 0 < _number(text) <= 100:
        return None
    return float(text) if re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", text) else None


def _number(text: str) -> float:
    return float(text) if re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", text) else 0.0


def _meant(name: str) -> str:
    near = get_close_matches(name.casefold(), MEASURES, 1, 0.5)
    if not near:
        return f"; there are {', '.join(MEASURES)}"
    measure = MEASURES[near[0]]
    needs = measure.parameter is not None and measure.parameter.required
    example = f"@{measure.parameter.example}" if measure.parameter and needs else ""
    return f": did you mean '{near[0]}{example}'?"
