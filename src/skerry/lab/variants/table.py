"""A comparison as one table: a column for every variant, a row for everything that was measured."""

from collections.abc import Iterable

from skerry.lab.stats.figures import Figure
from skerry.lab.variants.findings import VariantReport


def write_table(comparison: VariantReport) -> str:
    """The table, in Markdown; ± are 95 % intervals."""
    variants = comparison.variants
    # All seats together have all points, so that of two the first says it all.
    told = comparison.seats[: 1 if len(comparison.seats) == 2 else None]
    rows = [
        [f"points of {seat}", *(_percent(variant.seats[n]) for variant in variants)]
        for n, seat in enumerate(told)
    ]
    rows += [
        ["drawn", *(_percent(variant.draws) for variant in variants)],
        [
            "plies",
            *(f"{variant.length.value:.1f} ± {variant.length.margin:.1f}" for variant in variants),
        ],
        ["points of the stronger", *(_percent(variant.skill) for variant in variants)],
        ["moves that cost something", *(_percent(variant.choices) for variant in variants)],
    ]
    uses = [{use.name: use for use in variant.usage} for variant in variants]
    for name, clause in {
        use.name: use.clause for variant in variants for use in variant.usage
    }.items():
        cells = [_percent(found[name].games) if name in found else "" for found in uses]
        rows.append([f"{name} ({clause})", *cells])
    rows.append(["games", *(f"{variant.draws.n:,} + {variant.skill.n:,}" for variant in variants)])
    head = [comparison.title, *(variant.name for variant in variants)]
    return "\n".join(map(_line, [head, ["---"] * len(head), *rows])) + "\n"


def _percent(figure: Figure) -> str:
    return f"{figure.value:.1%} ± {figure.margin * 100:.1f}".replace("%", " %")


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
