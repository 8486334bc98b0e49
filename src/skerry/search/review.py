"""A game reviewed by the engine: what every move was worth, and what would have been better.

A move is judged by searches of equal size, one of the position after it and one of the position
after the move that the engine liked best. Values from within one search would not do: there the
best move gets most of the simulations and the others too few for a fair comparison.
A move is marked for what the search of the position before it expected as well: of two estimates of
the same thing the lower one counts, so that nobody is blamed for what the searches are in doubt of.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from skerry.core.errors import OptionsError, RecordError, shorten
from skerry.core.playthrough import Playthrough
from skerry.core.state import Move, State
from skerry.nets.file import Net
from skerry.records import Line, Ply, Record
from skerry.search.analysis import Analysis
from skerry.search.engine import analyse
from skerry.search.tree import WIN

# What a move has to lose for its mark, in returns: a game is worth 1 to the winner.
MARKS = ((0.3, "??"), (0.2, "?"), (0.1, "?!"))
MILDEST = MARKS[-1][1]
# So much between what is certain and what is estimated is no mistake yet: no estimate is sure.
DOUBT = 0.5
LONGEST_VARIATION = 12
# Comments and variations that begin so are replaced when a record is reviewed again.
SIGNATURE = "engine: "


@dataclass(frozen=True)
class MoveReview:
    """A move that was played, and the one that should have been."""

    turn: str  # as records number it: 3. or, within a turn that has begun, 3...
    seat: int
    move: Move
    values: tuple[float, ...]  # for every seat, after the move
    proven: bool
    best: Move
    best_values: tuple[float, ...]  # for every seat, after the best move
    best_proven: bool
    line: tuple[Move, ...]  # what the best move leads to; the move itself is the first
    loss: float  # of the return that the seat could expect; 0 if no better move was found
    mark: str  # ??, ?, ?! or nothing


@dataclass(frozen=True)
class Review:
    """All moves of a record's main line, reviewed."""

    record: Record
    moves: tuple[MoveReview, ...]

    @property
    def mistakes(self) -> tuple[MoveReview, ...]:
        """The marked moves, the worst first."""
        marked = (move for move in self.moves if move.mark)
        return tuple(sorted(marked, key=lambda move: -move.loss))

    def annotated(self) -> Record:
        """The record with values as comments and better lines as variations.

        What others wrote stays; what an earlier review wrote is replaced.
        """
        plies = [
            _annotate(ply, judged, self.record.game.seats)
            for ply, judged in zip(self.record.line.plies, self.moves, strict=True)
        ]
        return replace(self.record, line=replace(self.record.line, plies=tuple(plies)))


@dataclass(frozen=True)
class _Appraisal:
    """What is known about a position after a search, or about the end of a game."""

    values: tuple[float, ...]
    proven: bool
    line: tuple[Move, ...] = ()
    found: Analysis | None = None


