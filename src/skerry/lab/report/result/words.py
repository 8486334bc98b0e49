"""What a report says in plain words: who is favoured, how it plays, and what looks broken."""

from collections.abc import Sequence

from skerry.lab.report.result.findings import Report, Strength
from skerry.lab.stats.figures import Figure, pool

ENOUGH = 20  # games that it takes to call somebody favoured
LOPSIDED = 0.1  # a seat that has so much more than its part is favoured too much
MANY_DRAWS = 0.3
LITTLE_SKILL = 0.6  # what the better of two neighbours in strength should win at least
LATE = 0.9  # a game decided only now is decided by its last moves
EARLY = 0.3


def summarise(report: Report) -> tuple[str, ...]:
    """Sentences, the most important first; what looks broken comes last."""
    if not report.strengths:
        return ("Too few games were played to say anything.",)
    sentences = [_say_favour(report), _say_trend(report), _say_course(report)]
    sentences += [_say_skill(report), _say_drama(report), _say_openings(report), _say_swap(report)]
    sentences += [*_say_facts(report), _say_unseen(report), *_say_forfeits(report)]
    doubts = list_doubts(report)
    sentences += [f"Looks broken: {doubt}" for doubt in doubts]
    if not doubts:
        sentences.append("Nothing that was measured looks broken.")
    return tuple(sentence for sentence in sentences if sentence)


def _say_forfeits(report: Report) -> list[str]:
    return [
        f"{told.player} forfeited {told.games} game{'' if told.games == 1 else 's'}: {told.reason}."
        for told in report.forfeits
    ]


def percent(figure: Figure) -> str:
    """A share with its interval: 54.2 % (51.0 to 57.4)."""
    return f"{100 * figure.value:.1f} % ({100 * figure.low:.1f} to {100 * figure.high:.1f})"


def find_favoured(strength: Strength) -> int | None:
    """The seat that clearly has more than its part; None if there is none."""
    if strength.games < ENOUGH:
        return None
    return find_ahead(strength.won)


def find_ahead(won: Sequence[Figure]) -> int | None:
    """The seat whose interval lies above an equal part."""
    ahead = [seat for seat, figure in enumerate(won) if figure.low > 1 / len(won)]
    return max(ahead, key=lambda seat: won[seat].value, default=None)


def list_strong(report: Report) -> list[Strength]:
    """The middle strength and those above it; all if it took no part.

    What they show together is surer than what any of them shows: of many levels one or the other
    seems to favour a seat by chance alone.
    """
    players = [told.player for told in report.strengths]
    return list(report.strengths[players.index(report.middle) if report.middle in players else 0 :])


def name_players(strengths: Sequence[Strength]) -> str:
    """Several strengths as in a sentence: level:4 to level:7."""
    return " to ".join(dict.fromkeys((strengths[0].player, strengths[-1].player)))


def pool_seats(strengths: Sequence[Strength]) -> tuple[Figure, ...]:
    """What each seat wins at several strengths together."""
    return tuple(pool(figures) for figures in zip(*(told.won for told in strengths), strict=True))


def _say_favour(report: Report) -> str:
    """Who is favoured among strong players."""
    strong = list_strong(report)
    won, where = pool_seats(strong), name_players(strong)
    even = 1 / len(won)
    seat = find_ahead(won)
    if seat is None or sum(told.games for told in strong) < ENOUGH:
        margin = 100 * max(figure.margin for figure in won)
        return f"No seat is clearly favoured at {where}, which is known to ± {margin:.1f} points."
    figure = won[seat]
    return (
        f"{report.seats[seat]} is favoured: {percent(figure)} of the points at {where}, "
        f"{100 * (figure.value - even):+.1f} above an equal part."
    )


def _say_trend(report: Report) -> str:
    if len(report.strengths) < 2:
        return ""
    parts = [
        f"{told.player} " + " / ".join(f"{100 * figure.value:.0f}" for figure in told.won)
        for told in report.strengths
    ]
    return f"Points by seat ({' / '.join(report.seats)}), in %: {', '.join(parts)}."


