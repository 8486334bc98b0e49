"""Colours. Every seat also has a shape or pattern (``render.pieces``), so none carries meaning
alone; the tests look at all of them through the eyes of the colour-blind and in greyscale.

A theme is named with the styles it is to have: ``dark``, ``dark+wood``, ``light+contrast+flat``.
"""

from dataclasses import dataclass, replace

from skerry.core.errors import OptionsError, shorten

# How much light and shadow there is: on everything, on the sides of what stands up, or nowhere.
SHADED, TONED, PLAIN = 1.0, 0.5, 0.0
JOINT = "+"  # between a theme and its styles


@dataclass(frozen=True)
class Ink:
    """How the pieces of one seat are painted: body, rim, and the pattern upon the body."""

    body: str
    rim: str
    pattern: str


@dataclass(frozen=True)
class Theme:
    """The colours of everything; seats that are named after a colour wear it where there is one."""

    page: str
    plate: str  # the board that cells are cut into
    cell: str
    other_cell: str  # every second square
    zone: str
    line: str
    label: str
    mark: str  # the last move, what is chosen and what may be done
    danger: str
    heat: str
    value: str  # numbers on cells
    hole: str
    nobody: Ink
    named: dict[str, Ink]
    seats: tuple[Ink, ...]
    depth: float = SHADED


NAMED = {
    "White": Ink("#fcfbf7", "#47433b", "#8d877b"),
    "Black": Ink("#2a2a2e", "#050506", "#c9c9cf"),
    "Light": Ink("#fbf1d9", "#54452a", "#4a3b22"),
    "Dark": Ink("#3f2c53", "#1a0f26", "#f6effc"),
    # Red is dark, yellow light and green between them, for those who cannot tell their hues.
    "Red": Ink("#b8202f", "#5c0d16", "#ffe9e6"),
    "Yellow": Ink("#f7d046", "#6f5505", "#574200"),
    "Green": Ink("#3fa17c", "#0f4632", "#06291c"),
}
SEATS = (
    Ink("#f2a93b", "#6e3f00", "#4d2c00"),
    Ink("#2b6fb3", "#0b2a4a", "#f0f7ff"),
    Ink("#7fae4f", "#2c4a15", "#1c300c"),
)
LIGHT = Theme(
    page="#fbf9f4",
    plate="#d9c7a2",
    cell="#f3ebda",
    other_cell="#e2d4b8",
    zone="#dccdab",
    line="#b9a67e",
    label="#5a5144",
    mark="#a3195b",
    danger="#b3261e",
    heat="#1583ad",
    value="#14110c",
    hole="#b39d72",
    nobody=Ink("#1b1b1b", "#000000", "#f3ebda"),
    named=NAMED,
    seats=SEATS,
)
DARK = replace(
    LIGHT,
    page="#1a1c20",
    plate="#2b2f36",
    cell="#4a505b",
    other_cell="#3c424c",
    zone="#353a43",
    line="#23262b",
    label="#b9bec6",
    mark="#ffd166",
    danger="#ff8f85",
    heat="#1f86ad",
    value="#ffffff",
    hole="#23262c",
    nobody=Ink("#0c0c0d", "#f1ede2", "#f1ede2"),
    named=NAMED
    | {
        "Black": Ink("#17181a", "#bfc4cb", "#d4d7dc"),
        "Dark": Ink("#2c1d3d", "#d9c8ec", "#f6effc"),
        "Red": Ink("#b8202f", "#ffb9b4", "#ffe9e6"),
        "Green": Ink("#3fa17c", "#b9f0d8", "#06291c"),
    },
    seats=(SEATS[0], Ink("#2b6fb3", "#b5d6f5", "#f0f7ff"), SEATS[2]),
)
PRINT = replace(
    LIGHT,
    page="#ffffff",
    plate="#c8c8c8",
    cell="#ffffff",
    other_cell="#ececec",
    zone="#e3e3e3",
    line="#8a8a8a",
    label="#222222",
    mark="#000000",
    danger="#000000",
    heat="#777777",
    value="#000000",
    hole="#d8d8d8",
    nobody=Ink("#000000", "#000000", "#ffffff"),
    named={
        "White": Ink("#ffffff", "#000000", "#777777"),
        "Black": Ink("#222222", "#000000", "#dddddd"),
        "Light": Ink("#ffffff", "#000000", "#000000"),
        "Dark": Ink("#222222", "#000000", "#ffffff"),
        "Red": Ink("#333333", "#000000", "#ffffff"),
        "Yellow": Ink("#ffffff", "#000000", "#000000"),
        "Green": Ink("#a6a6a6", "#000000", "#000000"),
    },
    seats=(
        Ink("#ffffff", "#000000", "#000000"),
        Ink("#333333", "#000000", "#ffffff"),
        Ink("#a6a6a6", "#000000", "#000000"),
    ),
    depth=PLAIN,
)
THEMES = {"light": LIGHT, "dark": DARK, "print": PRINT}


