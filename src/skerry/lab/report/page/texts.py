"""Numbers and names as a page writes them."""

import re
from collections.abc import Iterable, Mapping, Sequence

from skerry.lab.report.result.compare import POINTS
from skerry.lab.report.result.findings import Difference
from skerry.lab.stats.figures import Figure

LEVEL = re.compile(r"\blevel:(\d+)")


def say_player(text: str) -> str:
    """Players as people say them, in names and in sentences: ``level:3`` is level 3."""
    return LEVEL.sub(r"level \1", text)


def say_players(players: Sequence[str]) -> str:
    """Several players as in a sentence: random and levels 1 to 7."""
    levels = [int(found[1]) for player in players if (found := LEVEL.fullmatch(player))]
    said = [player for player in players if not LEVEL.fullmatch(player)]
    if len(levels) > 2 and levels == list(range(levels[0], levels[-1] + 1)):
        said.append(f"levels {levels[0]} to {levels[-1]}")
    elif levels:
        said.append(f"level{'s' if len(levels) > 1 else ''} {say_list(map(str, levels))}")
    return say_list(said)


def say_list(words: Iterable[str]) -> str:
    """One, two and three."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def say_board(options: Mapping[str, int]) -> str:
    """A board by its size alone: side 5, or 8x8."""
    if "width" in options and "height" in options:
        return f"{options['width']}x{options['height']}"
    name, value = next(iter(options.items()))
    return f"{name.replace('_', ' ')} {value}"


def say_tick(name: str) -> str:
    """A player where there is little room."""
    return LEVEL.sub(r"\1", name)


def say_options(options: Mapping[str, int]) -> str:
    """Options as a person would name them: side 5, pegs 24."""
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in options.items())


def say_count(number: int) -> str:
    return f"{number:,}"


def say_mean(value: float) -> str:
    """Three digits or so."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def say_share(value: float) -> str:
    return f"{100 * value:.1f} %"


def say_mean_range(figure: Figure) -> str:
    return f"{say_mean(figure.low)} to {say_mean(figure.high)}"


def say_share_range(figure: Figure) -> str:
    return f"{100 * figure.low:.1f} to {100 * figure.high:.1f}"


def say_change(difference: Difference) -> str:
    """A difference with its sign and unit."""
    value = difference.difference.value
    scaled = f"{100 * value:+.1f}" if difference.unit == POINTS else f"{value:+.1f}"
    return f"{scaled} {difference.unit}"


def say_change_range(difference: Difference) -> str:
    scale = 100 if difference.unit == POINTS else 1
    ends = (difference.difference.low, difference.difference.high)
    return " to ".join(f"{scale * end:+.1f}" for end in ends)
