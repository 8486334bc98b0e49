"""From the answers of all units to a report."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import log10
from statistics import median_low
from typing import Any

import skerry
from skerry.core.game import Game
from skerry.lab.report.measure.drama import (
    count_lead_changes,
    find_known,
    find_lowest,
    find_winner,
    follow_winner,
)
from skerry.lab.report.measure.openings import BY_CHANCE, find_first_moves
from skerry.lab.report.measure.units import (
    AFTER,
    ALIKE,
    LOOK,
    LOOK_SIMULATIONS,
    MOST_SOLVED,
    OPENING,
    RANDOM,
    SKILL,
    SOLVE,
    STAGES,
    SWAP,
    VERSUS,
    Answer,
    Experiment,
    Unit,
    games_in,
    read_board,
)
from skerry.lab.report.result.findings import (
    FORMAT,
    BoardUse,
    Complexity,
    Drama,
    Fact,
    ForfeitCount,
    Opening,
    Openings,
    Report,
    Sample,
    Skill,
    Strength,
    Swap,
    Usage,
)
from skerry.lab.report.result.words import summarise
from skerry.lab.stats.figures import Figure, average, average_of, share
from skerry.records import Record, write_text

CURVE_STEPS = 10
LEAST = 2  # games that a figure needs, or nothing is known about how they differ
STILL_GOING = 0.05  # plies that fewer games reach tell little about branching
MOST_FAIR = 5

Answers = Mapping[Unit, Answer]


def assemble(experiment: Experiment, answers: Answers, budget: str) -> Report:
    """The report of what was measured."""
    game = experiment.game
    report = Report(
        format=FORMAT,
        version=skerry.__version__,
        game=game.name,
        title=game.title,
        options=game.options,
        seats=game.seats,
        cells=len(game.board),
        seed=experiment.seed,
        budget=budget,
        games=sum(games_in(experiment, unit) for unit in answers),
        units={stage: sum(unit.stage == stage for unit in answers) for stage in STAGES},
        middle=experiment.middle,
        summary=(),
        strengths=tuple(_tell_strengths(experiment, answers)),
        skill=tuple(_tell_skill(experiment, answers)),
        drama=_tell_drama(experiment, answers),
        openings=_tell_openings(experiment, answers),
        swap=_tell_swap(experiment, answers),
        board_use=_tell_board_use(experiment, answers),
        happenings=game.view.happening_table,
        complexity=_tell_complexity(experiment, answers),
        facts=tuple(_tell_facts(experiment, answers)),
        samples=tuple(_choose_samples(experiment, answers)),
        forfeits=tuple(_count_forfeits(answers)),
    )
    return replace(report, summary=summarise(report))


def _of(answers: Answers, stage: str, subject: str) -> list[Answer]:
    return [a for unit, a in answers.items() if (unit.stage, unit.subject) == (stage, subject)]


def _games(found: Sequence[Answer]) -> list[dict[str, Any]]:
    return [game for answer in found for game in answer["games"]]


def _by_seat(games: Sequence[dict[str, Any]]) -> tuple[Figure, ...]:
    return tuple(share(seat) for seat in zip(*(game["shares"] for game in games), strict=True))


def _tell_strengths(experiment: Experiment, answers: Answers) -> list[Strength]:
    told = []
    for spec in experiment.strengths:
        found = _of(answers, ALIKE, spec)
        games = _games(found)
        if len(games) < LEAST:
            continue
        told.append(
            Strength(
                player=spec,
                games=len(games),
                won=_by_seat(games),
                draws=share(float(max(game["shares"]) < 1) for game in games),
                length=average(game["plies"] for game in games),
                lengths=tuple(sorted(Counter(game["plies"] for game in games).items())),
                usage=_tell_usage(experiment.game, games),
                branching=_tell_branching(found) if spec in (RANDOM, experiment.middle) else (),
            )
        )
    return told


def _tell_usage(game: Game, games: Sequence[dict[str, Any]]) -> tuple[Usage, ...]:
    told = []
    for happening in game.view.happening_table:
        times = [played["happenings"].get(happening.name, 0) for played in games]
        told.append(Usage(happening.name, share(float(n > 0) for n in times), average(times)))
    return tuple(told)


def _tell_branching(found: Sequence[Answer]) -> tuple[Figure, ...]:
    plies = max(len(answer["choices"]) for answer in found)
    sums = [[0, 0, 0] for _ in range(plies)]
    for answer in found:
        for ply, parts in enumerate(answer["choices"]):
            sums[ply] = [a + b for a, b in zip(sums[ply], parts, strict=True)]
    if plies == 0:  # no deal left a move
        return ()
    least = max(LEAST, STILL_GOING * sums[0][0])
    return tuple(average_of(*parts) for parts in sums if parts[0] >= least)


def _tell_skill(experiment: Experiment, answers: Answers) -> list[Skill]:
    told = []
    for worse, better in zip(experiment.strengths, experiment.strengths[1:], strict=False):
        found = _of(answers, SKILL, VERSUS.join((better, worse)))
        if found:
            games = sum(len(answer["plies"]) for answer in found)
            told.append(Skill(better, worse, games, share(answer["won"] for answer in found)))
    return told


def _tell_drama(experiment: Experiment, answers: Answers) -> Drama | None:
    looked = [(a, find_winner(a)) for a in _of(answers, LOOK, experiment.middle)]
    found = [(answer, winner) for answer, winner in looked if winner is not None]
    if len(found) < LEAST:
        return None
    behind = 1 / (2 * experiment.game.num_seats)
    curves = [follow_winner(answer, winner, CURVE_STEPS) for answer, winner in found]
    return Drama(
        player=experiment.middle,
        simulations=LOOK_SIMULATIONS,
        games=len(found),
        known=share(find_known(answer) or 0.0 for answer, _ in found),
        lead_changes=average(count_lead_changes(answer) for answer, _ in found),
        comebacks=share(float((find_lowest(answer) or 0.0) < behind) for answer, _ in found),
        behind=behind,
        curve=tuple(share(chances) for chances in zip(*curves, strict=True)),
    )


def _tell_openings(experiment: Experiment, answers: Answers) -> Openings:
    moves = []
    for first in find_first_moves(experiment.game):
        games = _games(_of(answers, OPENING, experiment.opener + AFTER + first.move))
        if games:
            moves.append(Opening(first.move, first.cells, first.images, _by_seat(games)))
    even = 1 / experiment.game.num_seats
    fairest = sorted(moves, key=lambda m: max(abs(seat.value - even) for seat in m.won))
    return Openings(
        player=experiment.opener,
        reason=BY_CHANCE if experiment.game.has_chance else "",
        moves=tuple(sorted(moves, key=lambda move: -move.won[0].value)),
        fairest=tuple(opening.move for opening in fairest[:MOST_FAIR]),
    )


def _tell_swap(experiment: Experiment, answers: Answers) -> Swap | None:
    games = _games(_of(answers, SWAP, experiment.middle))
    if not games:
        return None
    taken = share(float(game["swapped"]) for game in games)
    return Swap(experiment.middle, len(games), taken, _by_seat(games))


def _tell_board_use(experiment: Experiment, answers: Answers) -> BoardUse:
    found = _of(answers, ALIKE, experiment.middle)
    games = sum(len(answer["games"]) for answer in found)
    seats, cells = range(experiment.game.num_seats), range(len(experiment.game.board))

    def add_up(name: str) -> tuple[tuple[float, ...], ...]:
        return tuple(
            tuple(sum(a[name][seat][cell] for a in found) / max(games, 1) for cell in cells)
            for seat in seats
        )

    return BoardUse(
        experiment.middle, games, add_up("moves"), add_up("counts"), experiment.game.view.counting
    )


def _tell_complexity(experiment: Experiment, answers: Answers) -> Complexity:
    game = experiment.game
    weakest = _games(_of(answers, ALIKE, experiment.strengths[0]))
    logs = [played["tree"] for played in weakest] or [0.0]
    most = max(logs)
    codes = 1 + len(game.letters)
    return Complexity(
        player=experiment.strengths[0],
        tree=average(logs) if len(logs) >= LEAST else Figure(logs[0], 0.0, 2 * logs[0], 1),
        tree_size=most + log10(sum(10 ** (value - most) for value in logs) / len(logs)),
        states=len(game.board) * log10(codes) + log10(game.num_seats),
        states_count=(
            f"all ways to leave each of {len(game.board)} cells empty or put one of "
            f"{codes - 1} kinds of pieces on it, and the seat to move"
        ),
    )


def _tell_facts(experiment: Experiment, answers: Answers) -> list[Fact]:
    told = []
    for unit, answer in answers.items():
        if unit.stage == SOLVE:
            options, deal = read_board(unit.subject)
            told.append(
                Fact(
                    options=options,
                    deal=deal,
                    returns=None if answer["returns"] is None else tuple(answer["returns"]),
                    optimal=answer["optimal"],
                    moves=answer["moves"],
                    nodes=answer["nodes"],
                    this_board=options == experiment.game.options,
                    text=_say_fact(experiment.game, answer),
                )
            )
    return told


def _say_fact(game: Game, answer: Answer) -> str:
    returns = answer["returns"]
    if returns is None:
        return f"not solved within {MOST_SOLVED:,} positions"
    winner = None if max(returns) <= 0 else game.seats[returns.index(max(returns))]
    value = "best play is a draw" if winner is None else f"{winner} wins with best play"
    return f"{value}; {answer['optimal']} of {answer['moves']} first moves keep that"


def _choose_samples(experiment: Experiment, answers: Answers) -> list[Sample]:
    """Games by rule: a typical one, the shortest, the greatest comeback, the most restless one,
    and one of the strongest."""
    chosen: dict[str, tuple[str, dict[str, Any], Answer]] = {}
    looked = _of(answers, LOOK, experiment.middle)
    if looked:
        length = median_low(answer["games"][0]["plies"] for answer in looked)
        lowest = [(find_lowest(answer), answer) for answer in looked]
        won = [(value, answer) for value, answer in lowest if value is not None]
        picks = [
            ("a game of typical length", [a for a in looked if a["games"][0]["plies"] == length]),
            ("the shortest game", sorted(looked, key=lambda a: int(a["games"][0]["plies"]))),
            ("the greatest comeback", [a for _, a in sorted(won, key=lambda pair: pair[0])]),
            ("most changes of the lead", sorted(looked, key=lambda a: -count_lead_changes(a))),
        ]
        for title, found in picks:
            if found:
                chosen[title] = experiment.middle, found[0]["games"][0], found[0]
    for spec in reversed(experiment.strengths):
        games = _games(_of(answers, ALIKE, spec))
        if games and spec != RANDOM:
            chosen["the strongest players"] = spec, games[0], {}
            break
    samples: list[Sample] = []
    for title, (spec, played, answer) in chosen.items():
        record = _write_record(experiment.game, spec, played)
        same = [i for i, sample in enumerate(samples) if sample.record == record]
        if same:
            samples[same[0]] = replace(samples[same[0]], title=f"{samples[same[0]].title}; {title}")
        else:
            chances = tuple(tuple(each) for each in answer.get("chances", ()))
            samples.append(Sample(title, spec, record, chances))
    return samples


def _count_forfeits(answers: Answers) -> list[ForfeitCount]:
    counts: Counter[tuple[str, str]] = Counter()
    for unit, answer in answers.items():
        spec = unit.subject.partition(AFTER)[0]
        counts.update((who, why) for who, why in answer.get("forfeits", ()))
        counts.update(
            (spec, game["forfeit"]) for game in answer.get("games", ()) if "forfeit" in game
        )
    return [ForfeitCount(*told, games) for told, games in counts.most_common()]


def _write_record(game: Game, spec: str, played: dict[str, Any]) -> str:
    deal = played["deal"]
    headers = dict.fromkeys(game.seats, spec)
    if "forfeit" in played:
        headers["Termination"] = f"forfeited: {played['forfeit']}"
    seed = deal if game.has_chance else None
    return write_text(
        Record.from_moves(game, game.initial(deal), played["actions"], headers, seed=seed)
    )
