"""Colours: seats and marks can be told apart by everybody, in every theme and in greyscale."""

import re
from itertools import combinations

import numpy as np
import pytest

import skerry
from skerry.games import kind
from skerry.render.explain import LEAST_HEAT, MORE_HEAT
from skerry.render.themes import (
    BOARDS,
    PIECES,
    SHADED,
    THEMES,
    Theme,
    ink_of,
    list_boards,
    mix,
    theme_named,
)
from support.eyes import LEAST_MARK, LEAST_TEXT, SIGHTS, contrast, seen
from support.positions import middle_of

SHAPE = re.compile(r"<(?:path|circle)[^>]*>")
COLOUR = re.compile(r' (?:fill|stroke)="#[0-9a-f]{6}"')
LIGHT = re.compile(r'<[^>]* class="(?:light|shade)"[^>]*>|<g id="peg-shadow">.*?</g>', re.S)


def test_the_ratio_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


def test_red_and_green_of_the_same_brightness_look_alike_to_the_colour_blind() -> None:
    """The simulation simulates: two colours that differ by hue alone nearly become one."""

    def gap(sight: str) -> float:
        return float(np.abs(seen("#c00000", sight) - seen("#5d7200", sight)).max())

    assert gap("full") > 0.3
    assert gap("deuteranopia") < 0.15


STYLED = {
    f"{name}+{board}": theme_named(f"{name}+{board}")
    for name in THEMES
    for board in list_boards(name)
}


@pytest.mark.parametrize("theme", STYLED.values(), ids=STYLED)
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


class TestStyles:
    def test_boards_and_pieces_are_chosen_apart(self) -> None:
        theme = theme_named("dark+wood+flat")
        assert theme.cell == BOARDS["wood"]["dark"]["cell"]
        assert theme.page == THEMES["dark"].page
        assert theme.depth < SHADED
        assert theme_named("dark+flat+wood") == theme

    def test_what_a_theme_has_of_itself_may_be_said(self) -> None:
        for name, theme in THEMES.items():
            assert theme_named(f"{name}+paper+shaded") == theme

    @pytest.mark.parametrize(
        "name", ["wood", "light+", "light+oak", "light+wood+contrast", "print+wood", "+", ""]
    )
    def test_what_is_no_style(self, name: str) -> None:
        with pytest.raises(skerry.OptionsError, match="theme"):
            theme_named(name)

    @pytest.mark.parametrize("pieces", PIECES)
    @pytest.mark.parametrize("board", list_boards("light"))
    @pytest.mark.parametrize("name", skerry.GAMES)
    def test_shapes_and_patterns_stay(self, name: str, board: str, pieces: str) -> None:
        """Without colours, light and shadow, all styles of a piece are drawn by the same shapes."""
        shown = [middle_of(name).svg(theme) for theme in ("light", f"light+{board}+{pieces}")]
        plain, styled = (
            re.findall(r"<(?:path|circle)[^>]*>", LIGHT.sub("", each)) for each in shown
        )
        assert [COLOUR.sub("", shape) for shape in plain] == [COLOUR.sub("", s) for s in styled]
