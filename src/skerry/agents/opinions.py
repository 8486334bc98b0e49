"""What an engine thinks of a position, read from what it answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from skerry.core.errors import EngineError, SkerryError, shorten
from skerry.core.state import Move, State


@dataclass(frozen=True)
class Candidate:
    """A move that was thought about: how often, and what each seat can expect after it."""

    move: Move
    visits: int
    values: tuple[float, ...]
    proven: bool
    pv: tuple[str, ...]


@dataclass(frozen=True)
class Opinion:
    """What an engine thinks of a state; ``best`` is None where there is no move to think of.

    A report has ``final`` False: the search goes on. ``content`` is the whole answer as it came.
    """

    state: State
    best: Move | None
    values: tuple[float, ...]
    proven: bool
    pv: tuple[str, ...]
    candidates: tuple[Candidate, ...]
    simulations: int
    seconds: float
    final: bool
    stopped: bool
    content: Mapping[str, Any] = field(repr=False, compare=False)


def read_opinion(state: State, content: Mapping[str, Any]) -> Opinion:
    """The opinion of an answer; EngineError where it is an error or makes no sense."""
    if content.get("error") is not None:
        hint = content.get("hint")
        raise EngineError(f"it refused: {content['error']}" + (f" ({hint})" if hint else ""))
    try:
        best = content.get("best")
        opinion = Opinion(
            state,
            None if best is None else state.parse(best),
            _read_numbers(content.get("values", ())),
            bool(content.get("proven", False)),
            _read_texts(content.get("pv", ())),
            tuple(
                Candidate(
                    state.parse(each["move"]),
                    int(each.get("visits", 0)),
                    _read_numbers(each.get("values", ())),
                    bool(each.get("proven", False)),
                    _read_texts(each.get("pv", ())),
                )
                for each in content.get("moves", ())
            ),
            int(content.get("simulations", 0)),
            float(content.get("seconds", 0.0)),
            bool(content.get("final", True)),
            bool(content.get("stopped", False)),
            content,
        )
    except SkerryError as error:
        raise EngineError(f"it named a move that is none: {error}") from None
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
        raise EngineError(f"its answer cannot be read: {shorten(dict(content))}") from None
    if opinion.final and not (opinion.best or opinion.values or opinion.stopped):
        raise EngineError(f"it answered without a move or a value: {shorten(dict(content))}")
    return opinion


def _read_numbers(values: Sequence[Any]) -> tuple[float, ...]:
    return tuple(float(value) for value in values)


def _read_texts(texts: Sequence[Any]) -> tuple[str, ...]:
    return tuple(str(text) for text in texts)
