"""Colours by day and by night: a picture is drawn once, and the style sheet chooses.

Every pair of colours becomes a variable of the page. Boards are drawn in both themes, which differ
in nothing but colours, and are laid one upon the other; plots are drawn in variables. They stand in
attributes, as colours of pictures do: style sheets go before them, and no policy forbids them.
"""

import re
from dataclasses import dataclass, field

BOTH = ("light", "dark")  # themes, in the order of a pair
PAINT = re.compile(r' (fill|stroke|stop-color)="(#[0-9a-f]{6})"')
USED = re.compile(r"(?:href=\"|url\()#([\w.-]+)")


def drop_ids(svg: str) -> str:
    """A picture without the ids that nothing in it refers to: on a page they are many."""
    used = set(USED.findall(svg))
    return re.sub(
        r' id="([\w.-]+)"', lambda found: found.group() if found.group(1) in used else "", svg
    )


@dataclass(frozen=True)
class Pair:
    """A colour on light pages and its counterpart on dark ones."""

    light: str
    dark: str


@dataclass
class Paints:
    """The pairs that a page uses, in the order in which they were asked for."""

    pairs: list[Pair] = field(default_factory=list)

    def variable(self, pair: Pair) -> str:
        """What to paint with, so that the style sheet chooses between both colours."""
        if pair not in self.pairs:
            self.pairs.append(pair)
        return f"var(--c{self.pairs.index(pair) + 1})"

    def blend(self, light: str, dark: str) -> str:
        """One picture from the same one in two themes."""
        nights = iter(PAINT.findall(dark))

        def take(found: re.Match[str]) -> str:
            (name, day), (_, night) = found.groups(), next(nights)
            if day == night:
                return found.group()
            return f' {name}="{self.variable(Pair(day, night))}"'

        return drop_ids(PAINT.sub(take, light))

    def rules(self, theme: str) -> str:
        """The variables of one theme, for the style sheet."""
        return "".join(f"--c{n}:{getattr(pair, theme)};" for n, pair in enumerate(self.pairs, 1))