# Other boards, by the themes that have them; the first is what a theme has of itself.
PAPER, SHADED_PIECES = "paper", "shaded"
BOARDS: dict[str, dict[str, dict[str, str]]] = {
    PAPER: {},
    "wood": {
        "light": {
            "plate": "#a9713c",
            "cell": "#ecc890",
            "other_cell": "#d9ab6c",
            "zone": "#d8ab6d",
            "line": "#8f5f31",
            "hole": "#9a6a3a",
        },
        "dark": {
            "plate": "#2a1c12",
            "cell": "#5c412b",
            "other_cell": "#4a3321",
            "zone": "#442f1f",
            "line": "#20150d",
            "hole": "#241811",
        },
    },
    "contrast": {
        "light": {
            "plate": "#2a2620",
            "cell": "#ffffff",
            "other_cell": "#dcdcdc",
            "zone": "#d0d0d0",
            "line": "#2a2620",
            "hole": "#9a9a9a",
        },
        "dark": {
            "plate": "#c9ccd1",
            "cell": "#08090a",
            "other_cell": "#24272c",
            "zone": "#2b2f35",
            "line": "#c9ccd1",
            "hole": "#4d535c",
        },
    },
}
PIECES = {SHADED_PIECES: SHADED, "flat": TONED}


def theme_named(name: str) -> Theme:
    """The theme of that name, with the styles that follow it."""
    # In addresses a plus stands for a space.
    base, *styles = name.replace(" ", JOINT).split(JOINT) if isinstance(name, str) else [""]
    if base not in THEMES:
        raise OptionsError(f"there is no theme {shorten(name)}; the themes are {', '.join(THEMES)}")
    theme, chosen = THEMES[base], {"board": False, "pieces": False}
    for style in styles:
        kind = "pieces" if style in PIECES else "board"
        if chosen[kind] or (kind == "board" and style not in list_boards(base)):
            known = ", ".join([*list_boards(base), *PIECES])
            raise OptionsError(
                f"{shorten(name)} is no theme with a board and pieces; {base} may have {known}"
            )
        chosen[kind] = True
        if kind == "board":
            theme = replace(theme, **BOARDS[style].get(base, {}))  # type: ignore[arg-type]
        else:
            theme = replace(theme, depth=min(theme.depth, PIECES[style]))
    return theme


def list_boards(theme: str) -> list[str]:
    """The boards that there are for a theme."""
    return [name for name, colours in BOARDS.items() if name == PAPER or theme in colours]


def ink_of(theme: Theme, seat: int | None, names: tuple[str, ...]) -> Ink:
    """How a seat's pieces are painted, by its name if that is a colour."""
    if seat is None:
        return theme.nobody
    return theme.named.get(names[seat], theme.seats[seat % len(theme.seats)])


def mix(colour: str, other: str, share: float) -> str:
    """A colour with a share of another one in it."""
    pairs = zip(_channels(colour), _channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def _channels(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))
