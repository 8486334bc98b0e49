"""The shipped puzzles: enough of them, different, proven, and judged as they should be."""

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import skerry
from skerry import State
from skerry.core.errors import IllegalMove, OptionsError
from skerry.lab.grading import find_representative
from skerry.study.forcing import Prover
from skerry.study.puzzles import (
    DIFFICULTIES,
    Puzzle,
    find,
    find_flaw,
    judge,
    load,
    read,
    write,
)
from skerry.study.turns import list_turns
from support.forced_wins import find_winning_turns, forces

PAGE = Path(__file__).parents[2] / "docs" / "play" / "puzzles.md"
LEAST, LEAST_EACH = 40, 10
SAMPLE = 4


def choose(name: str) -> list[Puzzle]:
    """Some puzzles that the plain search can prove in seconds, one of them longer than a turn."""
    quick = sorted(load(name), key=lambda p: (len(p.line), len(p.state.legal_actions())))
    shortest = [puzzle for puzzle in quick if puzzle.turns == 1]
    longer = [puzzle for puzzle in quick if puzzle.turns == 2]
    return [*Random(f"{name} 1").sample(shortest, SAMPLE - 1), longer[0]]


def assert_proven(puzzle: Puzzle) -> None:
    for turns in range(1, puzzle.turns):
        assert find_winning_turns(puzzle.state, turns) == []
    assert find_winning_turns(puzzle.state, puzzle.turns) == [puzzle.line[0]]


@pytest.mark.parametrize("name", skerry.GAMES)
def test_there_are_enough_of_every_difficulty(name: str) -> None:
    puzzles = load(name)
    assert len(puzzles) >= LEAST
    counts = Counter(puzzle.difficulty for puzzle in puzzles)
    assert set(counts) == set(DIFFICULTIES)
    assert min(counts.values()) >= LEAST_EACH
    assert [puzzle.difficulty for puzzle in puzzles] == sorted(p.difficulty for p in puzzles)
    assert all(puzzle.game == skerry.make(name) for puzzle in puzzles)


@pytest.mark.parametrize("name", skerry.GAMES)
def test_no_two_are_alike(name: str) -> None:
    puzzles = load(name)
    assert len({find_representative(puzzle.state) for puzzle in puzzles}) == len(puzzles)
    assert len({puzzle.origin[0] for puzzle in puzzles}) == len(puzzles)


@pytest.mark.parametrize("name", skerry.GAMES)
def test_a_sample_is_proven_by_another_search(name: str) -> None:
    for puzzle in choose(name):
        assert_proven(puzzle)


@pytest.mark.soak
@pytest.mark.parametrize("name", skerry.GAMES)
def test_all_up_to_two_turns_are_proven_by_another_search(name: str) -> None:
    for puzzle in load(name):
        if puzzle.turns <= 2:
            assert_proven(puzzle)


@pytest.mark.parametrize("name", skerry.GAMES)
def test_a_sample_has_no_flaw(name: str) -> None:
    puzzles = load(name)
    for puzzle in Random(2).sample(puzzles, SAMPLE):
        assert find_flaw(puzzle, Prover(puzzle.game)) is None


def test_flaws_are_found() -> None:
    puzzle = next(puzzle for puzzle in load("skaane") if puzzle.turns == 2)
    prover = Prover(puzzle.game)
    others = [turn for turn, _ in list_turns(puzzle.state) if turn != puzzle.line[0]]
    flaws = [
        (replace(puzzle, turns=3), "a win in two turns is possible"),
        (replace(puzzle, turns=1), "the ways to win are none"),
        (replace(puzzle, line=(others[0], *puzzle.line[1:])), f"not {others[0]} alone"),
        (replace(puzzle, line=puzzle.line[:-1]), "does not win in exactly two turns"),
        (replace(puzzle, line=(puzzle.line[0], "a1-a1")), "its line cannot be played"),
    ]
    for flawed, says in flaws:
        assert says in str(find_flaw(flawed, prover))


