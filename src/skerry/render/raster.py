"""Pictures in pixels: PNG, and films as GIF, WebP or animated PNG."""

from collections.abc import Generator, Sequence
from io import BytesIO
from pathlib import PurePath
from typing import Any

from skerry.core.errors import OptionsError, shorten
from skerry.core.options import whole_number

NARROWEST, WIDEST = 16, 8000  # pixels
# What Pillow calls the formats of films, and how it is to save them.
FILMS: dict[str, tuple[str, dict[str, Any]]] = {
    ".gif": ("GIF", {"optimize": True, "disposal": 1}),
    ".webp": ("WEBP", {"lossless": True, "method": 2}),  # 4 takes twice as long for 8 % less
    ".png": ("PNG", {}),
}


def png(svg: str, width: int = 800) -> bytes:
    """An SVG picture as PNG, so many pixels wide."""
    import resvg_py

    width = whole_number("width", width, WIDEST, NARROWEST)
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True))


def film_format(file: str) -> str:
    """The ending of a film's file name; OptionsError if it is none that we can write."""
    ending = PurePath(file).suffix.lower()
    if ending not in FILMS:
        raise OptionsError(
            f"{shorten(file)} is not a film file: its name must end in {', '.join(FILMS)}"
        )
    return ending


def film(svgs: Sequence[str], ending: str, width: int = 480, seconds: float = 0.8) -> bytes:
    """Pictures of one size, one after another; the last one is shown four times as long."""
    shooting = shoot(svgs, ending, width, seconds)
    while True:
        try:
            next(shooting)
        except StopIteration as end:
            return bytes(end.value)


def shoot(
    svgs: Sequence[str], ending: str, width: int = 480, seconds: float = 0.8
) -> Generator[int, None, bytes]:
    """The same, telling how many pictures are drawn: that takes longer than all else."""
    from PIL import Image

    frames: list[Image.Image] = []
    for svg in svgs:
        frames.append(Image.open(BytesIO(png(svg, width))).convert("RGB"))
        yield len(frames)
    if ending == ".gif":
        # One palette for all, or colours flicker from frame to frame.
        palette = frames[-1].quantize(255, dither=Image.Dither.NONE)
        frames = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    durations = [round(1000 * seconds)] * (len(frames) - 1) + [round(4000 * seconds)]
    kind, choices = FILMS[ending]
    saved = BytesIO()
    frames[0].save(
        saved,
        format=kind,
        save_all=True,
        append_images=frames[1:],
        duration=durations,
        loop=0,
        **choices,
    )
    return saved.getvalue()
