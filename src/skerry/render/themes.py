"""Colours. Every seat also has a pattern (``render.pieces``), so none of these carries meaning
alone."""

from dataclasses import dataclass

from skerry.core.errors import OptionsError


@dataclass(frozen=True)
class Ink:
    """How the pieces of one seat are painted: body, rim, and the pattern upon the body."""

    body: str
    rim: str
    pattern: str


@dataclass(frozen=True)
class Theme:
    """The colours of everything but the pieces."""

    page: str
    cell: str
    other_cell: str  # every second square
    zone: str
    line: str
    label: str
    mark: str
    hole: str
    nobody: Ink


THEMES = {
    "light": Theme(
        page="#fbf9f4",
        cell="#f1e9d8",
        other_cell="#dfd2b6",
        zone="#d9ccb0",
        line="#b3a37f",
        label="#5f574a",
        mark="#a3195b",
        hole="#8d7f61",
        nobody=Ink("#1b1b1b", "#000000", "#f1e9d8"),
    ),
    "dark": Theme(
        page="#1b1d21",
        cell="#4b515d",
        other_cell="#3a3f49",
        zone="#667080",
        line="#24272c",
        label="#b4b9c1",
        mark="#ffcf5c",
        hole="#17181b",
        nobody=Ink("#0b0b0c", "#e8e4da", "#e8e4da"),
    ),
}

# A seat that is named after a colour wears it; others are told apart by their number.
NAMED_INKS = {
    "White": Ink("#fdfdfa", "#3a3a3a", "#8a8a86"),
    "Light": Ink("#fbf3df", "#4a3f2a", "#4a3f2a"),
    "Black": Ink("#242424", "#8c8c8c", "#c9c9c9"),
    "Dark": Ink("#3b2a4d", "#a793bd", "#f3ecfa"),
    "Red": Ink("#c5303a", "#6d1219", "#ffe3e3"),
    "Yellow": Ink("#f4ca2e", "#7d6106", "#5c4600"),
    "Green": Ink("#2f8f5b", "#124a2c", "#eafff2"),
}
SEAT_INKS = (
    Ink("#f0a63a", "#7a4700", "#4d2d00"),
    Ink("#2f7cc4", "#0d2f52", "#eef6ff"),
    Ink("#6a9f3d", "#2f4d17", "#f4ffe9"),
)


def theme_named(name: str) -> Theme:
    """The theme of that name."""
    if name not in THEMES:
        raise OptionsError(f"there is no theme {name!r}; the themes are {', '.join(THEMES)}")
    return THEMES[name]


def ink_of(seat: int, name: str) -> Ink:
    """How a seat's pieces are painted, by its name if that is a colour."""
    return NAMED_INKS.get(name, SEAT_INKS[seat % len(SEAT_INKS)])
