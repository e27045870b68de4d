"""A comparison as a table: cells for a terminal, JSON, LaTeX, and sentences for a paper."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.model import Comparison, Measure, Pair

_TEX = str.maketrans(
    {c: f"\\{c}" for c in "&%$#_{}"}
    | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}
)


@dataclass(frozen=True)
class PairTable:
    """All pairs of some runs by one measure.

    ``swaps`` has for each pair the p of "the same system" by the swap test; ``hsd`` that of
    randomised Tukey HSD, for a mean over instances of three runs or more.
    """

    measure: Measure
    names: tuple[str, ...]
    values: tuple[float, ...]
    n: int
    comparison: Comparison
    swaps: tuple[float | None, ...]
    adjusted: bool
    hsd: tuple[float, ...] = ()

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
                f"{self.values[pair.a]:.4f} − {self.values[pair.b]:.4f}",
                f"{pair.difference:+.4f}",
                _interval(pair),
                "–" if pair.p is None else f"{pair.p:.4f}",
                "–" if swap is None else f"{swap:.4f}",
                *([f"{self.hsd[i]:.4f}"] if self.hsd else []),
            ]
            for i, (pair, swap) in enumerate(zip(self.comparison.pairs, self.swaps, strict=True))
        ]

    @property
    def sentences(self) -> tuple[str, ...]:
        return tuple(self._sentences())

    def _sentences(self) -> Iterator[str]:
        many = len(self.comparison.pairs)
        how = "bootstrap max-|t|" if self.adjusted else "paired bootstrap, not adjusted"
        over = f"simultaneous over {many} pairs, " if self.adjusted and many > 1 else ""
        for pair in self.comparison.pairs:
            a, b = self.names[pair.a], self.names[pair.b]
            head = f"On {self.n} instances {a} has {self.measure.title} {self.values[pair.a]:.3f} "
            head += f"and {b} {self.values[pair.b]:.3f}: difference {pair.difference:+.3f}"
            if pair.low is None or pair.high is None:
                yield f"{head}; {pair.reason}."
                continue
            verdict = "they differ" if pair.told_apart else "they cannot be told apart"
            p = (
                ""
                if pair.p is None
                else f"; {'adjusted ' if self.adjusted else ''}p = {pair.p:.3f}"
            )
            yield (
                f"{head} (95% interval {pair.low:.3f} to {pair.high:.3f}, {over}{how}, "
                f"{self.comparison.resamples} resamples{p}): {verdict}."
            )

    def as_json(self) -> dict[str, object]:
        pairs = [
            {
                "a": self.names[pair.a],
                "b": self.names[pair.b],
                "difference": pair.difference,
                "low": pair.low,
                "high": pair.high,
                "p": pair.p,
                "same_system_p": swap,
                "note": pair.reason or None,
                "sentence": sentence,
            }
            for pair, swap, sentence in zip(
                self.comparison.pairs, self.swaps, self.sentences, strict=True
            )
        ]
        return {
            "measure": self.measure.key,
            "n": self.n,
            "adjusted": self.adjusted,
            "resamples": self.comparison.resamples,
            "values": dict(zip(self.names, self.values, strict=True)),
            "ranks": dict(zip(self.names, map(_list, self.comparison.ranks), strict=True)),
            "pairs": pairs,
            "tukey_hsd_p": list(self.hsd) or None,
        }

    def latex(self) -> str:
        """A booktabs table; every text that people typed is escaped."""
        head = " & ".join(c.replace("%", r"\%") for c in self.columns)
        rows = [" & ".join(_tex(c) for c in row) + r" \\" for row in self.cells]
        return "\n".join(
            (
                "\n".join(f"% {_printable(sentence)}" for sentence in self.sentences),
                rf"\begin{{tabular}}{{ll{'r' * (len(self.columns) - 2)}}}",
                r"\toprule",
                f"{head} \\\\",
                r"\midrule",
                *rows,
                r"\bottomrule",
                r"\end{tabular}",
            )
        )


def _interval(pair: Pair) -> str:
    if pair.low is None or pair.high is None:
        return pair.reason or "–"
    return f"{pair.low:+.4f} to {pair.high:+.4f}"


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text)


def _tex(text: str) -> str:
    plain = _printable(text).translate(_TEX)
    # A bracket after the end of a row would be read as the space to leave there.
    return ("{}" if plain.startswith("[") else "") + plain.replace("−", "$-$")


def _list(ranks: Sequence[int] | None) -> list[int] | None:
    return None if ranks is None else list(ranks)
