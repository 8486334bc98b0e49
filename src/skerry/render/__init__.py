"""Scenes made visible: text for terminals, SVG for everything else.

Importing this package registers both faces. Each renderer is loaded when it is first asked for,
so that registering them costs nothing.
"""

from typing import Any

from skerry.core.scene import FACES, Scene


def draw_text(scene: Scene, **choices: Any) -> str:
    """The scene for a terminal; see ``skerry.render.text``."""
    from skerry.render.text import draw

    return draw(scene, **choices)


def draw_svg(scene: Scene, **choices: Any) -> str:
    """The scene as SVG; see ``skerry.render.svg``."""
    from skerry.render.svg import draw

    return draw(scene, **choices)


FACES.update(text=draw_text, svg=draw_svg)
