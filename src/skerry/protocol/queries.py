"""What a program may ask, read from JSON and checked as far as that goes without playing."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from skerry.core.errors import OptionsError, SkerryError, shorten
from skerry.core.game import Game
from skerry.core.options import positive_number, whole_number
from skerry.games import kind
from skerry.records import strictjson
from skerry.records.tree import say_why, share_game
from skerry.search.limits import MOST_SIMULATIONS, MOST_THREADS

LONGEST_LINE = 2**20  # bytes; a query with thousands of moves is far shorter
LONGEST_ID = 200
DEFAULT_TOP = 10
MOST_TOP = 10_000
SHORTEST_INTERVAL = 0.01  # seconds between two reports

ACTIONS = ("list_games", "version", "stop", "stop_all", "quit")
EXAMPLE = '{"id": "a", "game": "skew", "moves": ["d4-ne"]}'
# What to do about a field that is wrong, where the error itself does not tell all.
HINTS = {
    "id": f"give every query a text of its own as id, of 1 to {LONGEST_ID} characters",
    "action": f"the actions are {', '.join(ACTIONS)}; without an action a line is a query",
    "of": "give the id of the query to stop as of",
    "game": "the action list_games lists the games",
    "options": "the action list_games lists the options of every game with their ranges",
    "start": 'start is a position text or {"seed": 7}; leave it out for the usual start',
    "moves": 'moves is a list of texts such as ["d4-ne", "c3-w"], played from the start',
    "turns": "turns is a list of how many of the moves to play before each analysis",
    "nodes": "more may be allowed when the engine is started, by --nodes",
}
GENERAL_HINT = f"a query is one JSON object on one line, such as {EXAMPLE}"


class QueryError(SkerryError):
    """Why something was not done, and the field of the query to blame, if any."""

    def __init__(self, message: str, field: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.field = field
        self.hint = hint or HINTS.get(field or "", GENERAL_HINT)


@dataclass(frozen=True)
class Query:
    """Positions of one line of play to be analysed, and how thoroughly."""

    id: str
    game: Game
    position: str | None  # where the line starts; None: at the start of the game
    deal: int  # the seed of that start
    moves: tuple[str, ...]
    turns: tuple[int, ...]  # how many moves are played before each analysis
    budget: dict[str, Any]  # what ``analyse`` is told about how much to search
    top: int
    report_every: float | None


def parse_line(line: bytes | None) -> dict[str, Any]:
    """The object on a line; None is a line that was too long."""
    if line is None:
        raise QueryError(f"the line is longer than {LONGEST_LINE} bytes")
    try:
        content = strictjson.parse(line.decode())
    except UnicodeDecodeError as error:
        raise QueryError(
            f"not UTF-8 text: byte {error.start} is 0x{line[error.start]:02x}"
        ) from None
    except json.JSONDecodeError as error:
        raise QueryError(f"not JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise QueryError("the JSON is nested too deeply") from None
    except ValueError as error:
        raise QueryError(say_why(error)) from None
    if not isinstance(content, dict):
        raise QueryError(f"a query must be a JSON object, not {shorten(content)}")
    return content


def find_id(content: dict[str, Any]) -> str | None:
    """The id of a query or action, None where there is no usable one."""
    found = content.get("id")
    return found if isinstance(found, str) and 0 < len(found) <= LONGEST_ID else None


def check_fields(content: dict[str, Any], known: tuple[str, ...]) -> str:
    """See that an object has an id and no fields but these; returns the id."""
    name = find_id(content)
    if name is None:
        raise QueryError("there is no usable id", "id")
    for field in content:
        if field not in known:
            hint = f"the fields are {', '.join(known)}"
            raise QueryError(f"there is no field {shorten(field)}", hint=hint)
    return name


def read_query(content: dict[str, Any], most_nodes: int) -> Query:
    """The query of an object; QueryError names the field that is wrong."""
    name = check_fields(content, QUERY_FIELDS)
    game = _read_game(content)
    position, deal = _take(content, "start", _read_start, (None, 0))
    moves = _take(content, "moves", _read_moves, ())
    threads = _take(content, "threads", _whole("threads", MOST_THREADS, 1), 1)
    needed = threads * (game.num_actions + 1)
    if needed > most_nodes:
        raise QueryError(
            f"a search of this board takes {needed} nodes with {threads} threads, and this engine "
            f"has {most_nodes}: ask for fewer threads, or start it with more --nodes",
            field="threads" if "threads" in content else None,
        )
    return Query(
        id=name,
        game=game,
        position=position,
        deal=deal,
        moves=moves,
        turns=_take(content, "turns", lambda turns: _read_turns(turns, len(moves)), (len(moves),)),
        budget={
            "simulations": _take(content, "simulations", _whole("simulations", least=1), None),
            "seconds": _take(content, "seconds", lambda s: positive_number("seconds", s), None),
            "seed": _take(content, "seed", lambda seed: whole_number("seed", seed), 0),
            "threads": threads,
            "nodes": _take(
                {"nodes": most_nodes, **content}, "nodes", _whole("nodes", most_nodes, needed), 0
            ),
        },
        top=_take(content, "top", _whole("top", MOST_TOP, 1), DEFAULT_TOP),
        report_every=_take(content, "report_every", _read_interval, None),
    )


QUERY_FIELDS = (
    "id",
    "game",
    "options",
    "start",
    "moves",
    "turns",
    "simulations",
    "seconds",
    "threads",
    "nodes",
    "seed",
    "top",
    "report_every",
)


def _take(
    content: dict[str, Any], field: str, read: Callable[[Any], Any], default: Any = None
) -> Any:
    """What a field says, the default where it is absent; what is wrong is said about the field."""
    if field not in content:
        return default
    try:
        return read(content[field])
    except SkerryError as error:
        raise QueryError(say_why(error), field) from None


def _whole(name: str, most: int = MOST_SIMULATIONS, least: int = 0) -> Callable[[object], int]:
    return lambda value: whole_number(name, value, most, least)


def _read_game(content: dict[str, Any]) -> Game:
    if "game" not in content:
        raise QueryError("the field 'game' is missing", "game")
    found = _take(content, "game", _find_kind)
    game: Game = _take({"options": {}, **content}, "options", lambda chosen: _make(found, chosen))
    return game


def _find_kind(name: Any) -> type[Game]:
    return kind(name.lower() if isinstance(name, str) else name)


def _make(found: type[Game], options: object) -> Game:
    if not isinstance(options, dict):
        raise OptionsError(f"options must be an object, not {shorten(options)}")
    return share_game(found, options)


def _read_start(start: object) -> tuple[str | None, int]:
    if isinstance(start, str):
        return start, 0
    if isinstance(start, dict) and list(start) == ["seed"]:
        return None, whole_number("seed", start["seed"])
    raise OptionsError(f"{shorten(start)} is not a start")


def _read_moves(moves: object) -> tuple[str, ...]:
    if not isinstance(moves, list):
        raise OptionsError(f"moves must be a list, not {shorten(moves)}")
    for number, move in enumerate(moves, 1):
        if not isinstance(move, str):
            raise OptionsError(f"move {number} must be text, not {shorten(move)}")
    return tuple(moves)


def _read_turns(turns: object, moves: int) -> tuple[int, ...]:
    if not isinstance(turns, list) or not turns:
        raise OptionsError(f"turns must be a list of numbers, not {shorten(turns)}")
    found = tuple(whole_number("turn", turn, moves) for turn in turns)
    if len(set(found)) < len(found):
        raise OptionsError("a turn is given twice")
    return found


def _read_interval(value: object) -> float:
    seconds = positive_number("report_every", value)
    if seconds < SHORTEST_INTERVAL:
        raise OptionsError(f"report_every must be at least {SHORTEST_INTERVAL}, not {seconds}")
    return seconds
