"""Colours: seats and marks can be told apart by everybody, in every theme and in greyscale."""

from itertools import combinations

import numpy as np
import pytest

import skerry
from skerry.games import kind
from skerry.render.explain import LEAST_HEAT, MORE_HEAT
from skerry.render.themes import THEMES, Theme, ink_of, mix
from support.eyes import LEAST_MARK, LEAST_TEXT, SIGHTS, contrast, seen


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
