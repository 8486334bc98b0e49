"""Comparing variants: the same is done to every variant, and what is done is kept in a folder."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from itertools import product
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from skerry.core.errors import OptionsError
from skerry.core.game import Game
from skerry.core.state import State
from skerry.lab.corpus import Corpus, read_corpus, write_corpus
from skerry.lab.variants.choices import sample_positions
from skerry.lab.variants.findings import (
    VariantFindings,
    VariantReport,
    read_findings,
    tell,
    write_comparison,
)
from skerry.lab.variants.rules import Variant, list_variants
from skerry.lab.variants.table import write_table
from skerry.records.folders import replace as put

SETTINGS, GAMES, FINDINGS = "settings.json", "games.npz", "findings.json"
JSON, TABLE = "variants.json", "variants.md"
MOST_POSITIONS = 300  # in which choices are weighed
GAMES_TO_A_POSITION = 4

Show = Callable[[str], None]


class Method(Protocol):
    """Who plays: nets that were trained for it, or players of any kind."""

    @property
    def players(self) -> tuple[str, str]:
        """What a player and a weaker one are called."""

    @property
    def settings(self) -> dict[str, Any]:
        """What decides how they play."""

    def play(
        self, variant: Variant, seating: NDArray[np.int8], seed: int, folder: Path, show: Show
    ) -> Corpus:
        """A game for every seating; 0 is the player, 1 the weaker one."""

    def weigh(
        self, variant: Variant, states: Sequence[State], seed: int, folder: Path, show: Show
    ) -> list[float]:
        """Of every position, which share of the moves cost something."""


def compare(
    game: Game, method: Method, games: int, seed: int, folder: Path, show: Show
) -> VariantReport:
    """Compare the variants of a game. What the folder holds already is taken from there."""
    settings = {"game": game.name, "options": game.options, "games": games, "seed": seed}
    settings |= method.settings
    _check(folder, settings)
    variants = list_variants(game)
    found = tuple(
        _measure(
            variant,
            method,
            games,
            seed,
            folder / variant.folder,
            _announce(show, variant, n, len(variants)),
        )
        for n, variant in enumerate(variants, 1)
    )
    comparison = VariantReport(game.name, game.title, game.seats, settings, found)
    put(folder / JSON, write_comparison(comparison).encode(), alone=True)
    put(folder / TABLE, write_table(comparison).encode(), alone=True)
    return comparison


def _announce(show: Show, variant: Variant, number: int, variants: int) -> Show:
    return lambda text: show(f"{variant.name} ({number} of {variants}): {text}")


def _check(folder: Path, settings: dict[str, Any]) -> None:
    """See that a folder is new, or has been begun with the same settings."""
    path = folder / SETTINGS
    if path.exists():
        before = json.loads(path.read_text(encoding="utf-8"))
        differing = [name for name in settings if before.get(name) != settings[name]]
        if differing:
            was, name = before.get(differing[0]), differing[0]
            raise OptionsError(
                f"{folder} was begun with {name} {was}, not {settings[name]}: go on with that, or "
                "choose another folder"
            )
    folder.mkdir(parents=True, exist_ok=True)
    put(path, json.dumps(settings).encode(), alone=True)


def _measure(
    variant: Variant, method: Method, games: int, seed: int, folder: Path, show: Show
) -> VariantFindings:
    path = folder / FINDINGS
    if path.exists():
        return read_findings(json.loads(path.read_text(encoding="utf-8")))
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / GAMES).exists():
        corpus = read_corpus(folder / GAMES)
    else:
        corpus = method.play(variant, seat(variant.game.num_seats, games), seed, folder, show)
        write_corpus(folder / GAMES, corpus)
    alike, duels = cut(corpus, slice(games)), cut(corpus, slice(games, None))
    show("weighing choices")
    count = min(MOST_POSITIONS, max(1, games // GAMES_TO_A_POSITION))
    states = sample_positions(alike, count, seed)
    costs = method.weigh(variant, states, seed, folder, show)
    show("counting what rules bring about")
    findings = tell(variant, method.players, alike, duels, costs)
    put(path, json.dumps(asdict(findings)).encode(), alone=True)
    return findings


def seat(seats: int, games: int) -> NDArray[np.int8]:
    """So many games of a player with itself, then half as many with a weaker one, in which they
    have all seats equally often."""
    mixed = [row for row in product((0, 1), repeat=seats) if len(set(row)) == 2]
    duels = max(1, games // 2 // len(mixed))
    return np.array([(0,) * seats] * games + mixed * duels, np.int8)


def cut(corpus: Corpus, games: slice) -> Corpus:
    """Some games of a corpus."""
    return replace(
        corpus,
        seeds=corpus.seeds[games],
        actions=corpus.actions[games],
        outcomes=corpus.outcomes[games],
        seating=corpus.seating[games],
    )
