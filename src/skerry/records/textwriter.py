r"""Records as text: headers, numbered turns, comments and variations, as chess players know them.

    [Game "skew"]
    [Options "side=3 pegs=4"]

    {An example.} 1. c4-w 2. b2-ne (2. b3-nw {closer}) 3. d3-sw *

docs/library/records.md is the reference.
"""

import re
from collections.abc import Iterable

from skerry.core.game import Game
from skerry.core.notation import TURN_JOINT
from skerry.core.options import write_options
from skerry.records.annotations import write_clock
from skerry.records.escapes import escape
from skerry.records.tree import Ply, Record, Step, Track, list_records, needs_position, retrace

WIDTH = 80
QUOTE = '"'
BRACES = "{}"
# A space that a line break may stand for: one alone, since a break reads as exactly one space.
LONE_SPACE = re.compile(r"(?<=[^ ]) (?=[^ ])")


def write_text(records: Record | Iterable[Record]) -> str:
    """Records as text, in the one canonical form."""
    return "\n".join(_write_one(record) for record in list_records(records))


def _write_one(record: Record) -> str:
    headers = {"Game": record.game.name}
    if record.game.options:
        headers["Options"] = write_options(record.game.options)
    if record.seed is not None:
        headers["Seed"] = str(record.seed)
    if needs_position(record):
        headers["Position"] = record.start.position
    headers.update(record.headers)
    words = [*_write_track(retrace(record), record.game), record.result]
    top = "".join(f'[{key} "{escape(value, QUOTE)}"]\n' for key, value in headers.items())
    return f"{top}\n{_fill(words)}\n"


def _write_track(track: Track, game: Game) -> list[str]:
    """The words of a line, between which the text may be broken."""
    words = _write_comments(track.comments)
    steps = track.steps
    first = 0
    while first < len(steps):
        last = first + 1
        while last < len(steps) and steps[last].before.number == steps[first].before.number:
            last += 1
        if not _can_join(steps[first:last], game):
            last = first + 1
        words += _write_turn(steps[first:last], game)
        first = last
    return words


def _can_join(steps: tuple[Step, ...], game: Game) -> bool:
    """Whether these actions of a turn fit in one word such as ``a3-c4``.

    What follows the word is said of its last action, but variations replace all of it; anything
    else has to be written after its own action.
    """
    return game.turns_of_several_actions and not (
        any(_is_annotated(step.ply) for step in steps[:-1])
        or any(step.variations for step in steps[1:])
    )


def _is_annotated(ply: Ply) -> bool:
    return ply != Ply(ply.action, variations=ply.variations)


def _write_turn(steps: tuple[Step, ...], game: Game) -> list[str]:
    before, last = steps[0].before, steps[-1].ply
    dots = "..." if before.begun else "."
    words = [f"{before.number}{dots} {TURN_JOINT.join(step.text for step in steps)}{last.mark}"]
    if clock := write_clock(last.left, last.spent):
        words.append(clock)
    words += _write_comments(last.comments)
    for variation in steps[0].variations:
        inner = _write_track(variation, game)
        inner[0] = "(" + inner[0]
        inner[-1] += ")"
        words += inner
    return words


def _write_comments(comments: Iterable[str]) -> list[str]:
    words = []
    for comment in comments:
        words += LONE_SPACE.split("{" + escape(comment, BRACES) + "}")
    return words


def _fill(words: Iterable[str]) -> str:
    """Words in lines of at most WIDTH characters, where the words allow it."""
    lines, line = [], ""
    for word in words:
        if line and len(line) + 1 + len(word) > WIDTH:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return "\n".join([*lines, line])
