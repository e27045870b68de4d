"""Tables on a terminal: no cell is cut, however narrow it is."""

import re
import sys

import pytest

from grader.cli._say import table

COLUMNS = ("run", "team", "hmr", "difference")
ROWS = (
    ("south-sons-of-beavers-1", "South & Sons", "0.8017", "+0.1255 to +0.2201"),
    ("東京大学-2", "東京大学の自然言語処理", "0.6204", "-0.0100 to +0.0420"),
)


@pytest.fixture
def drawn(monkeypatch, capsys):
    def draw(width):
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
        monkeypatch.setenv("COLUMNS", str(width))
        table("runs", COLUMNS, ROWS)
        return re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)

    return draw


@pytest.mark.parametrize("width", [10, 30, 47, 60, 76, 79, 80, 83, 84, 85, 86, 90, 100, 200])
def test_every_cell_is_whole_at_any_width(drawn, width):
    lines = drawn(width).splitlines()
    assert not [line for line in lines if "…" in line]
    for row in (COLUMNS, *ROWS):
        for cell in row:
            assert any(re.search(rf"(^|\s){re.escape(cell)}(\s|$)", line) for line in lines)


def test_a_table_that_fits_is_one_and_a_wider_one_goes_on_below(drawn):
    # The columns are 23, 22 (eleven wide letters), 6 and 18 wide; an edge at each end, and three
    # between two: 69 + 2 + 9.
    assert drawn(80).count("South & Sons") == 1
    assert drawn(80).count("south-sons-of-beavers-1") == 1
    assert drawn(79).count("south-sons-of-beavers-1") == 2
