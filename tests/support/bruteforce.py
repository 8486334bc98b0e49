"""Brute force in plain Python, for the exact solver to be compared with."""

import skerry

Returns = tuple[float, ...]


class TooMany(Exception):
    """Brute force would take too long."""


class BruteForce:
    """Minimax and max-n without any pruning, over the public face of states."""

    def __init__(self, most: int = 10**9) -> None:
        self.most = most
        self.known: dict[skerry.State, Returns] = {}
        self.winning: dict[tuple[skerry.State, int], bool] = {}

    def returns(self, state: skerry.State) -> Returns:
        if state not in self.known:
            if len(self.known) >= self.most:
                raise TooMany
            self.known[state] = (
                state.outcome.returns
                if state.outcome
                else max(self.choices(state), key=self.preference(state))
            )
        return self.known[state]

    def choices(self, state: skerry.State) -> list[Returns]:
        return [self.returns(state.play(move)) for move in state.legal_moves()]

    @staticmethod
    def preference(state: skerry.State):  # type: ignore[no-untyped-def]
        """Own returns first, then those of the seats that follow, in turn order."""
        seat, seats = state.to_move or 0, state.game.num_seats
        return lambda returns: [returns[(seat + step) % seats] for step in range(seats)]

    def optimal(self, state: skerry.State) -> set[str]:
        best = self.returns(state)
        moves = state.legal_moves()
        return {str(move) for move in moves if self.returns(state.play(move)) == best}

    def forces(self, state: skerry.State, seat: int) -> bool:
        if (state, seat) not in self.winning:
            if state.outcome:
                found = state.outcome.winner == seat
            else:
                after = [self.forces(state.play(move), seat) for move in state.legal_moves()]
                found = any(after) if state.to_move == seat else all(after)
            self.winning[state, seat] = found
        return self.winning[state, seat]


def agree(solution: skerry.Solution, state: skerry.State, brute: BruteForce) -> None:
    assert solution.returns == brute.returns(state)
    assert {str(move) for move in solution.optimal_moves} == brute.optimal(state)
    assert set(solution.optimal_moves) <= set(state.legal_moves())
    seats = range(state.game.num_seats)
    assert solution.forceable == tuple(brute.forces(state, seat) for seat in seats)
