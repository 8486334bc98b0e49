"""Planned answers as lines of play: "if they play A, I answer B, and if then C, D".

Lines are a tree in which others may go any way and the seat itself one way only. They begin where
the game stood when they were made, so they count for as long as the game follows one of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from skerry.core.errors import SkerryError
from skerry.core.playthrough import Playthrough
from skerry.server.play.clocks import DAYS
from skerry.server.play.deeds import keep_line, play
from skerry.server.play.table import Table
from skerry.server.web.errors import Refusal

MOST_LINES = 50
MOST_ACTIONS = 500  # in all lines of a seat

Actions = tuple[int, ...]


@dataclass(frozen=True)
class Conditions:
    """What a seat has planned: lines of actions from a certain ply on."""

    seat: int
    ply: int
    lines: tuple[Actions, ...]

    def left(self, table: Table) -> tuple[Actions, ...]:
        """What is left of the lines that the game has followed so far."""
        played = tuple(ply.action for ply in table.plies[self.ply :])
        count = len(played)
        return tuple(
            line[count:] for line in self.lines if line[:count] == played and len(line) > count
        )


def can_plan(table: Table) -> bool:
    """Whether a game is slow enough for plans: by days for a move, or without a clock."""
    return table.clock is None or table.clock.kind == DAYS


def read_conditions(table: Table, seat: int, written: Sequence[Sequence[str]]) -> Conditions:
    """What somebody plans, checked by playing it all; each line is made of moves or whole turns."""
    if table.is_over:
        raise Refusal("the game is over: there is nothing left to plan")
    if not can_plan(table):
        raise Refusal("answers are planned in games by days for a move, or without a clock")
    if table.to_move == seat:
        raise Refusal("it is your turn: make your move, then plan how to go on")
    if len(written) > MOST_LINES:
        raise Refusal(f"at most {MOST_LINES} lines can be planned; delete some")
    lines: list[Actions] = []
    answers: dict[Actions, Playthrough] = {}
    for number, moves in enumerate(written, 1):
        try:
            points = _list_points(table, moves)
        except SkerryError as error:
            raise Refusal(f"line {number}: {error}") from None
        line = tuple(point.action for point in points if point.action is not None)
        if not points or points[-1].mover != seat:
            raise Refusal(f"line {number}: a line ends with an answer of {table.name_of(seat)}")
        for size, point in enumerate(points):
            known = answers.setdefault(line[:size], point) if point.mover == seat else point
            if known.action != point.action:
                raise Refusal(
                    f"line {number}: {point.move} is a second answer beside {known.move}; "
                    "plan one of them"
                )
        lines.append(line)
        if sum(map(len, lines)) > MOST_ACTIONS:
            raise Refusal(f"at most {MOST_ACTIONS} moves can be planned; delete some lines")
    return Conditions(seat, len(table.plies), _drop_parts(lines))


def _list_points(table: Table, moves: Sequence[str]) -> tuple[Playthrough, ...]:
    """Where a line stands after each of its actions."""
    return table.line.follow(moves).since(table.line.plies)


def _drop_parts(lines: list[Actions]) -> tuple[Actions, ...]:
    """The lines without those that others go on from, each once."""
    beginnings = {line[:size] for line in lines for size in range(len(line))}
    return tuple(line for line in dict.fromkeys(lines) if line not in beginnings)


def follow(table: Table, planned: Mapping[int, Conditions], now: int) -> Table:
    """The table after all answers that were planned for where it stands.

    An answer may be what another seat has waited for. That comes to an end, since every action
    takes the game further along lines that were finite to begin with. An offer of a draw is not
    passed over by a plan that was made before: then whoever planned decides anew.
    """
    after = table
    while after.to_move is not None and after.draw is None:
        found = planned.get(after.to_move)
        left = found.left(after) if found is not None else ()
        if not left:
            break
        try:
            after = play(after, [left[0][0]], now)
        except SkerryError:  # the rules were mended since; whoever planned moves by hand
            break
    if after is table:
        return table
    # All of it is one change: nobody could have acted in between.
    whole = replace(after, version=table.version, revision=table.revision)
    return keep_line(whole, after.line)


def list_kept(before: Table, after: Table, planned: Mapping[int, Conditions]) -> set[int]:
    """The seats whose plans still mean something.

    They do not once the game is over, moves were taken back, or somebody else sits there.
    """
    if after.is_over or len(after.plies) < len(before.plies):
        return set()
    return {
        seat
        for seat, found in planned.items()
        if found.left(after) and before.seats[seat].secret == after.seats[seat].secret
    }
