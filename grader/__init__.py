"""Run a shared task whose submissions carry confidences.

For notebooks: ``grader.score`` and ``grader.score_intervals`` (arrays in, scores out), ``frame``
and ``intervals`` (scores as pandas tables), ``analyse`` (what stands beside them) and ``frames``
(that as tables). They are loaded on first use, so that the command line starts fast.
"""

from typing import TYPE_CHECKING

from grader.version import __version__

if TYPE_CHECKING:
    from grader.model import Resampling
    from grader.notebook import analyse, frame, frames, intervals, score, score_intervals

__all__ = [
    "Resampling",
    "__version__",
    "analyse",
    "frame",
    "frames",
    "intervals",
    "score",
    "score_intervals",
]


def __getattr__(name: str) -> object:
    if name in __all__:
        from grader import notebook

        return getattr(notebook, name)
    raise AttributeError(f"module 'grader' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
