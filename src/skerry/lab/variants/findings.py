"""What is found out about the variants of a comparison, as data."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from skerry.core.errors import OptionsError
from skerry.lab.census import count_draws, count_points, measure_length
from skerry.lab.corpus import Corpus
from skerry.lab.stats.figures import Figure, share
from skerry.lab.variants.rules import Variant

FORMAT = "skerry-variants-1"
MOST_LOOKED_AT = 200  # games in which is counted what rules bring about


@dataclass(frozen=True)
class RuleUse:
    """In how many games a rule brings something about."""

    name: str
    clause: str
    games: Figure


@dataclass(frozen=True)
class VariantFindings:
    """What was found out about one variant."""

    name: str
    options: dict[str, int]
    players: tuple[str, str]  # who played, and who was the weaker one
    seats: tuple[Figure, ...]  # points of every seat, where both are equally strong
    draws: Figure
    length: Figure  # plies
    skill: Figure  # points of the stronger player
    choices: Figure  # share of legal moves that cost something
    usage: tuple[RuleUse, ...]


@dataclass(frozen=True)
class VariantReport:
    """A whole comparison."""

    game: str
    title: str
    seats: tuple[str, ...]
    made_by: dict[str, Any]
    variants: tuple[VariantFindings, ...]


def tell(
    variant: Variant, players: tuple[str, str], alike: Corpus, duels: Corpus, costs: Sequence[float]
) -> VariantFindings:
    """The findings of games of a player with itself and with a weaker one, player 1 there, and of
    ``costs``: which share of the moves cost something in some positions."""
    return VariantFindings(
        name=variant.name,
        options=variant.game.options,
        players=players,
        seats=count_points(alike),
        draws=count_draws(alike),
        length=measure_length(alike),
        skill=share(((duels.seating == 0) * duels.shares).sum(1).tolist()),
        choices=share(costs),
        usage=count_uses(alike),
    )


def count_uses(corpus: Corpus) -> tuple[RuleUse, ...]:
    """In how many of the first games each rule brings something about."""
    view = corpus.game.view
    seen: Counter[str] = Counter()
    count = min(len(corpus), MOST_LOOKED_AT)
    for k in range(count):
        happened: set[str] = set()
        actions = corpus.actions[k].tolist()
        for ply, (before, after) in enumerate(pairwise(corpus.replay(k))):
            happened.update(view.happenings(before, actions[ply], after))
        seen.update(happened)
    return tuple(
        RuleUse(
            each.name,
            each.clause,
            share([1.0] * seen[each.name] + [0.0] * (count - seen[each.name])),
        )
        for each in view.happening_table
    )


def write_comparison(comparison: VariantReport) -> str:
    """A comparison as JSON."""
    return json.dumps({"format": FORMAT} | asdict(comparison), indent=1) + "\n"


def read_comparison(text: str) -> VariantReport:
    """The comparison that was written; OptionsError if it is none."""
    try:
        told = json.loads(text)
        if told.pop("format") != FORMAT:
            raise ValueError("of another format")
        variants = tuple(map(read_findings, told.pop("variants")))
        return VariantReport(**told | {"seats": tuple(told["seats"])}, variants=variants)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise OptionsError(f"that is no comparison of variants: {error}") from None


def read_findings(told: dict[str, Any]) -> VariantFindings:
    """The findings of one variant, from JSON."""
    figures = {name: Figure(**told[name]) for name in ("draws", "length", "skill", "choices")}
    usage = tuple(
        RuleUse(each["name"], each["clause"], Figure(**each["games"])) for each in told["usage"]
    )
    return VariantFindings(
        name=told["name"],
        options=told["options"],
        players=tuple(told["players"]),
        seats=tuple(Figure(**each) for each in told["seats"]),
        usage=usage,
        **figures,
    )
