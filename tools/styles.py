"""Write boards.css: boards and pieces on pages, in all styles that can be chosen there.

Run ``python tools/styles.py`` after changing a colour of a board in ``render/themes.py``. Pictures
have their colours as attributes, for those who show them elsewhere. Rules of a style sheet go
before attributes, so a page changes its style without asking for any picture again. Whatever is
used from a definition is reached by inherited properties alone.
"""

from pathlib import Path

from skerry.render.themes import BOARDS, PAPER, PIECES, SHADED, THEMES, Theme, theme_named

ROOT = Path(__file__).resolve().parent.parent
SHEET = ROOT / "src" / "skerry" / "server" / "static" / "styles" / "boards.css"
COLOURS = ("plate", "cell", "other_cell", "zone", "line", "hole")
HEAD = "/* Boards and pieces in all styles, by tools/styles.py, in the colours of pictures. */\n"
RULES = """
svg :is(.plate, .rim) { stroke: var(--board-plate); }
svg .plate { fill: var(--board-plate); }
svg .rim + .plate { fill: var(--board-cell); stroke: var(--board-cell); }
svg .grid { stroke: var(--board-plate); }
svg .cells { fill: var(--board-cell); stroke: var(--board-line); }
svg .cell.other { fill: var(--board-other-cell); }
svg .cell[class*="zone-"] { fill: var(--board-zone); }
.hole { fill: var(--board-hole); stroke: var(--board-plate); }
.light, .shade, .shadows { opacity: var(--shine); }
"""


def write_sheet() -> str:
    """The style sheet."""
    light, dark = (_write_boards(name) for name in ("light", "dark"))
    flat = [
        f':root[data-pieces="{name}"] {{ --shine: 0; }}'
        for name, depth in PIECES.items()
        if depth < SHADED
    ]
    night = ["@media (prefers-color-scheme: dark) {", *(f"  {rule}" for rule in dark), "}"]
    return HEAD + "\n".join([":root { --shine: 1; }", *light, *night, *flat]) + RULES


def _write_boards(theme: str) -> list[str]:
    written = [f":root {{ {_write_colours(THEMES[theme])} }}"]
    for board in BOARDS:
        if board != PAPER:
            colours = _write_colours(theme_named(f"{theme}+{board}"))
            written.append(f':root[data-board="{board}"] {{ {colours} }}')
    return written


def _write_colours(theme: Theme) -> str:
    return " ".join(f"--board-{c.replace('_', '-')}: {getattr(theme, c)};" for c in COLOURS)


if __name__ == "__main__":
    SHEET.write_text(write_sheet(), encoding="utf-8")
