"""An atlas of openings: positions that many games came to, and what was done there.

A file begins with its format and a hash of all that follows: compressed, a line of JSON and then
columns of numbers. The same games give the same bytes.
"""

import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skerry.core.bits import Words
from skerry.core.errors import OptionsError, SkerryError
from skerry.core.game import Game
from skerry.core.state import State
from skerry.games import make
from skerry.lab.openings.gathering import Tally
from skerry.lab.openings.replay import complete_key, kind_left, label, look, outline
from skerry.records.folders import replace

FORMAT = b"skerry-atlas-1\n"
DIGEST = hashlib.sha256().digest_size
LARGEST = 64_000_000  # bytes of an atlas that is read, once it is spread out
LEAST = 20  # games in which a position that is kept occurred
ROOM = 300_000  # bytes that a file should not exceed
FEWER = 4  # a move is kept with so many times fewer games than a position
STEP = 5 / 4  # by which the least number of games grows until a file fits

Columns = dict[str, NDArray[Any]]


class Results(NamedTuple):
    """Games, and who won them; the others were draws."""

    games: int
    wins: tuple[int, ...]


class Known(NamedTuple):
    """What an atlas knows of a position: all games there, and those of each legal action."""

    results: Results
    actions: Mapping[int, Results]


@dataclass(frozen=True, eq=False)
class Atlas:
    """Positions by their keys, in ascending order; ``card`` tells whose games these are."""

    game: Game
    columns: Columns = field(repr=False)
    card: dict[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.columns["keys"])

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        """[positions + 1] where the moves of each position begin."""
        return np.concatenate([[0], np.cumsum(self.columns["moves"], dtype=np.int64)])

    def find(self, state: State) -> Known | None:
        """What is known of a position, up to symmetry."""
        key, labels = name_position(state)
        keys = self.columns["keys"]
        place = int(np.searchsorted(keys, key))
        if place == len(keys) or keys[place] != key:
            return None
        first, last = self._starts[place : place + 2]
        counts = {
            int(self.columns["labels"][row]): self._count("move", row) for row in range(first, last)
        }
        actions = {action: counts[name] for action, name in labels.items() if name in counts}
        return Known(self._count("position", place), actions)

    def _count(self, what: str, row: int) -> Results:
        wins = self.columns[f"{what}_wins"][row]
        return Results(int(self.columns[f"{what}_games"][row]), tuple(wins.tolist()))


def find_key(state: State) -> np.uint64:
    """The key of a position."""
    return _look(state)[0]


def name_position(state: State) -> tuple[np.uint64, dict[int, int]]:
    """The key of a position, and what each legal action is called in its image."""
    key, hashes, least = _look(state)
    outlines, labels = _outline(state.game), {}
    for action in state.legal_actions().tolist():
        kind = 0
        if outlines.most_kinds:
            kind = kind_left(outlines, state.codes, state.play(action).codes)
        labels[action] = int(label(outlines, hashes, least, action, kind))
    return key, labels


def _look(state: State) -> tuple[np.uint64, Words, np.uint64]:
    """The key of a position, the hashes of its images, and the least of them."""
    game = state.game
    outlines = _outline(game)
    hashes = np.zeros(len(game.symmetries), np.uint64)
    least = np.uint64(look(outlines, state.codes, hashes))
    rest = state.counter * game.num_seats + state.turn
    return np.uint64(complete_key(outlines, least, rest, game.num_seats)), hashes, least


_OUTLINES: dict[Game, Any] = {}  # a handful: those of atlases, and of games that are looked for


def _outline(game: Game) -> Any:
    if game not in _OUTLINES:
        if len(_OUTLINES) >= 16:
            _OUTLINES.clear()
        _OUTLINES[game] = outline(game)
    return _OUTLINES[game]


# Making one


