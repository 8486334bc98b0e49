"""Small pictures beside the main figures: how shares are split, and how a number spreads."""

from collections import Counter
from collections.abc import Iterable, Sequence

from skerry.lab.report.page.paints import Paints
from skerry.lab.report.page.series import SERIES, SeriesStyle
from skerry.render.markup import element

WIDTH, HEIGHT = 240.0, 22.0
BINS = 30


def draw_shares(
    shares: Sequence[float], styles: Sequence[SeriesStyle], even: Sequence[float], paints: Paints
) -> str:
    """A bar in parts, one beside the other, and notches where they would be if all were even."""
    shapes, left = [], 0.0
    for share, style in zip(shares, styles, strict=True):
        width = share / sum(shares) * (WIDTH - 2)
        shapes.append(
            _box(left + 1, 3, width, 14, paints.variable(style.body), paints.variable(style.rim))
        )
        left += width
    return _close([*shapes, *(_notch(place) for place in even)])


def draw_share(share: float, paints: Paints, even: float = 0.5) -> str:
    """A bar that is filled as far as a share goes."""
    colour = paints.variable(SERIES[0].strong)
    full = element("rect", class_="track", x="0", y="3", width=f"{WIDTH:g}", height="14", rx="3")
    part = _box(0, 3, share * WIDTH, 14, colour)
    return _close([full, part, _notch(even)])


def draw_spread(counts: Iterable[tuple[int, int]], paints: Paints) -> str:
    """How often each number came up, from the least to the greatest."""
    found = dict(counts)
    low, high = min(found), max(found)
    step = max(1, -(-(high - low + 1) // BINS))
    bins: Counter[int] = Counter()
    for number, times in found.items():
        bins[(number - low) // step] += times
    wide, most = WIDTH / ((high - low) // step + 1), max(bins.values())
    colour = paints.variable(SERIES[0].strong)
    shapes = [
        _box(place * wide + 0.5, HEIGHT - 2 - times / most * (HEIGHT - 4), wide - 1,
             times / most * (HEIGHT - 4), colour)
        for place, times in sorted(bins.items())
    ]  # fmt: skip
    base = element("path", class_="base", d=f"M0 {HEIGHT - 1:g}H{WIDTH:g}")
    return _close([*shapes, base])


def _box(
    left: float, top: float, width: float, height: float, fill: str, rim: str | None = None
) -> str:
    return element(
        "rect", x=f"{left:.1f}", y=f"{top:.1f}", width=f"{width:.1f}", height=f"{height:.1f}",
        fill=fill, stroke=rim,
    )  # fmt: skip


def _notch(place: float) -> str:
    at = place * WIDTH
    return element("path", class_="notch", d=f"M{at:.1f} 0V{HEIGHT - 2:g}")


def _close(shapes: Sequence[str]) -> str:
    box = f"0 0 {WIDTH:g} {HEIGHT:g}"
    return element(
        "svg", *shapes, class_="spark", viewBox=box, aria_hidden="true", preserveAspectRatio="none"
    )
