"""The games that can be played, and what there is to choose about each."""

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from skerry.core.game import Game
from skerry.core.texts import fill_in
from skerry.games import GAMES, kind
from skerry.server.languages.choice import gettext
from skerry.server.languages.figures import mention_option
from skerry.server.languages.sentences import translate, translate_all
from skerry.server.web.answers import Answer


class OptionShown(Answer):
    name: str
    default: int
    low: int
    high: int
    help: str


class KindShown(Answer):
    """A game that can be played."""

    name: str = Field(examples=["skew"])
    title: str = Field(examples=["Skew"])
    seats: list[str] = Field(examples=[["First", "Second"]])
    options: list[OptionShown]
    credit: str
    summary: str


def describe_kind(name: str) -> dict[str, Any]:
    """What there is to choose about a game."""
    game: type[Game] = kind(name)
    return {
        "name": game.name,
        "title": game.title,
        "seats": translate_all(game.seats),
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "low": option.low,
                "high": option.high,
                "help": translate(option.meaning),
            }
            for option in game.option_specs
        ],
        "credit": translate(game.credit),
        "summary": translate(game.summary),
    }


def describe_kinds() -> list[dict[str, Any]]:
    return [describe_kind(name) for name in GAMES]


def list_clauses(game: Game) -> dict[str, str]:
    """The rules of a game with its options, in the language of whoever reads them."""
    options = game.all_options
    return {id: fill_in(gettext(text), options) for id, text in game.choose_clauses().items()}


def usual_options(name: str) -> dict[str, int]:
    """The options of a game that nobody has changed."""
    return {spec.name: spec.default for spec in kind(name).option_specs if not spec.ours}


def list_changes(game: str, options: Mapping[str, int]) -> dict[str, int]:
    """The options that are not as usual."""
    usual = usual_options(game)
    return {name: value for name, value in options.items() if value != usual.get(name)}


def describe_board(game: str, options: Mapping[str, int]) -> str:
    """What is not as usual about a board, for programs."""
    changed = list_changes(game, options)
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in changed.items())


def say_board(game: str, options: Mapping[str, int]) -> str:
    """What is not as usual about a board, for whoever reads a page."""
    return ", ".join(mention_option(*each) for each in list_changes(game, options).items())
