"""What there is to see in Skaane: who is in danger, what a pawn may do, and how a game ended."""

from skerry.core.scene import COUNTS, DANGER, PASSED, Arrow, Mark, Overlay, Piece
from skerry.core.state import State
from skerry.core.texts import N_
from skerry.core.view import Happening, View
from skerry.games.skaane.rules import (
    BEATS,
    DIRECTIONS,
    POSITIONING,
    RUNES,
    find_goal,
)
from skerry.games.skaane.variants import LAST_ATTACK, MORE_PAWNS

# Who beats whom, by names.
BEATEN = tuple(
    (name, tuple(RUNES[rune] for rune in beaten)) for name, beaten in zip(RUNES, BEATS, strict=True)
)


HAPPENINGS = (
    Happening("passes own pawns", "skaane.3", "a pawn moves through pawns of its own side"),
    *(
        Happening(f"{rune} takes {victim}", "skaane.4", f"a {rune} attacks a {victim}")
        for rune, beaten in BEATEN
        for victim in beaten
    ),
    Happening("far row", "skaane.5", "a pawn reaches the far row and wins"),
    Happening("no move", "skaane.6", "a seat without a legal move loses"),
    Happening("quiet draw", "skaane.7", "too many actions without an attack"),
)


class SkaaneView(View):
    """What Skaane shows."""

    signs = "Dashed circles show pawns that can move, red signs those that can be taken now."
    counting = "where the winner arrived"
    goal = (
        "Be the first with a pawn on the far row. Pawns move straight, and attack diagonally what "
        "they beat."
    )
    top_seats = (1,)

    @property
    def happening_table(self) -> tuple[Happening, ...]:
        won = Happening("quiet win", "skaane.7", "the quiet limit ends a game, and one seat wins")
        return (*HAPPENINGS, won) if self.game.all_options["quiet_end"] else HAPPENINGS

    def path(self, state: State, action: int) -> tuple[str, ...]:
        origin = self.board.names[action // DIRECTIONS]
        return origin, self.board.names[self._goal(state, action)]

    def legend(self) -> tuple[tuple[Piece, str], ...]:
        return tuple(
            (
                piece,
                N_(f"{rune.capitalize()}: beats {' and '.join(', '.join(beaten).rsplit(', ', 1))}"),
            )
            for piece, (rune, beaten) in zip(self.game.pieces, BEATEN, strict=False)
        )

    def prompts(self, state: State) -> tuple[str, ...]:
        return N_("choose a pawn"), N_("choose where it goes")

    def holdings(self, state: State) -> tuple[str, ...]:
        """How many pawns each seat has, and how far the first of them has to go."""
        rows = self.board.rows
        found = []
        for seat in range(self.game.num_seats):
            own = {cell for cell, piece in state.scene().pieces.items() if piece.seat == seat}
            ahead = rows[::-1] if seat == 0 else rows
            away = next((n for n, row in enumerate(ahead) if own.intersection(row)), 0)
            pawns = N_(f"{len(own)} {'pawn' if len(own) == 1 else 'pawns'}")
            found.append(N_(f"{pawns}, {away} {'row' if away == 1 else 'rows'} to go"))
        return tuple(found)

    def _goal(self, state: State, action: int) -> int:
        """Where a legal action leads."""
        return int(find_goal(self.game.tables, state.array, *divmod(action, DIRECTIONS)))

    def standing(self, state: State) -> Overlay:
        """Which pawns of either seat can be taken at once; at the end, the pawn that made it."""
        if state.outcome is not None:
            winner = state.outcome.winner
            return Overlay(
                marks=tuple(Mark(cell, COUNTS, winner) for cell in self._arrived(state, winner))
            )
        attacks = self._attacks(state)
        marks = tuple(Mark(goal, DANGER) for goal in sorted({goal for _, goal in attacks}))
        names = ", ".join(self.board.names[mark.cell] for mark in marks)
        return Overlay(marks=marks, words=(N_(f"In danger: {names or N_('nobody')}"),))

    def _is_quiet(self, state: State) -> bool:
        """Whether the quiet limit has ended a game."""
        return state.counter >= self.game.options["quiet_limit"]

    def _arrived(self, state: State, seat: int | None) -> list[int]:
        """The pawns of a seat on its far row."""
        if seat is None:
            return []
        far = self.board.rows[-1 if seat == 0 else 0]
        pieces = state.scene().pieces
        return [cell for cell in far if cell in pieces and pieces[cell].seat == seat]

    def happenings(self, before: State, action: int, after: State) -> tuple[str, ...]:
        found = []
        origin, direction = divmod(action, DIRECTIONS)
        goal = self._goal(before, action)
        if direction >= POSITIONING:
            pieces = before.scene().pieces
            found.append(f"{pieces[origin].kind} takes {pieces[goal].kind}")
        elif goal not in self.board.adjacent(origin):
            found.append("passes own pawns")
        if after.outcome is not None:
            winner = after.outcome.winner
            if winner is None:
                found.append("quiet draw")
            elif self._arrived(after, winner):
                found.append("far row")
            else:
                found.append("quiet win" if self._is_quiet(after) else "no move")
        return tuple(found)

    def focus(self, state: State, cell: int) -> Overlay:
        """For a pawn its steps and attacks, own pawns it passes on the way, and who attacks it."""
        attackers = sorted(origin for origin, goal in self._attacks(state) if goal == cell)
        danger = Overlay(
            marks=tuple(Mark(origin, DANGER) for origin in attackers),
            arrows=tuple(
                Arrow(origin, cell, state.scene().pieces[origin].seat) for origin in attackers
            ),
        )
        passed = set()
        for move in state.legal_moves():
            origin, direction = divmod(move.action, DIRECTIONS)
            if origin == cell and direction < POSITIONING:
                line = list(self.board.ray(cell, direction))
                passed |= set(line[: line.index(self._goal(state, move.action))])
        friends = Overlay(marks=tuple(Mark(square, PASSED) for square in sorted(passed)))
        return super().focus(state, cell) + friends + danger

    def _attacks(self, state: State) -> list[tuple[int, int]]:
        """What either seat could attack if it were its turn: origins and goals."""
        rows, turn, *tail = state.position.split()
        letters = self.game.seat_letters
        other = letters[1 - letters.index(turn)]
        found = []
        for at_turn in (state, self.game.position(" ".join([rows, other, *tail]))):
            for action in at_turn.legal_actions().tolist():
                if action % DIRECTIONS >= POSITIONING:
                    found.append((action // DIRECTIONS, self._goal(at_turn, action)))
        return found

    def guide(self) -> Overlay:
        # That all beat a sun is said once, where it stands.
        rest = (BEATEN[-1],)
        rows = tuple((rune, tuple(b for b in beaten if b != RUNES[-1])) for rune, beaten in BEATEN)
        return Overlay(beats=rows[:-1] + rest)

    def explain(self, state: State, returns: tuple[float, ...], score: tuple[int, ...]) -> str:
        seats = self.game.seats
        if max(returns) <= 0:
            limit = self.game.options["quiet_limit"]
            return N_(
                f"draw: {limit} {'move' if limit == 1 else 'moves in a row'} without an attack"
            )
        winner = returns.index(max(returns))
        if self._arrived(state, winner):
            return N_(f"{seats[winner]} reaches the far row and wins")
        if self._is_quiet(state):
            limit = self.game.options["quiet_limit"]
            end = self.game.all_options["quiet_end"]
            if end == LAST_ATTACK:
                pawns = len(state.scene().pieces)
                everybody = pawns == 4 * self.game.options["width"]
                why = N_("did not have to attack") if everybody else N_("attacked last")
            else:
                why = N_("has more pawns") if end == MORE_PAWNS else N_("is nearer to the far row")
            return N_(f"after {limit} moves without an attack {seats[winner]} wins, who {why}")
        return N_(f"{seats[1 - winner]} has no legal move, so {seats[winner]} wins")