def review(
    record: Record,
    simulations: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    threads: int = 1,
    net: Net | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> Review:
    """Review the main line of a record; the budget is for each position.

    There is one search for each move, and one more where the engine would have played another; a
    ``net`` guides them if there is one.
    ``tell`` hears how many steps are done, and of how many.
    """
    if not isinstance(record, Record):
        raise RecordError(
            f"a Record is needed, not {shorten(record)}; skerry.records reads and makes them"
        )
    actions = [ply.action for ply in record.line.plies]
    if not actions:
        raise OptionsError("the record has no moves: there is nothing to review")
    budget = {
        "simulations": simulations,
        "seconds": seconds,
        "seed": seed,
        "threads": threads,
        "net": net,
    }
    points = record.play.points
    progress = _StepCounter(tell, len(points) + len(actions))
    verdicts = []
    for point in points:
        verdicts.append(_judge(point.state, budget))
        progress.step()
    verdicts = _carry_wins_back(points, verdicts)
    moves = []
    for i, action in enumerate(actions):
        moves.append(_review_move(points[i], action, verdicts[i], verdicts[i + 1], budget))
        progress.step()
    return Review(record, tuple(moves))


class _StepCounter:
    """Counts steps and tells about them."""

    def __init__(self, tell: Callable[[int, int], None] | None, total: int) -> None:
        self.tell = tell
        self.done = 0
        self.total = total

    def step(self) -> None:
        self.done += 1
        if self.tell is not None:
            self.tell(self.done, self.total)


def _carry_wins_back(points: Sequence[Playthrough], verdicts: list[_Appraisal]) -> list[_Appraisal]:
    """Where a seat played a move that is now known to win, its position was won already.

    A search may have been too small to see that before the move was made.
    """
    known = list(verdicts)
    for i in reversed(range(len(points) - 1)):
        seat, after = points[i].state.to_move, known[i + 1]
        if seat is not None and after.proven and after.values[seat] >= WIN:
            known[i] = replace(known[i], values=after.values, proven=True)
    return known


def _judge(state: State, budget: dict[str, Any]) -> _Appraisal:
    if state.outcome is not None:
        return _Appraisal(state.outcome.returns, True)
    found = analyse(state, **budget)
    return _Appraisal(found.values, found.proven, found.pv, found)


def _review_move(
    here: Playthrough, action: int, before: _Appraisal, after: _Appraisal, budget: dict[str, Any]
) -> MoveReview:
    state, seat = here.state, here.state.to_move
    if before.found is None or seat is None:
        raise OptionsError("the record continues after the end of the game")
    candidates = {int(candidate.move): candidate for candidate in before.found.moves}
    played, favourite = candidates[action], before.found.moves[0]
    if played.proven and not after.proven:
        after = _Appraisal(played.values, True, played.pv[1:])
    if played.move == favourite.move:
        best = after
    elif favourite.proven:
        best = _Appraisal(favourite.values, True, favourite.pv[1:])
    else:
        best = _judge(state.play(favourite.move), budget)
    loss = max(0.0, best.values[seat] - after.values[seat])
    sure = loss if best.proven else min(loss, before.values[seat] - after.values[seat])
    if loss == 0:  # the move itself is as good as any
        favourite, best = played, after
    return MoveReview(
        turn=f"{here.number}{'...' if here.begun else '.'}",
        seat=seat,
        move=played.move,
        values=after.values,
        proven=after.proven,
        best=favourite.move,
        best_values=best.values,
        best_proven=best.proven,
        line=(favourite.move, *best.line),
        loss=loss,
        mark=choose_mark(sure, certain=best.proven == after.proven),
    )


def choose_mark(loss: float, certain: bool) -> str:
    """The mark of a loss; ``certain`` if both values are proven, or neither is."""
    loss = round(loss, 2)  # as people see it
    mark = next((mark for least, mark in MARKS if loss >= least), "")
    return mark if not mark or certain or loss > DOUBT else MILDEST


def _annotate(ply: Ply, judged: MoveReview, seats: tuple[str, ...]) -> Ply:
    comments = [comment for comment in ply.comments if not comment.startswith(SIGNATURE)]
    variations = [line for line in ply.variations if not _is_ours(line)]
    said = write_values(judged.values, judged.proven, seats)
    if judged.mark:
        said = f"{judged.mark} {said}; loses {judged.loss:.2f}, better is {judged.best}"
        better = write_values(judged.best_values, judged.best_proven, seats)
        moves = judged.line[:LONGEST_VARIATION]
        plies = tuple(Ply(int(move)) for move in moves)
        variations.append(Line(plies, (SIGNATURE + better,)))
    return replace(ply, comments=(*comments, SIGNATURE + said), variations=tuple(variations))


def _is_ours(line: Line) -> bool:
    return bool(line.comments) and line.comments[0].startswith(SIGNATURE)


def write_values(values: Sequence[float], proven: bool, seats: Sequence[str]) -> str:
    """Values as people read them: First +0.25, Second -0.25."""
    pairs = zip(seats, values, strict=True)
    # Rounded first, since -0.001 would be written as -0.00.
    said = ", ".join(f"{seat} {round(value, 2) + 0.0:+.2f}" for seat, value in pairs)
    return f"{said} (certain)" if proven else said
