"""Prompts tell all, replies are read with patience, and strength comes out as Elo."""

import random
import re

import pytest
from hypothesis import given

import skerry
from skerry.rl.language import evaluate, read_reply, write_prompt
from support.strategies import states


@given(states())
def test_prompts_tell_all(state: skerry.State) -> None:
    if state.is_over:
        with pytest.raises(skerry.OptionsError, match="the game is over"):
            write_prompt(state)
        return
    prompt = write_prompt(state)
    for clause in state.game.clauses:
        assert clause in prompt
    assert state.text() in prompt
    assert state.position in prompt
    assert state.game.seats[state.to_move] in prompt
    for move in state.legal_moves():
        assert str(move) in prompt.split()
        assert read_reply(state, f"Hmm.\nMove: {move}") == move


STATE = skerry.make("x", size=3).initial().play("b2")


@pytest.mark.parametrize(
    "reply",
    [
        "Move: a1",
        "move : A1.",
        "**Move:** a1",
        "Move: `a1`",
        "I play a1",
        "Move: c9? No.\nMove: a1",
    ],
)
def test_replies_are_read_with_patience(reply: str) -> None:
    assert str(read_reply(STATE, reply)) == "a1"


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("Move: b2", "b2"),
        ("Move: z9", "no cell of this board"),
        ("a1 or a2", r"several legal moves \(a1, a2\): end with one, such as Move: a1"),
        ("I resign", "names no legal move: end with a line such as Move: a1"),
        ("", "names no legal move"),
    ],
)
def test_errors_help(reply: str, why: str) -> None:
    with pytest.raises((skerry.InvalidMove, skerry.IllegalMove), match=why):
        read_reply(STATE, reply)


def somebody(seed: int):  # a function from prompt to reply
    chooser = random.Random(seed)

    def ask(prompt: str) -> str:
        legal = re.search(r"Your legal moves are:\n\n(.*)\n", prompt)
        assert legal
        return f"Move: {chooser.choice(legal[1].split())}"

    return ask


def test_strength_comes_out_as_elo() -> None:
    game = skerry.make("x", size=4)
    report = evaluate(somebody(1), game, ("random", "level:6"), rounds=4, seed=2)
    assert report.games == {"random": 12, "level:6": 12}
    elo = {rating.player: rating.elo for rating in report.ratings}
    assert elo["random"] == 0
    assert elo["level:6"] > elo["model"] + 50
    assert (report.unreadable, report.forfeits) == (0, 0)
    assert "Elo" in str(report)


def test_who_cannot_answer_loses() -> None:
    prompts: list[str] = []

    def mute(prompt: str) -> str:
        prompts.append(prompt)
        return "Move: nowhere"

    report = evaluate(mute, skerry.make("x", size=3), ("random",), rounds=1, tries=2)
    assert report.points == {"random": 0}
    assert (report.replies, report.unreadable, report.forfeits) == (6, 6, 3)
    assert "Your last reply did not work" in prompts[1]


def test_bad_settings_are_refused() -> None:
    game = skerry.make("x", size=3)
    with pytest.raises(skerry.OptionsError, match="rounds must be"):
        evaluate(somebody(1), game, rounds=0)
    with pytest.raises(skerry.OptionsError, match="at least one opponent"):
        evaluate(somebody(1), game, ())
