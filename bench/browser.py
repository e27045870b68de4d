"""How long a board of 2,000 runs takes to answer, from a click to the next frame in Chromium."""

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from side import Row

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

RUNS, TURNS = 2000, 9
MOST = 0.150  # seconds

# Two frames are asked for: the second begins when the first has been drawn.
ANSWER = """async () => {
  const began = performance.now();
  ACT;
  await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  return (performance.now() - began) / 1000;
}"""
SORT = "document.querySelector('th[data-col=brier] button').click()"
FILTER = """const field = document.querySelector('[name=q]');
field.value = field.value ? '' : 'forest';
field.dispatchEvent(new Event('input', { bubbles: true }));"""


def _answers(act: str) -> float:
    """The median of the seconds that an act takes on a page that shows its first rows."""
    import crowd  # noqa: PLC0415, it stands with the tests, whose folder is not installed
    from browsing import address, chromium, quiet, written  # noqa: PLC0415

    with TemporaryDirectory() as folder, chromium() as browser, quiet(browser) as page:
        site = written(crowd.files(crowd.crowd(RUNS)), Path(folder))
        page.goto(address(site, "crowd/index.html"))
        return median(page.evaluate(ANSWER.replace("ACT", act)) for _ in range(TURNS))


def _row(work: str, act: str) -> Row:
    took = _answers(act)
    reach = f"≤ {MOST * 1000:g} ms"
    return Row(
        f"{work} a board of {RUNS:,} runs in Chromium, to the next frame",
        *(took, "what is felt as at once", MOST, took / MOST, reach, took <= MOST),
    )


def sorting() -> Row:
    """A click on a column's head."""
    return _row("sorting", SORT)


def filtering() -> Row:
    """A word in the search field."""
    return _row("filtering", FILTER)


def _missing() -> str:
    """What is not there to measure with."""
    names = ("chromium", "chromium-browser", "google-chrome")
    if find_spec("playwright") is None:
        return "playwright is not installed"
    return "" if any(map(shutil.which, names)) else "no Chromium on the PATH"


if reason := _missing():
    print(f"boards in a browser: not measured, {reason}")
ROWS = () if reason else (sorting, filtering)
