"""Puzzles: positions with exactly one turn that forces a win within so many turns.

They are shipped with the package, one file for each game, and were found by ``study.mining``; a
game of another distribution has its own beside it, in ``puzzles.json``. A proof covers every reply,
so an answer can be judged whatever the others have played.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from itertools import islice
from typing import Any

from skerry.core.errors import IllegalMove, OptionsError, SkerryError, SolveLimit, shorten, warn
from skerry.core.game import Game
from skerry.core.playthrough import Playthrough
from skerry.core.state import State
from skerry.core.texts import N_
from skerry.games import GAMES, home_of, make
from skerry.study.forcing import DEFAULT_NODES, Prover
from skerry.study.turns import list_replies

DIFFICULTIES = {1: N_("easy"), 2: N_("medium"), 3: N_("hard")}
NUMBERS = (N_("no"), N_("one"), N_("two"), N_("three"), N_("four"), N_("five"))
TRIED = 8  # refutations that are looked at closely
SHOWN_WIN = 2  # turns within which a win of somebody else is shown
SHORT_LOOK = 300_000  # positions


@dataclass(frozen=True)
class Puzzle:
    """A position, what to reach, and the one way to reach it.

    ``line`` is the solution, turn by turn: the only right one, the replies that hold it up longest,
    and so on to the end. ``origin`` tells which engine game it is from, and after how many plies.
    """

    game: Game
    position: str
    turns: int
    difficulty: int
    line: tuple[str, ...]
    origin: tuple[int, int]

    @cached_property
    def state(self) -> State:
        return self.game.position(self.position)

    @property
    def seat(self) -> int:
        return int(self.state.raw["turn"])

    @property
    def goal(self) -> str:
        return N_(f"{self.game.seats[self.seat]} to move and win in {count_turns(self.turns)}")


@dataclass(frozen=True)
class Verdict:
    """What became of an answer.

    ``line`` goes on from there, turn by turn: what the others reply if the answer is right, what
    refutes it if it is wrong. A puzzle is ``solved`` when the game is won.
    """

    right: bool
    solved: bool
    line: tuple[str, ...]
    words: str


def count_turns(turns: int) -> str:
    return N_(f"{NUMBERS[turns]} turn{'' if turns == 1 else 's'}")


def list_games() -> list[str]:
    """The games that have puzzles."""
    return [name for name in GAMES if _load(name)]


@cache
def _load(name: str) -> tuple[Puzzle, ...]:
    """The puzzles of a game; none if those of another distribution cannot be read."""
    home = home_of(name)
    folder = files(home) if home else files("skerry.study") / "puzzles"
    file = folder / ("puzzles.json" if home else f"{name}.json")
    if not file.is_file():
        return ()
    try:
        return read(file.read_text("utf-8"))
    except (LookupError, TypeError, ValueError) as error:
        if not home:
            raise
        warn(f"the puzzles of {name} are left out: {file} cannot be read: {error!r}")
        return ()


def load(name: str) -> tuple[Puzzle, ...]:
    """The puzzles of a game that come with it, easy ones first."""
    found = _load(name) if name in GAMES else ()
    if not found:
        raise OptionsError(
            f"there are no puzzles for {shorten(name)}; use {', '.join(list_games())}"
        )
    return found


def find(name: str, number: int) -> Puzzle:
    """The puzzle of a number, counted from 1."""
    puzzles = load(name)
    if not 1 <= number <= len(puzzles):
        raise OptionsError(f"there is no puzzle {number}; {name} has 1 to {len(puzzles)}")
    return puzzles[number - 1]


def read(text: str) -> tuple[Puzzle, ...]:
    """The puzzles of a file's text."""
    content = json.loads(text)
    game = make(content["game"], **content["options"])
    return tuple(
        Puzzle(
            game,
            entry["position"],
            entry["turns"],
            entry["difficulty"],
            tuple(entry["line"]),
            tuple(entry["origin"]),
        )
        for entry in content["puzzles"]
    )


def write(puzzles: Sequence[Puzzle], seed: int) -> str:
    """A file's text: one line for each puzzle."""
    game = puzzles[0].game
    head: dict[str, Any] = {"game": game.name, "options": game.options, "seed": seed}
    entries = (
        {
            "position": puzzle.position,
            "turns": puzzle.turns,
            "difficulty": puzzle.difficulty,
            "line": puzzle.line,
            "origin": puzzle.origin,
        }
        for puzzle in puzzles
    )
    body = ",\n".join(f"  {json.dumps(entry)}" for entry in entries)
    return f'{json.dumps(head)[:-1]}, "puzzles": [\n{body}\n]}}\n'


