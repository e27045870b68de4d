"""Run a shared task whose submissions carry confidences.

For notebooks: ``grader.score`` (arrays in, scores out), ``grader.frame`` and ``grader.intervals``
(scores as pandas tables). They are loaded on first use, so that the command line starts fast.
"""

from typing import TYPE_CHECKING

from grader.version import __version__

if TYPE_CHECKING:
    from grader.notebook import frame, intervals, score

__all__ = ["__version__", "frame", "intervals", "score"]


def __getattr__(name: str) -> object:
    if name in ("frame", "intervals", "score"):
        from grader import notebook

        return getattr(notebook, name)
    raise AttributeError(f"module 'grader' has no attribute {name!r}")