def _say_course(report: Report) -> str:
    told = next((s for s in report.strengths if s.player == report.middle), report.strengths[-1])
    return (
        f"A game of {told.player} lasts {told.length.value:.0f} plies; "
        f"{percent(told.draws)} are drawn."
    )


def _say_skill(report: Report) -> str:
    if not report.skill:
        return ""
    least = min(report.skill, key=lambda pair: pair.won.low)
    return (
        "Each strength beats the one below it; least clearly "
        if least.won.low > 0.5
        else "Not every strength clearly beats the one below it: "
    ) + f"{least.better} wins {percent(least.won)} against {least.worse}."


def _say_drama(report: Report) -> str:
    drama = report.drama
    if drama is None:
        return ""
    return (
        f"The winner leads for good after {percent(drama.known)} of the game; the lead changes "
        f"{drama.lead_changes.value:.1f} times, and {percent(drama.comebacks)} of the winners "
        f"were once below a chance of {100 * drama.behind:.0f} %."
    )


def _say_openings(report: Report) -> str:
    moves = report.openings.moves
    if len(moves) < 2:  # nothing to choose from
        return ""
    best = moves[0]
    fair = next(move for move in moves if move.move == report.openings.fairest[0])
    first = report.seats[0]
    return (
        f"The best first move for {first} is {best.move}, {percent(best.won[0])}; the most even "
        f"one is {fair.move}, {percent(fair.won[0])}."
    )


def _say_swap(report: Report) -> str:
    swap = report.swap
    if swap is None or swap.games < ENOUGH:
        return ""
    return (
        f"With a swap rule at {swap.player} whoever opens has {percent(swap.won[0])} of the "
        f"points; seats are swapped in {percent(swap.taken)} of the games."
    )


def _say_facts(report: Report) -> list[str]:
    said = []
    for fact in report.facts:
        if fact.this_board and fact.returns is not None and fact.deal is None:
            said.append(f"Proven: {fact.text}.")
    return said


def _say_unseen(report: Report) -> str:
    """Which rules made no difference in any game."""
    used = {use.name for told in report.strengths for use in told.usage if use.games.value > 0}
    unseen = [f"{h.name} ({h.clause})" for h in report.happenings if h.name not in used]
    games = sum(told.games for told in report.strengths)
    return f"Never seen in {games} games: {', '.join(unseen)}." if unseen else ""


def list_doubts(report: Report) -> list[str]:
    """What a designer should look at."""
    doubts = []
    for seat, name in enumerate(report.seats):
        too_good = [told for told in report.strengths if _is_lopsided(told, seat)]
        if too_good:
            worst = max(too_good, key=lambda told: told.won[seat].value)
            where = ", ".join(told.player for told in too_good)
            doubts.append(
                f"{name} is favoured too much at {where}: up to {percent(worst.won[seat])} of the "
                "points."
            )
    drawn = [told for told in report.strengths if told.draws.low > MANY_DRAWS]
    if drawn:
        most = max(drawn, key=lambda told: told.draws.value)
        where = ", ".join(told.player for told in drawn)
        doubts.append(f"many games are drawn at {where}: up to {percent(most.draws)}.")
    doubts += [
        f"{pair.better} wins only {percent(pair.won)} against {pair.worse}."
        for pair in report.skill
        if pair.won.high < LITTLE_SKILL
    ]
    drama = report.drama
    if drama is not None and drama.known.low > LATE:
        doubts.append(f"the winner is known late, after {percent(drama.known)} of the game.")
    if drama is not None and drama.known.high < EARLY:
        doubts.append(f"the winner is known early, after {percent(drama.known)} of the game.")
    return doubts


def _is_lopsided(strength: Strength, seat: int) -> bool:
    figure = strength.won[seat]
    return strength.games >= ENOUGH and figure.low > 1 / len(strength.won) + LOPSIDED
