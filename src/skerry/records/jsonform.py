"""Records as JSON, for programs. docs/library/records.md is the reference."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from skerry.core.errors import RecordError, SkerryError, shorten
from skerry.core.playthrough import Playthrough
from skerry.core.state import State
from skerry.games import kind
from skerry.records import strictjson
from skerry.records.tree import (
    Line,
    Ply,
    Record,
    Track,
    check_depth,
    check_result,
    check_texts,
    find_start,
    list_records,
    needs_position,
    retrace,
    say_why,
    share_game,
)

FORMAT = "skerry-record"
VERSION = 1
LONGEST_PATH = 200

RECORD_FIELDS = (
    "format",
    "version",
    "game",
    "options",
    "seed",
    "position",
    "headers",
    "comments",
    "moves",
    "result",
)
LINE_FIELDS = ("comments", "moves")
MOVE_FIELDS = ("move", "mark", "left", "spent", "comments", "variations")

KIND_NAMES = {str: "text", int: "a whole number", dict: "an object", list: "a list"}


def write_json(records: Record | Iterable[Record]) -> str:
    """Records as JSON text: one as an object, several as a list of objects."""
    objects = [to_json(record) for record in list_records(records)]
    content = objects[0] if len(objects) == 1 else objects
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def to_json(record: Record) -> dict[str, Any]:
    """A record as a JSON object."""
    content: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "game": record.game.name,
        "options": dict(record.game.options),
    }
    if record.seed is not None:
        content["seed"] = record.seed
    if needs_position(record):
        content["position"] = record.start.position
    content["headers"] = dict(record.headers)
    content |= _line_to_json(retrace(record))
    content["result"] = record.result
    return content


def _line_to_json(track: Track) -> dict[str, Any]:
    moves: list[Any] = []
    for step in track.steps:
        move = {"move": step.text, **annotations_to_json(step.ply)}
        if step.ply.comments:
            move["comments"] = list(step.ply.comments)
        if step.variations:
            move["variations"] = [_line_to_json(variation) for variation in step.variations]
        moves.append(move if len(move) > 1 else step.text)
    said = {"comments": list(track.comments)} if track.comments else {}
    return {**said, "moves": moves}


def annotations_to_json(ply: Ply) -> dict[str, Any]:
    """What is said of a ply beside words, as far as anything is."""
    said = {"mark": ply.mark or None, "left": ply.left, "spent": ply.spent}
    return {key: value for key, value in said.items() if value is not None}


def read_json(text: str, name: str | None = None) -> Iterator[Record]:
    """The records of a JSON text, one by one; RecordError names the file and the path."""
    content = _parse(text, name)
    where = f"{name}: " if name else ""
    if not isinstance(content, list):
        yield _read_record(content, _Path(where))
        return
    for i, element in enumerate(content):
        yield _read_record(element, _Path(where, f"[{i}]"))


def from_json(content: object) -> Record:
    """The record of a JSON object."""
    return _read_record(content, _Path(""))


def _parse(text: str, name: str | None) -> object:
    try:
        return strictjson.parse(text)
    except json.JSONDecodeError as error:
        where = f"{name}:{error.lineno}" if name else f"line {error.lineno}"
        raise RecordError(
            f"{where}: the JSON breaks off or is broken at column {error.colno}: {error.msg}"
        ) from None
    except RecursionError:
        problem = "the JSON nests too deep for a record"
    except ValueError as error:
        problem = say_why(error)
    raise RecordError(f"{name}: {problem}" if name else problem)


class _Path:
    """A place in a JSON text, for error messages."""

    def __init__(self, file: str, path: str = "") -> None:
        self.file = file
        self.path = path

    def to(self, key: str | int) -> "_Path":
        if isinstance(key, int):
            return _Path(self.file, f"{self.path}[{key}]")
        return _Path(self.file, f"{self.path}.{key}" if self.path else key)

    def error(self, message: str) -> RecordError:
        return self.error_at(f": {message}")

    def error_at(self, message: str) -> RecordError:
        """Like ``error`` for messages that go on from the path, as ``moves[6] 'c3-e': ...``."""
        path = self.path or "record"
        if len(path) > LONGEST_PATH:
            path = f"{path[: LONGEST_PATH // 2]}...{path[-LONGEST_PATH // 2 :]}"
        return RecordError(f"{self.file}{path}{message}")


def _take(content: dict[str, Any], key: str, kind: type, path: _Path, default: Any = ...) -> Any:
    """The value of a field, of the right type; an absent one is the default."""
    value = content.get(key, default)
    if value is ...:
        raise path.error(f"the field {key!r} is missing")
    if key in content and (not isinstance(value, kind) or isinstance(value, bool)):
        raise path.to(key).error(f"must be {KIND_NAMES[kind]}, not {shorten(value)}")
    return value


def _see_fields(content: object, known: tuple[str, ...], path: _Path) -> dict[str, Any]:
    """See that this is an object without fields of other names."""
    if not isinstance(content, dict):
        raise path.error(f"must be an object, not {shorten(content)}")
    for key in content:
        if key not in known:
            raise path.error(f"unknown field {shorten(str(key))}; known are {', '.join(known)}")
    return content


def _read_record(content: object, path: _Path) -> Record:
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise path.error(f'no skerry record: it must be an object with "format": "{FORMAT}"')
    version = _take(content, "version", int, path)
    if version != VERSION:
        raise path.to("version").error(
            f"must be {VERSION}, not {version}: a newer skerry may have written this, so update"
        )
    _see_fields(content, RECORD_FIELDS, path)
    seed = _take(content, "seed", int, path, None)
    start = _read_start(content, seed, path)
    line, end = _read_line(content, Playthrough(start), path, 0)
    result = _take(content, "result", str, path)
    headers = _take(content, "headers", dict, path, {})
    try:
        record = Record(start, line, result, headers, seed)
        check_result(end.state, result)
        record.remember(end)
        return record
    except RecordError as error:
        raise path.error(say_why(error)) from None


def _read_start(content: dict[str, Any], seed: int | None, path: _Path) -> State:
    name = _take(content, "game", str, path)
    options = _take(content, "options", dict, path, {})
    position = _take(content, "position", str, path, None)
    place = path.to("game")
    try:
        found = kind(name.lower())
        place = path.to("options")
        game = share_game(found, options)
        place = path.to("seed" if position is None else "position")
        return find_start(game, seed, position)
    except SkerryError as error:
        raise place.error(say_why(error)) from None


def _read_line(
    content: dict[str, Any], here: Playthrough, path: _Path, depth: int
) -> tuple[Line, Playthrough]:
    """A line and where it ends; only variations nest, and not deep, so recursion is safe."""
    comments = _read_comments(content, path)
    moves = path.to("moves")
    plies = []
    for i, element in enumerate(_take(content, "moves", list, path)):
        ply, here = _read_ply(element, here, moves.to(i), depth)
        plies.append(ply)
    return Line(tuple(plies), comments), here


def _read_ply(
    element: object, here: Playthrough, path: _Path, depth: int
) -> tuple[Ply, Playthrough]:
    """A ply and what it comes to; a move that nothing is said about is text alone."""
    content = {"move": element} if isinstance(element, str) else element
    content = _see_fields(content, MOVE_FIELDS, path)
    text = _take(content, "move", str, path)
    try:
        move = here.state.parse(text)
        after = here.after(move)
    except SkerryError as error:
        raise path.error_at(f" {shorten(text)}: {say_why(error)}") from None
    comments = _read_comments(content, path)
    mark = _take(content, "mark", str, path, "")
    left, spent = (_take(content, key, int, path, None) for key in ("left", "spent"))
    variations = []
    for i, variation in enumerate(_take(content, "variations", list, path, [])):
        place = path.to("variations").to(i)
        variations.append(_read_variation(variation, here, place, depth + 1))
    try:
        return Ply(int(move), comments, tuple(variations), mark, left, spent), after
    except RecordError as error:
        raise path.error(say_why(error)) from None


def _read_variation(element: object, here: Playthrough, path: _Path, depth: int) -> Line:
    try:
        check_depth(depth)
    except RecordError as error:
        raise path.error(say_why(error)) from None
    line, _ = _read_line(_see_fields(element, LINE_FIELDS, path), here, path, depth)
    if not line.plies:
        raise path.error("a variation needs at least one move")
    return line


def _read_comments(content: dict[str, Any], path: _Path) -> tuple[str, ...]:
    comments = tuple(_take(content, "comments", list, path, []))
    try:
        check_texts("comment", comments)
    except RecordError as error:
        raise path.to("comments").error(say_why(error)) from None
    return comments
