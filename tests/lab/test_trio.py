"""Games of three: who decided them, checked on games whose chances are known."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import skerry
from skerry.core.errors import OptionsError
from skerry.lab.corpus import write_corpus
from skerry.lab.trio import (
    ALLY,
    BY_LOST,
    DECIDERS,
    NOBODY,
    OWN,
    RIVAL,
    find_decision,
    foresee,
    order_findings,
    study_trio,
    write_records,
)
from skerry.nets.shipped import shipped_net
from skerry.records import read_all, write_text
from support.corpora import random_corpus
from support.nets import random_net
from support.running import run

X = skerry.make("x", size=3)
CORPUS = random_corpus(X, 40)
DOCS = Path(__file__).parents[2] / "docs" / "lab"


def end_of(number: int) -> list[skerry.State]:
    """The positions of a game from its last plies but five on, as if it began there."""
    return list(CORPUS.replay(number))[-5:]


def decide(number: int, *chances: tuple[float, float, float]) -> tuple[int, int | None, str]:
    """What the decision is if the chances are these, of the winner, and of the next two seats."""
    states = end_of(number)
    assert states[-1].outcome is not None
    winner = states[-1].outcome.winner
    assert winner is not None
    table = np.array([np.roll(row, winner) for row in (*chances, (1, 0, 0))])
    found = find_decision(number, states, table)
    return found.ply, found.seat, found.by


def pick(mover: int) -> int:
    """A game in which the seat so many after the winner made the last move but one."""
    for number in range(len(CORPUS)):
        states = end_of(number)
        outcome = states[-1].outcome
        if (
            outcome
            and outcome.winner is not None
            and states[2].turn == (outcome.winner + mover) % 3
        ):
            return number
    raise AssertionError("no such game")


def test_the_last_move_that_put_the_winner_ahead_decides() -> None:
    even = (0.4, 0.3, 0.3)
    ahead = (0.9, 0.05, 0.05)
    own, rival = pick(0), pick(1)
    assert decide(own, even, even, even, ahead)[::2] == (3, OWN)
    assert decide(rival, even, even, even, ahead)[::2] == (3, RIVAL)
    # Whoever was ahead and fell back is decided by the later move.
    assert decide(own, even, ahead, even, ahead)[::2] == (3, OWN)
    # The seat that moved had less than 5 % before its move, and ever after.
    lost = (0.4, 0.04, 0.56)
    assert decide(rival, even, even, lost, (0.9, 0.01, 0.09))[::2] == (3, BY_LOST)
    # One that came back had not lost.
    assert decide(rival, even, even, lost, (0.6, 0.3, 0.1))[::2] == (3, RIVAL)
    assert decide(own, ahead, ahead, ahead, ahead) == (0, None, NOBODY)


def test_chances_are_those_of_seats_and_end_with_the_result() -> None:
    net = random_net(X)
    for number in range(5):
        states = list(CORPUS.replay(number))
        chances = foresee(states, net)
        assert chances.shape == (len(states), 3)
        assert chances.sum(1) == pytest.approx(1, abs=1e-5)
        outcome = states[-1].outcome
        assert outcome is not None
        assert int(chances[-1].argmax()) == outcome.winner


def test_a_net_that_knows_the_board_foretells_who_wins() -> None:
    """One ply before the end of random games, where a guess is right in a third."""
    corpus = random_corpus(skerry.make("x", size=8), 40)
    best, known = shipped_net(corpus.game), 0
    for number in range(len(corpus)):
        states = list(corpus.replay(number))
        assert states[-1].outcome is not None
        known += int(foresee(states, best)[-2].argmax()) == states[-1].outcome.winner
    assert known > 0.6 * len(corpus)


def test_a_corpus_is_studied() -> None:
    found = study_trio(CORPUS, shipped_net(X), 30)
    assert (found.games, found.watched, len(found.decisions)) == (40, 30, 30)
    assert sum(figure.value for figure in found.decided.values()) == pytest.approx(1)
    assert tuple(found.decided) == DECIDERS
    assert {corner.name for corner in found.corners} == {"a1", "c1", "c3", "a3"}
    for corner in found.corners:
        assert sum(corner.held) == pytest.approx(1)
    assert 0 <= found.onlooking.value < 1
    weaker = study_trio(random_corpus(X, 5), shipped_net(X), 5)
    mixed = [replace(weaker, players=({"minutes": 0.1, "simulations": n},)) for n in (8, 4)]
    assert [each.players[0]["simulations"] for each in order_findings(mixed)] == [4, 8]
    with pytest.raises(OptionsError, match="Skew has 2 seats; this is about games of three"):
        study_trio(random_corpus(skerry.make("skew", side=2, pegs=2), 2), shipped_net(X), 2)


def test_what_an_ally_decides_is_told_apart() -> None:
    # The last seat is alone: whoever else decides for one of the others is its ally.
    allied = replace(
        CORPUS, card={"players": [{"net": "", "simulations": 2, "pact": list(X.seats[:2])}]}
    )
    usual = study_trio(CORPUS, shipped_net(X), 40).decisions
    found = study_trio(allied, shipped_net(X), 40)
    for before, after in zip(usual, found.decisions, strict=True):
        is_allied = before.by in (RIVAL, BY_LOST) and {
            before.seat,
            CORPUS.outcomes[before.game],
        } == {0, 1}
        assert after == (replace(before, by=ALLY) if is_allied else before)
    assert found.decided[ALLY].value > 0
    kept = list(write_records(allied, [one for one in found.decisions if one.by == ALLY], 1))
    assert kept[0].headers["Decided"].endswith("an ally of the winner")


def test_games_that_lost_seats_decided_can_be_replayed() -> None:
    found = study_trio(CORPUS, shipped_net(X), 40)
    kept = list(write_records(CORPUS, found.decisions, 3))
    lost = [one for one in found.decisions if one.by == BY_LOST]
    assert len(kept) == min(3, len(lost))
    for record, one in zip(kept, lost, strict=False):
        assert record.headers["Decided"].startswith(f"by ply {one.ply}, ")
        assert read_all(write_text(record))[0].result == record.result


def test_the_games_of_the_docs_are_those_of_a_coalition() -> None:
    games = read_all((DOCS / "coalitions.skr").read_text("utf-8"))
    assert len(games) == 20
    for each in games:
        assert each.result in ("1-0-0", "0-1-0")  # Green was alone
        assert each.headers["Decided"].endswith(("who had lost", "an ally of the winner"))


def test_the_command_tells_several_files(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.npz", "b.npz")]
    for seed, path in enumerate(paths):
        write_corpus(path, random_corpus(X, 20, seed))
    saved = tmp_path / "decided.skr"
    asked = ["trio", *map(str, paths), "--games", "10"]
    printed = run(*asked, "--save", str(saved)).stdout
    assert "points of Red" in printed
    assert "decided by a lost seat" in printed
    assert "owner of a1 wins" in printed
    assert saved.exists()
    told = json.loads(run(*asked, "--json").stdout)
    assert [each["watched"] for each in told] == [10, 10]
    other = tmp_path / "c.npz"
    write_corpus(other, random_corpus(skerry.make("x", size=4), 3))
    refused = run("trio", str(paths[0]), str(other))
    assert refused.exit_code != 0
    assert "files of one board" in refused.output