def test_files_are_read_as_they_were_written() -> None:
    puzzles = load("x")
    assert read(write(puzzles, 1)) == puzzles
    assert json.loads(write(puzzles, 5))["seed"] == 5
    with pytest.raises(OptionsError, match="there are no puzzles for 'chess'"):
        load("chess")
    with pytest.raises(OptionsError, match="there is no puzzle 9999; x has 1 to"):
        find("x", 9999)


def split(state: State, turn: str) -> list[str]:
    """A turn as the single moves that a board sends."""
    return [str(move) for move in state.parse_turn(turn)]


@pytest.mark.parametrize("name", skerry.GAMES)
def test_the_solution_is_right_to_the_end(name: str) -> None:
    for puzzle in Random(4).sample(load(name), SAMPLE):
        prover, state, moves = Prover(puzzle.game), puzzle.state, []
        own = 0
        while True:
            turn = next(prover.winning_turns(state, puzzle.turns - own))
            own += 1
            moves += split(state, turn)
            verdict = judge(puzzle, moves, prover)
            assert verdict.right
            for step in (turn, *verdict.line):
                state = state.play(step)
            moves += verdict.line
            assert verdict.solved == state.is_over
            if verdict.solved:
                break
            assert state.to_move == puzzle.seat
        assert own == puzzle.turns
        assert state.outcome is not None
        assert state.outcome.winner == puzzle.seat


@pytest.mark.parametrize("name", skerry.GAMES)
def test_everything_else_is_wrong_and_refuted(name: str) -> None:
    for puzzle in Random(5).sample([p for p in load(name) if p.turns == 2], 2):
        prover = Prover(puzzle.game)
        turns = [found for found in list_turns(puzzle.state) if found[0] != puzzle.line[0]]
        for turn, state in Random(6).sample(turns, 6):
            verdict = judge(puzzle, split(puzzle.state, turn), prover)
            assert not verdict.right
            assert not verdict.solved
            assert verdict.words.startswith("No. ")
            line = [state]
            for step in verdict.line:
                line.append(line[-1].play(step))
            # As soon as it is the seat's turn again, the plain search agrees that there is no win.
            after = next((now for now in line if now.to_move == puzzle.seat), line[-1])
            assert not forces(after, puzzle.seat, 1)


def test_an_answer_is_a_whole_turn() -> None:
    puzzle = next(puzzle for puzzle in load("skirt") if "-" in puzzle.line[0])
    prover = Prover(puzzle.game)
    first, _ = split(puzzle.state, puzzle.line[0])
    for moves in ([], [first]):
        with pytest.raises(IllegalMove, match="an answer ends with a whole turn"):
            judge(puzzle, moves, prover)
    with pytest.raises(IllegalMove):
        judge(puzzle, [first, first], prover)


def test_an_answer_has_no_more_turns_than_the_puzzle() -> None:
    """A slower win with the help of others is none."""
    puzzle = next(puzzle for puzzle in load("skaane") if puzzle.turns == 1)
    state = puzzle.state
    moves: list[tuple[State, str]] = []
    while sum(step.to_move == puzzle.seat for step, _ in moves) < 2:
        move = next(move for move in state.legal_moves() if not state.play(move).is_over)
        moves.append((state, str(move)))
        state = state.play(move)
    with pytest.raises(IllegalMove, match="to be won in one turn, not in 2"):
        judge(puzzle, [move for _, move in moves], Prover(puzzle.game))


def test_the_page_tells_how_many_there_are() -> None:
    rows = re.findall(r"^\| (\w+) \| (\d+) \| (\d+) \| (\d+) \|$", PAGE.read_text("utf-8"), re.M)
    assert [title for title, *_ in rows] == [skerry.make(name).title for name in skerry.GAMES]
    for name, (_, *told) in zip(skerry.GAMES, rows, strict=True):
        counts = Counter(puzzle.difficulty for puzzle in load(name))
        assert [int(number) for number in told] == [counts[level] for level in DIFFICULTIES]
