"""A comparison as a table: cells for a terminal, JSON, LaTeX, and sentences for a paper."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.floor import Floor
from grader.measures.intervals import ENDLESS
from grader.model import Comparison, Measure, Pair

_TEX = str.maketrans(
    {c: f"\\{c}" for c in "&%$#_{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"}
    | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}
)


@dataclass(frozen=True)
class Same:
    """The p of "the same system" from ``swaps`` swaps of records; None with the reason."""

    p: float | None
    swaps: int = 0
    reason: str = ""


@dataclass(frozen=True)
class PairTable:
    """All pairs of some runs by one measure, on ``n`` instances.

    ``same`` has the swap test of each pair; ``hsd`` its p of randomised Tukey HSD, for a mean
    over instances of three runs or more; ``floors`` those of the runs' calibration errors.
    """

    measure: Measure
    names: tuple[str, ...]
    n: int
    comparison: Comparison
    same: tuple[Same, ...]
    adjusted: bool
    hsd: tuple[float | None, ...] = ()
    floors: tuple[Floor | None, ...] = ()

    @property
    def values(self) -> tuple[float | None, ...]:
        return self.comparison.values

    @property
    def title(self) -> str:
        return self.measure.title

    @property
    def columns(self) -> tuple[str, ...]:
        p = "adjusted p" if self.adjusted else "p"
        hsd = ("HSD same system p",) if self.hsd else ()
        return ("runs", "values", "difference", "95% interval", p, "same system p", *hsd)

    @property
    def cells(self) -> list[list[str]]:
        return [
            [
                f"{self.names[pair.a]} − {self.names[pair.b]}",
                f"{self._value(pair.a)} − {self._value(pair.b)}",
                _number(pair.difference, "+.4f"),
                self._interval(pair),
                _number(pair.p),
                _number(same.p),
                *([_number(self.hsd[i])] if self.hsd else []),
            ]
            for i, (pair, same) in enumerate(zip(self.comparison.pairs, self.same, strict=True))
        ]

    def _value(self, run: int, form: str = ".4f") -> str:
        """A run's value; ∞ where it is undefined because a width is infinite."""
        reasons = self.comparison.reasons
        endless = bool(reasons) and reasons[run].startswith(f"undefined: {ENDLESS}")
        return "∞" if endless else _number(self.values[run], form)

    def _interval(self, pair: Pair) -> str:
        if pair.low is None or pair.high is None:
            return self.comparison.why(pair, self.names) or "–"
        return f"{pair.low:+.4f} to {pair.high:+.4f}"

    @property
    def sentences(self) -> tuple[str, ...]:
        return tuple(self._sentences())

    def _sentences(self) -> Iterator[str]:
        for pair in self.comparison.pairs:
            one, two = (self._value(run, ".3f") for run in (pair.a, pair.b))
            head = f"On {self.n} instances {self.names[pair.a]} has {self.measure.title} "
            head += f"{one} and {self.names[pair.b]} {two}"
            if pair.difference is not None:
                head += f": difference {pair.difference:+.3f}"
            endless = [run for run in (pair.a, pair.b) if self._value(run) == "∞"]
            if endless:
                whys = (self.comparison.reasons[r].partition(ENDLESS)[2] for r in endless)
                said = zip(endless, whys, strict=True)
                of = ", and ".join(f"of {self.names[run]} {why}" for run, why in said)
                yield f"{head}, so that they have no difference: {of}."
                continue
            if pair.low is None or pair.high is None:
                yield f"{head}; {self.comparison.why(pair, self.names)}."
                continue
            verdict = "they differ" if pair.told_apart else "they cannot be told apart"
            yield (
                f"{head} (95% interval {pair.low:.3f} to {pair.high:.3f}, {self._how(pair)}): "
                f"{verdict}."
            )

    def _how(self, pair: Pair) -> str:
        """How an interval was found, and the p that goes with it."""
        many, found = len(self.comparison.pairs), self.comparison
        if self.adjusted:
            over = f"simultaneous over {many} pairs, " if many > 1 else ""
            said = f"{over}bootstrap max-|t|, {found.resamples} resamples"
        else:
            said = f"paired bootstrap, not adjusted, {found.resamples} resamples"
        left_out = pair.left_out or found.left_out
        said += f" of which {left_out} undefined" if left_out else ""
        adjusted = "adjusted " if self.adjusted else ""
        if pair.p is None:
            return said
        # The least p that so many resamples can give is a bound, not a value.
        least = pair.p <= 1 / (found.resamples - left_out + 1) + 1e-12
        return f"{said}; {adjusted}p {'≤' if least else '='} {pair.p:.3f}"

    def as_json(self) -> dict[str, object]:
        told = zip(self.comparison.pairs, self.same, self.sentences, strict=True)
        return {
            "measure": self.measure.key,
            "n": self.n,
            "adjusted": self.adjusted,
            "resamples": self.comparison.resamples,
            "left_out": self.comparison.left_out,
            "values": dict(zip(self.names, self.values, strict=True)),
            "floors": {
                name: {"floor_mean": floor.mean, "floor_95": floor.q95} if floor else None
                for name, floor in zip(self.names, self.floors, strict=False)
            },
            "notes": {
                name: why
                for name, why in zip(self.names, self.comparison.reasons, strict=True)
                if why
            },
            "ranks": dict(zip(self.names, map(_list, self.comparison.ranks), strict=True)),
            "pairs": [self._json(pair, same, sentence) for pair, same, sentence in told],
            "tukey_hsd_p": list(self.hsd) or None,
        }

    def _json(self, pair: Pair, same: Same, sentence: str) -> dict[str, object]:
        return {
            "a": self.names[pair.a],
            "b": self.names[pair.b],
            "difference": pair.difference,
            "low": pair.low,
            "high": pair.high,
            "p": pair.p,
            "left_out": pair.left_out,
            "same_system_p": same.p,
            "same_system_swaps": same.swaps,
            "same_system_note": same.reason or None,
            "note": self.comparison.why(pair, self.names) or None,
            "sentence": sentence,
        }

    def latex(self) -> str:
        """A booktabs table; every text that people typed is escaped."""
        head = " & ".join(c.replace("%", r"\%") for c in self.columns)
        rows = [" & ".join(escaped(c) for c in row) + r" \\" for row in self.cells]
        return "\n".join(
            (
                "\n".join(f"% {printable(sentence)}" for sentence in self.sentences),
                rf"\begin{{tabular}}{{ll{'r' * (len(self.columns) - 2)}}}",
                r"\toprule",
                f"{head} \\\\",
                r"\midrule",
                *rows,
                r"\bottomrule",
                r"\end{tabular}",
            )
        )


def _number(value: float | None, form: str = ".4f") -> str:
    return "–" if value is None else f"{value:{form}}"


def printable(text: str) -> str:
    """A text without what would break a line or hides."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else "?" for c in text)


def escaped(text: str) -> str:
    """A text as LaTeX prints it, also as the first cell of a row."""
    plain = printable(text).translate(_TEX)
    # After the end of a row a bracket or a star would be read as an option of that end.
    return ("{}" if plain.startswith(("[", "*")) else "") + plain.replace("−", "$-$")


def _list(ranks: Sequence[int] | None) -> list[int] | None:
    return None if ranks is None else list(ranks)
