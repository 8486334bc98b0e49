"""Positions looked up in atlases, in the processes of the pool; little is imported here."""

import json
from functools import lru_cache
from typing import Any

from skerry.core.playthrough import Playthrough
from skerry.lab.openings.books import Books
from skerry.lab.openings.crossroads import Atlases, Crossroads, describe, mark_ways
from skerry.lab.openings.drifts import describe_drift, list_drifts
from skerry.lab.openings.shipped import OWN, list_commands
from skerry.lab.openings.swapmap import describe_first_moves, draw_swap_map
from skerry.server.play.boards import board, name_seats
from skerry.server.play.boards import describe as describe_board
from skerry.server.positions.tracing import play_out
from skerry.server.workers.warm import Key, open_game

Json = dict[str, Any]
SERVE = f"skerry serve --openings {OWN}"
KEPT = 16  # games whose drifts are remembered
THEMES = "light", "dark"


def look_up(key: Key, trial: Json, folder: str) -> str:
    """Where moves lead, and what was played there."""
    line, atlases = _follow(key, trial), _open(key, folder)
    found = atlases.look(line)
    shown = _describe(line, atlases, found, trial)
    return json.dumps(shown, ensure_ascii=False, separators=(",", ":"))


def open_explorer(key: Key, trial: Json, folder: str) -> tuple[Json, dict[str, str]]:
    """The same for a page, with boards by theme."""
    line, atlases = _follow(key, trial), _open(key, folder)
    found = atlases.look(line)
    marks = mark_ways(found)
    boards = {theme: board(line, theme, marks, prefix=f"{theme}-") for theme in THEMES}
    drifts = find_drifts(key, folder) if line.plies == 0 and trial["start"] is None else []
    book = Books(folder).find(line.state.game)
    more = {"drifts": drifts, "has_first_moves": book is not None and bool(book.first_moves)}
    return _describe(line, atlases, found, trial) | more, boards


def look_at_first_moves(key: Key, _: Json, folder: str) -> Json:
    """What every first move of a board is worth; nothing where that is not known."""
    game = open_game(key)
    book = Books(folder).find(game)
    found = {"columns": [], "moves": []} if book is None else describe_first_moves(book)
    return {
        "game": game.name,
        "title": game.title,
        "options": game.options,
        "seats": name_seats(game),
        **found,
        "card": None if book is None else dict(book.card),
    }


def open_first_moves(key: Key, trial: Json, folder: str) -> tuple[Json, dict[str, str]]:
    """The same for a page, with maps by theme."""
    shown, game = look_at_first_moves(key, trial, folder), open_game(key)
    book, maps = Books(folder).find(game), {}
    if book is not None and book.first_moves:
        maps = {theme: draw_swap_map(game, book, theme, f"{theme}-") for theme in THEMES}
    return shown, maps


@lru_cache(maxsize=KEPT)
def find_drifts(key: Key, folder: str) -> list[Json]:
    """What nets loved early and dropped later; it takes a while, and stays the same."""
    game = open_game(key)
    return [describe_drift(drift) for drift in list_drifts(game, Atlases.find(game, folder))]


def _open(key: Key, folder: str) -> Atlases:
    return Atlases.find(open_game(key), folder)


def _follow(key: Key, trial: Json) -> Playthrough:
    """The line that was asked for; without a start, from one that leaves a move."""
    if trial["start"] is None and trial["seed"] is None:
        trial = trial | {"start": open_game(key).playable_start().position}
    return play_out(key, trial)


def _describe(line: Playthrough, atlases: Atlases, found: Crossroads, trial: Json) -> Json:
    game = line.state.game
    shown = describe_board(line, trial["theme"], overlay=mark_ways(found), turned=trial["turned"])
    return {
        "start": line.start.position,
        "seats": name_seats(game),
        **shown,
        "openings": describe(found) if atlases.best is not None else None,
        "sources": [describe_source(era, atlas.card) for era, atlas in atlases.list().items()],
        "commands": [] if atlases.best is not None else [*list_commands(game), SERVE],
    }


def describe_source(era: str, card: Json) -> Json:
    """Whose games an atlas has: how many, and the nets that played them."""
    players: list[Json] = []
    for source in card.get("sources", ()):
        players += [player for player in source["card"].get("players", ()) if player not in players]
    return {
        "era": era,
        "games": card.get("games", 0),
        "players": [
            {
                "net": str(player.get("net")),
                "minutes": player.get("minutes"),
                "simulations": player.get("simulations"),
            }
            for player in players
        ],
    }
