"""What is told about games and analyses, as JSON objects."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skerry.core.game import Game
    from skerry.core.state import State
    from skerry.search.analysis import Analysis

DIGITS = 4  # of values: more would be noise


def describe_game(found: "type[Game]") -> dict[str, Any]:
    """A game with its seats and options."""
    return {
        "name": found.name,
        "title": found.title,
        "summary": found.summary,
        "credit": found.credit,
        "seats": list(found.seats),
        "has_chance": found.has_chance,
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "low": option.low,
                "high": option.high,
                "meaning": option.meaning,
            }
            for option in found.option_specs
        ],
    }


def describe_analysis(state: "State", found: "Analysis", top: int) -> dict[str, Any]:
    """What was found in a position, with its best candidates."""
    return {
        "position": state.position,
        "seat": state.game.seats[state.to_move or 0],
        "values": round_values(found.values),
        "proven": found.proven,
        "best": str(found.best),
        "pv": [str(move) for move in found.pv],
        "simulations": found.simulations,
        "seconds": round(found.seconds, 3),
        "moves": [
            {
                "move": str(move.move),
                "visits": move.visits,
                "values": round_values(move.values),
                "proven": move.proven,
                "pv": [str(step) for step in move.pv],
            }
            for move in found.moves[:top]
        ],
    }


def describe_end(state: "State") -> dict[str, Any]:
    """A finished game in the same fields: there is nothing to search, and all is certain."""
    outcome = state.outcome
    return {
        "position": state.position,
        "seat": None,
        "values": round_values(outcome.returns if outcome else ()),
        "proven": True,
        "best": None,
        "pv": [],
        "simulations": 0,
        "seconds": 0.0,
        "moves": [],
        "reason": outcome.reason if outcome else "",
    }


def round_values(values: tuple[float, ...]) -> list[float]:
    """Values as they are told to programs."""
    # Adding 0 turns -0.0 into 0.0.
    return [round(value, DIGITS) + 0.0 for value in values]
