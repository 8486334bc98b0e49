"""What there is to see in Skirt: chains and the sides they join, and what an outer hex reaches."""

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from skerry.board import groups, hexagon_sides, joining_lines
from skerry.core import bits
from skerry.core.bits import NONE
from skerry.core.kernels import kernel
from skerry.core.rules import Actions, States, TablesArray
from skerry.core.scene import COUNTS, PASSED, SELECTED, TARGET, Chain, Mark, Overlay, Side
from skerry.core.state import State
from skerry.core.texts import N_
from skerry.core.view import Happening, View
from skerry.games.skirt.rules import NO_CELL, SIDES, add_free, deciding_sides, list_goals

# In the order of ``hexagon_sides``: against the clock from the bottom.
SIDE_NAMES = (
    N_("bottom"),
    N_("lower right"),
    N_("upper right"),
    N_("top"),
    N_("upper left"),
    N_("lower left"),
)


@kernel
def list_reach(tables: TablesArray, states: States, outer: int, out: Actions) -> int:
    """The inner cells that are reachable from an outer cell in ``states[0]``."""
    s = states[0]
    for w in range(s.work.shape[0]):
        s.work[w] = NONE
    add_free(tables[0], s, outer)
    return bits.list_all(s.work, out)


class SkirtView(View):
    """What Skirt shows."""

    signs = "Dots show where a piece may go, rings and lines a chain and the sides it has joined."
    counting = "the winning chain"
    goal = (
        "Connect two opposite sides of the board, or three sides of which none are neighbours, "
        "with one chain of your pieces."
    )
    happening_table = (
        Happening("rim and inner", "skirt.3", "a turn of two pieces, on the rim and inside"),
        Happening("inner only", "skirt.3", "a turn that skips the rim"),
        Happening("jump", "skirt.4", "an inner hex that is reached only by jumping pieces"),
        Happening("rim only", "skirt.5", "nothing can be reached, so the turn ends on the rim"),
        Happening("pass", "skirt.6", "a seat cannot place and passes"),
        Happening("draw", "skirt.6", "neither seat can place"),
        Happening("opposite sides", "skirt.7", "two opposite sides are connected and win"),
        Happening("alternate sides", "skirt.7", "three alternate sides are connected and win"),
        Happening("win on the rim", "skirt.7", "the first of two placements wins at once"),
    )

    def prompts(self, state: State) -> tuple[str, ...]:
        if state.legal_actions()[0] == self.game.notation.pass_action:
            return (N_("nothing can be placed: pass"),)
        pending = int(state.raw["pending"])
        if pending != NO_CELL:
            return (N_(f"now a dotted hex inside, in line with {self.board.names[pending]}"),)
        if state.raw["placed"] == 0:
            return (N_("put a piece on the rim"),)
        return (N_("put a piece on the rim, or on a dotted hex inside"),)

    def holdings(self, state: State) -> tuple[str, ...]:
        """How many sides the best chain of each seat touches."""
        widest = [len(self._widest_chain(state, seat)[1]) for seat in range(self.game.num_seats)]
        return tuple(N_(f"touches {n} {'side' if n == 1 else 'sides'}") for n in widest)

    @cached_property
    def zones(self) -> Mapping[int, str]:
        touching = self.game.tables["touching"][0]
        return {int(cell): "outer" for cell in np.flatnonzero(touching)}

    @cached_property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The cells of every side."""
        return hexagon_sides(self.board)

    def standing(self, state: State) -> Overlay:
        """Of each seat the chain that joins most sides; of the winner the sides that it joins."""
        total = Overlay()
        for seat, name in enumerate(self.game.seats):
            if state.outcome is not None and state.outcome.winner not in (seat, None):
                continue
            chain, joined = self._widest_chain(state, seat)
            if state.outcome is not None:
                joined = list(self._decide(joined))
            # Sides that meet in a corner are no step towards a win.
            if not any(2 <= b - a <= SIDES - 2 for a in joined for b in joined):
                continue
            lines = joining_lines(self.board, chain, [self.sides[side] for side in joined])
            ways = ", ".join(SIDE_NAMES[side] for side in joined)
            total += Overlay(
                marks=tuple(Mark(cell, COUNTS, seat) for cell in sorted(set().union(*lines))),
                chains=tuple(Chain(line, seat) for line in lines),
                sides=tuple(
                    Side(self.sides[side][0], self.sides[side][-1], seat) for side in joined
                ),
                words=(N_(f"{name} joins {ways}"),),
            )
        return total

    def _widest_chain(self, state: State, seat: int) -> tuple[set[int], list[int]]:
        """The chain of a seat that touches most sides, and those sides."""
        chains = [
            (chain, [number for number, side in enumerate(self.sides) if chain.intersection(side)])
            for chain in groups(self.board, bits.members(state.raw["stones"][seat]))
        ]
        won = [found for found in chains if self._decide(found[1])]
        return max(won or chains, key=lambda found: len(found[1]), default=(set(), []))

    def _decide(self, sides: list[int]) -> tuple[int, ...]:
        """Of the sides that a chain touches, those that win it the game."""
        goals = list_goals(self.game.all_options["alternate"])
        return deciding_sides(sum(1 << side for side in sides), goals)

    def happenings(self, before: State, action: int, after: State) -> tuple[str, ...]:
        if action == self.game.notation.pass_action:
            return ("pass",) if after.outcome is None else ("pass", "draw")
        found = []
        pending = int(before.raw["pending"])
        if action not in self.zones:
            found.append("inner only" if pending == NO_CELL else "rim and inner")
            if self._is_jump(before, action):
                found.append("jump")
        elif after.outcome is None and before.to_move != after.to_move and before.scene().pieces:
            found.append("rim only")
        if after.outcome is not None and after.outcome.winner is not None:
            _, joined = self._widest_chain(after, after.outcome.winner)
            two = len(self._decide(joined)) == 2
            found.append("opposite sides" if two else "alternate sides")
            if action in self.zones:
                found.append("win on the rim")
        return tuple(found)

    def _is_jump(self, before: State, action: int) -> bool:
        """Whether pieces are jumped on every line that reaches an inner hex."""
        pending, own = int(before.raw["pending"]), bits.members(before.raw["stones"][before.turn])
        starts = own.intersection(self.zones) if pending == NO_CELL else {pending}
        return all(
            self._list_jumped(before, start, {action})
            for start in starts
            if action in self._list_reach(before, start)
        )

    def _list_reach(self, state: State, outer: int) -> set[int]:
        """The inner hexes that are reachable from an outer one (skirt.4)."""
        out = np.empty(self.game.num_actions, np.int32)
        count = list_reach(self.game.tables, np.array([state.raw]), outer, out)
        return set(out[:count].tolist())

    def _list_jumped(self, state: State, outer: int, reached: set[int]) -> set[int]:
        """The pieces between an outer hex and those that it reaches."""
        occupied, jumped = state.scene().pieces, set()
        for direction in range(SIDES):
            line = list(self.board.ray(outer, direction))
            ends = [place for place, found in enumerate(line) if found in reached]
            jumped |= {found for found in line[: max(ends, default=0)] if found in occupied}
        return jumped

    def focus(self, state: State, cell: int) -> Overlay:
        """From an outer hex the inner ones in reach, and what is jumped on the way."""
        if cell not in self.zones:
            return super().focus(state, cell)
        reach = self._list_reach(state, cell)
        marks = [Mark(cell, SELECTED), *(Mark(c, TARGET) for c in sorted(reach))]
        marks += [Mark(c, PASSED) for c in sorted(self._list_jumped(state, cell, reach))]
        count = len(reach)
        word = N_(f"{self.board.names[cell]} reaches {count} inner hex{'' if count == 1 else 'es'}")
        return Overlay(marks=tuple(marks), words=(word,))

    def explain(self, state: State, returns: tuple[float, ...], score: tuple[int, ...]) -> str:
        if max(returns) <= 0:
            return N_("draw: neither seat can place")
        winner = returns.index(max(returns))
        _, joined = self._widest_chain(state, winner)
        opposite = len(self._decide(joined)) == 2
        what = N_("two opposite sides") if opposite else N_("three alternate sides")
        return N_(f"{self.game.seats[winner]} connects {what} and wins")