def draw_atlas(
    game: Game, tally: Tally, card: dict[str, Any], least: int = LEAST, room: int = ROOM
) -> Atlas:
    """The positions of at least so many games, or of more until the file has room."""
    while True:
        rare = max(1, least // FEWER)
        columns = _keep(tally, least, rare)
        kept = {"least": least, "least_of_moves": rare, "positions": len(columns["keys"])}
        atlas = Atlas(game, columns, card | kept)
        if len(encode(atlas)) <= room or not len(atlas):
            return atlas
        least = max(least + 1, int(least * STEP))


def _keep(tally: Tally, least: int, rare: int) -> Columns:
    firsts = np.flatnonzero(np.diff(tally.keys, prepend=~tally.keys[:1]))
    if not len(firsts):
        return _set_types(Columns(), tally.wins.shape[1])
    games = np.add.reduceat(tally.games, firsts)
    wins = np.add.reduceat(tally.wins, firsts, axis=0)
    sizes = np.diff(np.append(firsts, len(tally)))
    is_kept = games >= least
    rows = np.repeat(is_kept, sizes) & (tally.games >= rare)
    moves = np.add.reduceat(rows, firsts, dtype=np.int64)
    return _set_types(
        {
            "keys": tally.keys[firsts][is_kept],
            "position_games": games[is_kept],
            "position_wins": wins[is_kept],
            "moves": moves[is_kept],
            "labels": tally.labels[rows],
            "move_games": tally.games[rows],
            "move_wins": tally.wins[rows],
        },
        tally.wins.shape[1],
    )


def _list_types(seats: int) -> dict[str, tuple[str, tuple[int, ...]]]:
    """The columns of a file in their order: their types, and the shapes of their entries."""
    return {
        "keys": ("<u8", ()),
        "position_games": ("<u4", ()),
        "position_wins": ("<u4", (seats,)),
        "moves": ("<u2", ()),
        "labels": ("<u4", ()),
        "move_games": ("<u4", ()),
        "move_wins": ("<u4", (seats,)),
    }


def _set_types(columns: Columns, seats: int) -> Columns:
    return {
        name: columns.get(name, np.zeros((0, *shape))).astype(dtype)
        for name, (dtype, shape) in _list_types(seats).items()
    }


# Files


def encode(atlas: Atlas) -> bytes:
    """The content of an atlas's file."""
    head = {
        "game": atlas.game.name,
        "options": atlas.game.options,
        "positions": len(atlas),
        "moves": len(atlas.columns["labels"]),
        "card": atlas.card,
    }
    plain = json.dumps(head, sort_keys=True).encode() + b"\n"
    for column in atlas.columns.values():
        # Byte by byte: the high ones are mostly zeros, and small together.
        plain += column.reshape(-1).view(np.uint8).reshape(-1, column.itemsize).T.tobytes()
    content = zlib.compress(plain, 9)
    return FORMAT + hashlib.sha256(content).digest() + content


def decode(content: bytes, name: str) -> Atlas:
    """The atlas of a file's content; OptionsError in one line, by ``name``, if it is none."""
    start = len(FORMAT) + DIGEST
    if not content.startswith(FORMAT):
        raise OptionsError(f"{name} is not an atlas of openings of skerry's")
    if hashlib.sha256(content[start:]).digest() != content[len(FORMAT) : start]:
        raise OptionsError(f"{name} is damaged")
    try:
        unpacking = zlib.decompressobj()
        plain = unpacking.decompress(content[start:], LARGEST)
        line, _, body = plain.partition(b"\n")
        head = json.loads(line)
        game = make(head["game"], **head["options"])
        counts = {"positions": int(head["positions"]), "moves": int(head["moves"])}
        columns = _read_columns(body, game.num_seats, counts)
        card = head["card"]
        if not unpacking.eof or unpacking.unused_data or not isinstance(card, dict):
            raise ValueError
    except SkerryError as error:
        raise OptionsError(f"{name}: {error}") from None
    except (zlib.error, ValueError, KeyError, TypeError):
        raise OptionsError(f"{name} is no atlas that this version can read") from None
    return Atlas(game, columns, card)


def _read_columns(body: bytes, seats: int, counts: dict[str, int]) -> Columns:
    """The columns of a file; ValueError if they are none."""
    columns, at = {}, 0
    for name, (dtype, shape) in _list_types(seats).items():
        is_moves = name == "labels" or name.startswith("move_")
        length = counts["moves" if is_moves else "positions"] * int(np.prod(shape))
        size = length * np.dtype(dtype).itemsize
        part = np.frombuffer(body[at : at + size], np.uint8)
        rows = np.ascontiguousarray(part.reshape(np.dtype(dtype).itemsize, length).T)
        columns[name] = rows.reshape(-1).view(dtype).reshape(-1, *shape)
        at += size
    keys, moves = columns["keys"], columns["moves"]
    is_sound = at == len(body) and bool(np.all(keys[1:] > keys[:-1]))
    is_sound = is_sound and int(moves.sum()) == len(columns["labels"])
    for what in ("position", "move"):
        won = columns[f"{what}_wins"].sum(1, dtype=np.int64)
        is_sound = is_sound and bool(np.all(won <= columns[f"{what}_games"]))
    if not is_sound:
        raise ValueError
    return columns


def write_atlas(path: Path, atlas: Atlas) -> None:
    """Write a file as a whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    replace(path, encode(atlas), alone=True)


def read_atlas(path: Path) -> Atlas:
    """The atlas of a file; OptionsError in one line if it is none."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise OptionsError(f"{path} cannot be read: {error.strerror}") from None
    return decode(content, str(path))
