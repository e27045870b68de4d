"""The colours of the site against their grounds, by WCAG's formula, and to those who see fewer."""

import itertools
from pathlib import Path

import numpy as np
import pytest

from grader.site.pictures.style import alone, palettes

STATIC = Path(__file__).parents[1] / "templates/static"
PALETTES = palettes((STATIC / "site.css").read_text())
TEXT = ("ink", "soft", "accent", "series-2", "series-3", "series-4")
SERIES = ("accent", "series-2", "series-3", "series-4")
SHADES = tuple(f"shade-{i}" for i in range(1, 6))
# Machado, Oliveira and Fernandes 2009, severity 1.0, of linear RGB.
SIMULATED = {
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritan": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


def linear(colour):
    digits = colour.removeprefix("#")
    digits = "".join(2 * d for d in digits) if len(digits) == 3 else digits
    each = np.array([int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)])
    return np.where(each <= 0.04045, each / 12.92, ((each + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    lights = sorted(float(linear(c) @ [0.2126, 0.7152, 0.0722]) for c in (one, other))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def lab(rgb):
    xyz = (
        np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
        @ np.clip(rgb, 0, 1)
        / [0.9505, 1.0, 1.089]
    )
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def test_the_formula_is_the_one_of_wcag():
    assert contrast("#000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#fff") == pytest.approx(4.54, abs=0.005)


@pytest.mark.parametrize("scheme", ["light", "dark", "print"])
def test_text_and_marks_stand_out_from_the_paper(scheme):
    colours = PALETTES[scheme]
    for name in TEXT:
        assert contrast(colours[f"--{name}"], colours["--paper"]) >= 4.5, name
    for shade in SHADES:
        assert contrast(colours["--ink"], colours[f"--{shade}"]) >= 4.5, shade


@pytest.mark.parametrize("scheme", ["light", "dark", "print"])
def test_shades_grow_from_the_paper_on_in_steps_that_are_seen(scheme):
    colours = PALETTES[scheme]
    away = [contrast(colours[f"--{s}"], colours["--paper"]) for s in SHADES]
    assert all(after > before * 1.08 for before, after in itertools.pairwise(away)), away


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("sight", [None, *SIMULATED])
def test_series_are_told_apart_by_those_who_see_fewer_colours(scheme, sight):
    seen = {
        name: lab(
            linear(PALETTES[scheme][f"--{name}"]) @ np.array(SIMULATED[sight]).T
            if sight
            else linear(PALETTES[scheme][f"--{name}"])
        )
        for name in SERIES
    }
    for one, other in itertools.combinations(SERIES, 2):
        assert np.linalg.norm(seen[one] - seen[other]) >= 12, (one, other)


def test_a_picture_alone_has_the_sites_colours_in_every_scheme():
    style = alone((STATIC / "site.css").read_text(), (STATIC / "pictures.css").read_text())
    light, _, rest = style.partition("@media (prefers-color-scheme: dark)")
    dark, _, paper = rest.partition("@media print")
    for part, scheme in ((light, "light"), (dark, "dark"), (paper, "print")):
        assert f"fill: {PALETTES[scheme]['--ink']}" in part
        assert f"background: {PALETTES[scheme]['--paper']}" in part
    assert "font-size" not in dark
