"""Games replayed by the rules: to which positions they came, up to symmetry, and what was done.

Of all images of a position the one with the least hash is taken, and moves are written as they are
made in it. Where games are dealt no two begin alike, so that positions are told apart by who stands
where and not by what it is; a move is then known by the kind of its piece as well.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skerry.core import rules
from skerry.core.bits import Word, Words, unsigned
from skerry.core.game import Game
from skerry.core.kernels import kernel
from skerry.core.random import STEP, scramble, seeded
from skerry.core.rules import Actions, Codes, Raw, Returns, States, Tables, TablesArray

SOUND = -1  # what follow_games says of games that are as the rules have them


class Outlines(NamedTuple):
    """How positions of a game are told apart."""

    weights: Words  # [symmetries, cells, codes] what a code adds to the hash of an image
    actions: NDArray[np.int32]  # [symmetries, actions] what each action becomes
    kinds: NDArray[np.int32]  # [codes] the kind of a piece, from 1 on; nothing where none is told
    most_kinds: int


def outline(game: Game) -> Outlines:
    """How positions of a game are told apart: by all that stands there, or by whose it is."""
    codes, cells = game.num_codes, len(game.board)
    kinds, seen = np.zeros(codes, np.int32), np.arange(codes)
    if game.has_chance:
        names = list(dict.fromkeys(piece.kind for piece in game.pieces))
        for code, piece in enumerate(game.pieces, 1):
            kinds[code] = 1 + names.index(piece.kind)
            seen[code] = 1 + (game.num_seats if piece.seat is None else piece.seat)
    values = [seeded(n) for n in range(cells * codes)]
    known = np.array(values, np.uint64).reshape(cells, codes)
    known[:, 0] = 0
    weights = np.zeros((len(game.symmetries), cells, codes), np.uint64)
    for number, symmetry in enumerate(game.symmetries):
        weights[number] = known[symmetry.cells][:, seen[game.map_codes(symmetry)]]
    actions = [
        [game.transform_action(action, number) for action in range(game.num_actions)]
        for number in range(len(game.symmetries))
    ]
    return Outlines(weights, np.array(actions, np.int32), kinds, int(kinds.max()))


@kernel
def look(outlines: Outlines, codes: Codes, hashes: Words) -> Word:
    """Write the hashes of all images of a position; the least of them."""
    weights = outlines.weights
    least = unsigned(0)
    for number in range(len(weights)):
        total = unsigned(0)
        for cell in range(len(codes)):
            total += weights[number, cell, codes[cell]]
        hashes[number] = total
        least = total if number == 0 else min(least, total)
    return least


@kernel
def complete_key(outlines: Outlines, least: Word, rest: int, seats: int) -> Word:
    """The key of a position; what is counted in dealt games tells none apart."""
    told = rest % seats if outlines.most_kinds > 0 else rest
    return scramble(least + scramble(unsigned(told) + STEP))


@kernel
def label(outlines: Outlines, hashes: Words, least: Word, action: int, kind: int) -> int:
    """An action as it is made in the image that is taken; the least where there are several."""
    found = -1
    for number in range(len(hashes)):
        if hashes[number] == least:
            image = outlines.actions[number, action]
            found = image if found < 0 else min(found, image)
    return found * (outlines.most_kinds + 1) + kind


@kernel
def kind_left(outlines: Outlines, before: Codes, after: Codes) -> int:
    """The kind of the piece that has left its cell."""
    for cell in range(len(before)):
        if before[cell] != 0 and after[cell] == 0:
            return int(outlines.kinds[before[cell]])
    return 0


@kernel
def is_legal(t: Tables, s: Raw, action: int, scratch: Actions) -> bool:
    if s.over != 0:
        return False
    count = rules.legal(t, s, scratch)
    place = np.searchsorted(scratch[:count], action)
    return bool(place < count and scratch[place] == action)


@kernel
def find_winner(out: Returns) -> int:
    """Who has won; the number of seats for a draw."""
    best = int(np.argmax(out))
    return best if out[best] > 0 else len(out)


@kernel
def follow_games(
    tables: TablesArray,
    states: States,
    outlines: Outlines,
    seeds: NDArray[np.int64],
    actions: NDArray[np.int16],
    outcomes: NDArray[np.int8],
    keys: Words,
    labels: NDArray[np.int32],
    out: Returns,
) -> int:
    """Replay games; the first that is not as the rules have it, or SOUND.

    ``keys`` [games, plies], which comes filled with zeros, receives the keys of the first
    positions of each game, and ``labels`` [games, plies] what was done there. Nothing is written
    where a game comes to a position again. ``states`` [2] is blank, and scratch.
    """
    t = tables[0]
    s = states[1]
    cells = outlines.weights.shape[1]
    before, after = np.zeros(cells, np.uint8), np.zeros(cells, np.uint8)
    hashes = np.zeros(len(outlines.weights), np.uint64)
    scratch = np.empty(outlines.actions.shape[1], np.int32)
    for game in range(len(actions)):
        states[1] = states[0]
        rules.reset(t, s, seeded(seeds[game]))
        after[:] = 0
        rest = rules.identify(t, s, after)
        for ply in range(actions.shape[1]):
            action = actions[game, ply]
            if action < 0:
                break
            if not is_legal(t, s, action, scratch):
                return game
            rules.play(t, s, action)
            if ply >= keys.shape[1]:
                continue
            before[:] = after
            least = look(outlines, before, hashes)
            key = complete_key(outlines, least, rest, len(out))
            after[:] = 0
            rest = rules.identify(t, s, after)
            kind = kind_left(outlines, before, after) if outlines.most_kinds > 0 else 0
            if not np.any(keys[game, :ply] == key):
                keys[game, ply] = key
                labels[game, ply] = label(outlines, hashes, least, action, kind)
        if s.over == 0:
            return game
        rules.returns(t, s, out)
        if find_winner(out) != outcomes[game]:
            return game
    return SOUND


def replay_games(game: Game, outlines: Outlines, *arrays: Any) -> int:
    """``follow_games``; the arrays are seeds, actions, outcomes, keys and labels."""
    seeds, actions, outcomes, keys, labels = arrays
    states, out = np.zeros(2, game.dtype), np.zeros(game.num_seats)
    return int(
        follow_games(game.tables, states, outlines, seeds, actions, outcomes, keys, labels, out)
    )