def find_flaw(puzzle: Puzzle, prover: Prover) -> str | None:
    """What is wrong with a puzzle, if anything: all of it is proven again."""
    if next(prover.winning_turns(puzzle.state, puzzle.turns - 1), None) is not None:
        return f"a win in {count_turns(puzzle.turns - 1)} is possible"
    ways = list(prover.winning_turns(puzzle.state, puzzle.turns))
    if ways != [puzzle.line[0]]:
        return f"the ways to win are {', '.join(ways) or 'none'}, not {puzzle.line[0]} alone"
    state, begun = puzzle.state, 0
    try:
        for text in puzzle.line:
            begun += state.to_move == puzzle.seat
            state = state.play(text)
            if not prover.forces(state, puzzle.seat, puzzle.turns - begun):
                return f"{text} in its line lets the win slip"
    except SkerryError as error:
        return f"its line cannot be played: {error}"
    if state.outcome is None or begun != puzzle.turns:
        return f"its line does not win in exactly {count_turns(puzzle.turns)}"
    return None


def solve(state: State, seat: int, turns: int, prover: Prover) -> tuple[str, ...]:
    """A line of best play, turn by turn, for a seat that forces a win within so many turns."""
    line: list[str] = []
    while not state.is_over:
        if state.to_move == seat:
            line.append(next(prover.winning_turns(state, turns)))
            turns -= 1
            state = state.play(line[-1])
        else:
            replies, state = prover.best_reply(state, seat, turns)
            line += replies
    return tuple(line)


def judge(puzzle: Puzzle, moves: Iterable[str], prover: Prover) -> Verdict:
    """Judge the turn that ends these moves, which begin at the puzzle's position."""
    seat, line = puzzle.seat, Playthrough(puzzle.state).follow(moves)
    state, turns = line.state, line.turns
    begun = sum(turn.seat == seat for turn in turns)
    if not turns or turns[-1].seat != seat or state.to_move == seat:
        raise IllegalMove(f"an answer ends with a whole turn of {puzzle.game.seats[seat]}")
    left = puzzle.turns - begun
    if left < 0:
        raise IllegalMove(
            f"this puzzle is to be won in {count_turns(puzzle.turns)}, not in {begun}"
        )
    prover.allow(DEFAULT_NODES)
    if not prover.forces(state, seat, left):
        return _refute(state, seat, left, prover)
    if puzzle.line[: len(turns)] == tuple(turn.text for turn in turns):
        replies, end = _follow(puzzle, state, len(turns))
    else:
        replies, end = prover.best_reply(state, seat, left)
    if end.outcome is None:
        words = N_(f"Right. {_tell(state, replies)}. Go on and win in {count_turns(left)}.")
    else:
        words = (
            f"{N_('Solved')}. {_tell(state, replies)}{'. ' if replies else ''}{end.outcome.reason}."
        )
    return Verdict(True, end.is_over, replies, words)


def _follow(puzzle: Puzzle, state: State, played: int) -> tuple[tuple[str, ...], State]:
    """What the others reply in the puzzle's own line after so many turns."""
    replies: list[str] = []
    for turn in puzzle.line[played:]:
        if state.to_move == puzzle.seat:
            break
        replies.append(turn)
        state = state.play(turn)
    return tuple(replies), state


def _refute(state: State, seat: int, left: int, prover: Prover) -> Verdict:
    """Show why a turn does not win: if possible by how somebody else then does."""
    if state.outcome is not None:
        return Verdict(False, False, (), f"{N_('No')}. {state.outcome.reason}.")
    replies = list(list_replies(state, seat))
    for line, end in replies:
        if end.outcome is not None and end.outcome.winner != seat:
            words = f"No. {_tell(state, line)}. {end.outcome.reason}."
            return Verdict(False, False, line, words)
    stops = (found for found in replies if not prover.forces(found[1], seat, left - 1))
    stopping = list(stops if left < 2 else islice(stops, TRIED))  # all of them where that is cheap
    seats = state.game.seats
    others = [other for other in range(len(seats)) if other != seat]
    for turns in range(1, SHOWN_WIN + 1):
        for line, end in stopping[:TRIED]:
            for other in others:
                if prover.forces(end, other, turns):
                    win = solve(end, other, turns, prover)
                    words = N_(
                        f"{_tell(state, line)}, and now {seats[other]} wins: {' '.join(win)}"
                    )
                    return Verdict(False, False, (*line, *win), f"No. {words}.")
    line = _find_best_stop(stopping, seat, left, prover)
    if not left:
        words = N_(f"{seats[seat]} has not won with that")
    elif len(stopping) == len(replies):
        words = N_(f"Whatever is replied, there is no win in {count_turns(left)} any more")
    else:
        words = N_(f"{_tell(state, line)}, and there is no win in {count_turns(left)} any more")
    return Verdict(False, False, line, f"No. {words}.")


def _find_best_stop(
    stopping: list[tuple[tuple[str, ...], State]], seat: int, left: int, prover: Prover
) -> tuple[str, ...]:
    """What stops a win even if there were one turn more, as far as a short look tells."""
    prover.allow(SHORT_LOOK)
    try:
        for line, end in stopping:
            if not prover.forces(end, seat, left):
                return line
    except SolveLimit:
        pass
    return stopping[0][0]


def _tell(state: State, turns: Iterable[str]) -> str:
    """Turns in words: who plays what."""
    parts = []
    for turn in turns:
        parts.append(N_(f"{state.game.seats[state.raw['turn']]} replies {turn}"))
        state = state.play(turn)
    return ", ".join(parts)
