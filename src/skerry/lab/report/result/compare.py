"""Two reports of a game side by side: what differs, by how much, and how sure that is."""

from collections.abc import Iterator

from skerry.core.errors import OptionsError
from skerry.core.options import write_options
from skerry.lab.report.result.findings import FORMAT, Comparison, Difference, Report
from skerry.lab.stats.figures import Figure, difference

POINTS = "points"  # percentage points


def compare(first: Report, second: Report) -> Comparison:
    """The figures of the second report minus those of the first."""
    if first.game != second.game:
        raise OptionsError(f"{first.title} and {second.title} are different games")
    told = tuple(_compare_all(first, second))
    clear = [each.sentence for each in told if each.clear]
    lucky = max(1, len(told) // 20)
    chance = f"Of {len(told)} figures about {lucky} would differ as clearly by chance alone."
    return Comparison(
        format=FORMAT,
        game=first.game,
        title=first.title,
        first=first.options,
        second=second.options,
        differences=told,
        summary=(*clear, chance) if clear else ("Nothing that was measured differs clearly.",),
    )


def label(options: dict[str, int], others: dict[str, int]) -> str:
    """Options by what tells them from others: side=7."""
    chosen = {name: value for name, value in options.items() if others.get(name) != value}
    return write_options(chosen or options)


class _Sides:
    """What the two reports are called, and how their figures are told apart."""

    def __init__(self, first: Report, second: Report) -> None:
        self.first = label(first.options, second.options)
        self.second = label(second.options, first.options)

    def tell(
        self, name: str, first: Figure, second: Figure, says: str, at: str = "", unit: str = ""
    ) -> Difference:
        """A difference, in percentage points if there is no unit.

        It is told so that it is positive, whichever report has more.
        """
        between = difference(first, second)
        ahead = between.value >= 0
        more, less = (self.second, self.first) if ahead else (self.first, self.second)
        scale = 1 if unit else 100
        amount = f"{scale * abs(between.value):.1f} ± {scale * between.margin:.1f}"
        return Difference(
            name=name + at,
            unit=unit or POINTS,
            first=first,
            second=second,
            difference=between,
            clear=not between.low <= 0 <= between.high,
            sentence=f"{more} {says} {amount} {unit or POINTS} more than {less}{at}.",
        )


def _compare_all(first: Report, second: Report) -> Iterator[Difference]:
    sides = _Sides(first, second)
    yield from _compare_strengths(first, second, sides)
    for pair in first.skill:
        for other in second.skill:
            if (pair.better, pair.worse) == (other.better, other.worse):
                who = f"{pair.better} against {pair.worse}"
                yield sides.tell(who, pair.won, other.won, f"rewards {who} by")
    if first.drama is not None and second.drama is not None:
        one, two = first.drama, second.drama
        yield sides.tell("winner known", one.known, two.known, "is decided later, by")
        yield sides.tell("comebacks", one.comebacks, two.comebacks, "has comebacks more often, by")
        changes = one.lead_changes, two.lead_changes
        yield sides.tell("lead changes", *changes, "changes the lead", unit="times a game")
    if first.swap is not None and second.swap is not None:
        opened = first.swap.won[0], second.swap.won[0]
        yield sides.tell(
            "opener with a swap rule", *opened, "with a swap rule favours the opener by"
        )


def _compare_strengths(first: Report, second: Report, sides: _Sides) -> Iterator[Difference]:
    others = {told.player: told for told in second.strengths}
    for told in first.strengths:
        other = others.get(told.player)
        if other is None:
            continue
        at = f" at {told.player}"
        for seat, name in enumerate(first.seats):
            yield sides.tell(name, told.won[seat], other.won[seat], f"favours {name} by", at)
        yield sides.tell("draws", told.draws, other.draws, "is drawn more often, by", at)
        yield sides.tell("length", told.length, other.length, "lasts", at, unit="plies")
        if told.player == first.middle:
            for use, its in zip(told.usage, other.usage, strict=True):
                says = f"has “{use.name}” in more games, by"
                yield sides.tell(f"“{use.name}”", use.games, its.games, says, at)
