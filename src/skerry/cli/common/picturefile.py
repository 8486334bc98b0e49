"""Options and files of pictures, for all commands that draw."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from skerry.cli.common.parameters import number_option, text_option
from skerry.core.errors import OptionsError

if TYPE_CHECKING:
    from skerry.core.scene import Scene

STANDARD_OUTPUT = "-"

SvgFile = Annotated[
    str | None, text_option("--svg", "FILE", "Write the board as SVG; - is standard output.")
]
PngFile = Annotated[
    str | None, text_option("--png", "FILE", "Write the board as PNG; - is standard output.")
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite files that exist.")]
Width = Annotated[
    int,
    number_option("--width", "Width of pictures in pixels, from 16 to 8000.", 16, 8000),
]
Theme = Annotated[
    str,
    text_option(
        "--theme",
        "NAME",
        "Theme of pictures: light, dark or print; +wood or +contrast for another board, "
        "+flat for flat pieces.",
    ),
]


class PictureFiles(NamedTuple):
    """Pictures of a position, which a command writes if they are asked for."""

    svg: SvgFile = None
    png: PngFile = None
    width: Width = 800
    theme: Theme = "light"
    force: Force = False

    def check(self) -> None:
        check_pictures(self.theme, self.force, self.svg, self.png)

    def write(self, scene: "Scene") -> bool:
        """Write what was asked for; True if the standard output is taken by it."""
        from skerry.render import raster
        from skerry.render.svg import draw

        svg, png = self.svg, self.png
        if svg is None and png is None:
            return False
        picture = draw(scene, theme=self.theme)
        if png == STANDARD_OUTPUT:
            sys.stdout.buffer.write(raster.png(picture, self.width))
        elif png is not None:
            Path(png).write_bytes(raster.png(picture, self.width))
        if svg == STANDARD_OUTPUT:
            typer.echo(picture)
        elif svg is not None:
            Path(svg).write_text(picture + "\n", encoding="utf-8")
        return STANDARD_OUTPUT in (svg, png)


OverlayNames = Annotated[
    str | None,
    text_option(
        "--overlay",
        "NAMES",
        "What to explain: standing, targets, guide or focus:CELL; join several with +.",
    ),
]


def check_pictures(theme: str, force: bool, *paths: str | None) -> None:
    """See that pictures can be drawn and written, before there is any work to be lost."""
    from skerry.cli.common.savefile import check_new_place
    from skerry.render.themes import theme_named

    theme_named(theme)  # also without a picture: a name that means nothing is a mistake
    for path in paths:
        if path is None or path == STANDARD_OUTPUT or _is_device(path):
            continue
        check_new_place(path, force)
        if os.path.exists(path) and not os.access(path, os.W_OK):
            raise OptionsError(f"{path} cannot be written: you have no permission to change it")
    if paths.count(STANDARD_OUTPUT) > 1:
        raise OptionsError("only one picture can go to standard output: name a file for the other")


def _is_device(path: str) -> bool:
    """Whether there is something to write on that is no file, such as a pipe."""
    is_there = "\0" not in path and os.access(path, os.W_OK)
    return is_there and not os.path.isfile(path) and not os.path.isdir(path)
