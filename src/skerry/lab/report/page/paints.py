"""Colours by day and by night: a picture is drawn once, and the style sheet chooses.

Every pair of colours becomes a variable of the page. Boards are drawn in both themes, which differ
in nothing but colours, and are laid one upon the other; plots are drawn in stand-ins, colours that
nothing else has, which then give way to the variables.
"""

import re
from dataclasses import dataclass, field

BOTH = ("light", "dark")  # themes, in the order of a pair
PAINT = re.compile(r' (fill|stroke|stop-color)="(#[0-9a-f]{6})"')
TAG = re.compile(r"<[a-zA-Z][^>]*>")
USED = re.compile(r"(?:href=\"|url\()#([\w.-]+)")
STAND_IN = re.compile(r"#0000(?!00)([0-9a-f]{2})\b")


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

    def number(self, pair: Pair) -> int:
        """The number of a pair, from 1: black is no stand-in."""
        if pair not in self.pairs:
            self.pairs.append(pair)
        return self.pairs.index(pair) + 1

    def variable(self, pair: Pair) -> str:
        return f"var(--c{self.number(pair)})"

    def stand_in(self, pair: Pair) -> str:
        """What to draw with where variables are not understood."""
        return f"#0000{self.number(pair):02x}"

    def fill_in(self, svg: str) -> str:
        """A picture with its stand-ins made variables."""
        return STAND_IN.sub(lambda found: f"var(--c{int(found.group(1), 16)})", svg)

    def blend(self, light: str, dark: str) -> str:
        """One picture from the same one in two themes."""
        nights = iter(PAINT.findall(dark))

        def repaint(tag: re.Match[str]) -> str:
            styles: list[str] = []

            def take(found: re.Match[str]) -> str:
                (name, day), (_, night) = found.groups(), next(nights)
                if day == night:
                    return found.group()
                styles.append(f"{name}:{self.variable(Pair(day, night))}")
                return ""

            text = PAINT.sub(take, tag.group())
            if not styles:
                return text
            end = len(text) - (2 if text.endswith("/>") else 1)
            return f'{text[:end]} style="{";".join(styles)}"{text[end:]}'

        return drop_ids(TAG.sub(repaint, light))

    def rules(self, theme: str) -> str:
        """The variables of one theme, for the style sheet."""
        return "".join(f"--c{n}:{getattr(pair, theme)};" for n, pair in enumerate(self.pairs, 1))
