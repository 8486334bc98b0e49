"""Colours: seats and marks can be told apart by everybody, in every theme and in greyscale.

Colour vision is simulated by the matrices of Viénot, Brettel and Mollon (1999) on linear light.
"""

from itertools import combinations

import numpy as np
import pytest

import skerry
from skerry.games import kind
from skerry.render.explain import LEAST_HEAT, MORE_HEAT
from skerry.render.themes import THEMES, Theme, ink_of, mix

LEAST_TEXT, LEAST_MARK = 4.5, 3.0  # WCAG 2 AA
TO_CONES = np.array(
    [[17.8824, 43.5161, 4.11935], [3.45565, 27.1554, 3.86714], [0.0299566, 0.184309, 1.46709]]
)
SIGHTS = {
    "protanopia": np.array([[0, 2.02344, -2.52581], [0, 1, 0], [0, 0, 1]]),
    "deuteranopia": np.array([[1, 0, 0], [0.494207, 0, 1.24827], [0, 0, 1]]),
}
WEIGHTS = np.array([0.2126, 0.7152, 0.0722])


def linear(colour: str) -> np.ndarray:
    values = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def seen(colour: str, sight: str) -> np.ndarray:
    """Linear light as somebody sees it."""
    light = linear(colour)
    if sight == "greyscale":
        return np.full(3, WEIGHTS @ light)
    if sight in SIGHTS:
        cones = SIGHTS[sight] @ (TO_CONES @ light)
        return np.clip(np.linalg.inv(TO_CONES) @ cones, 0, 1)
    return light


def contrast(one: str, other: str, sight: str = "full") -> float:
    """The contrast ratio of WCAG."""
    a, b = (float(WEIGHTS @ seen(colour, sight)) for colour in (one, other))
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)


def test_the_ratio_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


def test_red_and_green_of_the_same_brightness_look_alike_to_the_colour_blind() -> None:
    """The simulation simulates: two colours that differ by hue alone nearly become one."""

    def gap(sight: str) -> float:
        return float(np.abs(seen("#c00000", sight) - seen("#5d7200", sight)).max())

    assert gap("full") > 0.3
    assert gap("deuteranopia") < 0.15


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
class TestTheme:
    def test_text_is_legible(self, theme: Theme) -> None:
        assert contrast(theme.label, theme.page) >= LEAST_TEXT
        assert contrast(theme.value, theme.page) >= LEAST_TEXT  # the number of a step
        for strength in (LEAST_HEAT, LEAST_HEAT + MORE_HEAT):
            for cell in (theme.cell, theme.other_cell, theme.zone):
                assert contrast(theme.value, mix(cell, theme.heat, strength)) >= LEAST_TEXT

    @pytest.mark.parametrize("sight", ["full", "greyscale", *SIGHTS])
    def test_marks_show_on_every_cell(self, theme: Theme, sight: str) -> None:
        for cell in (theme.cell, theme.other_cell, theme.zone):
            assert contrast(theme.mark, cell, sight) >= LEAST_MARK
        assert contrast(theme.danger, theme.page, sight) >= LEAST_MARK

    @pytest.mark.parametrize("name", skerry.GAMES)
    def test_pieces_show_on_every_cell(self, theme: Theme, name: str) -> None:
        """A piece stands out by its rim or by its body."""
        seats = kind(name).seats
        for seat in (*range(len(seats)), None):
            ink = ink_of(theme, seat, seats)
            for cell in (theme.cell, theme.other_cell, theme.zone):
                assert max(contrast(ink.rim, cell), contrast(ink.body, cell)) >= LEAST_MARK
            assert contrast(ink.pattern, ink.body) >= LEAST_MARK

    @pytest.mark.parametrize("sight", ["full", "greyscale", *SIGHTS])
    @pytest.mark.parametrize("name", skerry.GAMES)
    def test_seats_differ_in_brightness_too(self, theme: Theme, name: str, sight: str) -> None:
        seats = kind(name).seats
        inks = [ink_of(theme, seat, seats) for seat in range(len(seats))]
        for one, other in combinations(inks, 2):
            assert contrast(one.body, other.body, sight) >= 1.5
