"""JSON from strangers: what the standard reader lets pass but no JSON is, is refused here."""

import json
from typing import Any, NoReturn

from skerry.core.errors import SkerryError, shorten


def parse(text: str) -> Any:
    """The value of a JSON text.

    ValueError says what is wrong: a json.JSONDecodeError with the place where the text breaks, or
    another for names given twice, NaN, and numbers of thousands of digits. RecursionError means
    that it nests too deep.
    """
    return json.loads(text, object_pairs_hook=_to_dict, parse_constant=_refuse_constant)


def _to_dict(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content: dict[str, Any] = {}
    for key, value in pairs:
        if key in content:
            raise SkerryError(f"the field {shorten(key)} is given twice in one object: keep one")
        content[key] = value
    return content


def _refuse_constant(text: str) -> NoReturn:
    raise SkerryError(f"{text} is no JSON")


def find_object(text: str) -> dict[str, Any] | None:
    """A line from another program as a JSON object, by the standard reader; None if it is none."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None
