"""Observations and pictures as the spaces and frames that Gymnasium and PettingZoo know."""

from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.core.extras import needs
from skerry.core.state import State
from skerry.nets.layout import Layout
from skerry.render.raster import png
from skerry.rl.seeing import MOST_SHOWN

with needs("rl", "a space of observations"):
    from gymnasium import spaces

RENDER_MODES = ["ansi", "rgb_array"]
RENDER_FPS = 2  # of films that others make of the frames
RENDER_WIDTH = 480  # pixels


def space_of(layout: Layout) -> spaces.Box:
    """The space of observations: bits, but for the counter.

    With exact bounds nobody takes it for one of images, whose bytes would be divided by 255.
    """
    high = np.ones(layout.shape, np.uint8)
    if layout.counter >= 0:
        high.reshape(-1)[layout.counter :] = MOST_SHOWN
    return spaces.Box(np.zeros_like(high), high, dtype=np.uint8)


def mask_space(num_actions: int) -> spaces.Box:
    """The space of masks of legal actions."""
    return spaces.Box(0, 1, (num_actions,), np.int8)


def render(state: State, mode: str | None) -> Any:
    """The board as text, or as pixels [height, width, 3]."""
    if mode != "rgb_array":
        return state.text() if mode == "ansi" else None
    from PIL import Image  # noqa: PLC0415  # takes a while

    picture = Image.open(BytesIO(png(state.svg(), RENDER_WIDTH)))
    pixels: NDArray[np.uint8] = np.asarray(picture.convert("RGB"))
    return pixels
