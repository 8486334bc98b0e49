"""Colours as people see them: in full, in greyscale, and without some of the cones.

Colour vision is simulated by the matrices of Viénot, Brettel and Mollon (1999) on linear light.
"""

import numpy as np

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
