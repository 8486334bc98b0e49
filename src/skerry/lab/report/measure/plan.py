"""Which units to work out, in which order: more where an interval is wide for what it costs.

A plan is a sequence of rounds. Each is planned from the answers of all rounds but the last one
before it, so that nobody waits for the slowest unit, and from nothing else. So the sequence is the
same on any number of cores and after any interruption, and a budget only says where it ends.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from skerry.core.game import Game
from skerry.lab.report.measure.drama import find_known
from skerry.lab.report.measure.openings import find_first_moves
from skerry.lab.report.measure.units import (
    AFTER,
    ALIKE,
    LOOK,
    LOOK_EFFORT,
    OPENING,
    RANDOM,
    SKILL,
    SOLVE,
    SWAP,
    VERSUS,
    Answer,
    Experiment,
    Unit,
    effort_of,
    write_board,
)
from skerry.lab.stats.figures import share

LEAST_ROUND = 32  # units; later rounds are half of what has been planned before
SOLVED_SIZES = 3  # of the smallest boards
SOLVED_CELLS = 25  # a larger board is never solved within the nodes that a unit may use
SOLVED_DEALS = 4
# What an interval of a stage matters beside that of a player with itself, and when it is narrow
# enough; a random game is cheap, and much is read from it.
WEIGHTS = {ALIKE: 1.0, SKILL: 0.7, LOOK: 0.5, SWAP: 0.5, OPENING: 0.4}
NARROW = {ALIKE: 0.01, SKILL: 0.01, LOOK: 0.01, SWAP: 0.01, OPENING: 0.02}
NARROW_RANDOM = 0.007

Answers = Mapping[Unit, Answer]


@dataclass(frozen=True)
class Arm:
    """Units of one stage about one subject."""

    stage: str
    subject: str

    def unit(self, number: int) -> Unit:
        return Unit(self.stage, self.subject, number)


def list_arms(experiment: Experiment) -> tuple[Arm, ...]:
    """Everything that can be worked at, what is quick first."""
    pairs = zip(experiment.strengths[1:], experiment.strengths, strict=False)
    return (
        *(Arm(SOLVE, subject) for subject in list_boards(experiment.game)),
        *(Arm(ALIKE, spec) for spec in experiment.strengths),
        *(Arm(SKILL, VERSUS.join(pair)) for pair in pairs),
        Arm(LOOK, experiment.middle),
        *([Arm(SWAP, experiment.middle)] if experiment.game.num_seats == 2 else []),
        *(
            Arm(OPENING, experiment.opener + AFTER + m.move)
            for m in find_first_moves(experiment.game)
        ),
    )


def list_boards(game: Game) -> tuple[str, ...]:
    """Boards to be solved: the smallest ones, and this one, unless they are too large."""
    kind = type(game)
    smallest = [kind(**options) for options in game.sizes[:SOLVED_SIZES]]
    found = []
    for board in dict.fromkeys((*smallest, game)):
        if len(board.board) > SOLVED_CELLS:
            continue
        deals = range(SOLVED_DEALS) if game.has_chance else [None]
        found += [write_board(board.options, deal) for deal in deals]
    return tuple(found)


class Plan:
    """The sequence of units, as far as it is planned."""

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self.arms = list_arms(experiment)
        self.rounds: list[list[Unit]] = []

    def extend(self, answers: Answers) -> bool:
        """Plan another round from answers to all rounds but the last; False if all is narrow."""
        if not self.rounds:
            order = [arm.unit(0) for arm in self.arms if arm.stage != OPENING]
        elif len(self.rounds) == 1:  # two of each, and openings, of which there may be many
            order = [arm.unit(int(arm.stage != OPENING)) for arm in self.arms if arm.stage != SOLVE]
        else:
            order = self._fill([unit for units in self.rounds[:-1] for unit in units], answers)
        if order:
            self.rounds.append(order)
        return bool(order)

    def _fill(self, counted: Sequence[Unit], answers: Answers) -> list[Unit]:
        planned = dict.fromkeys(self.arms, 0)
        for units in self.rounds:
            for unit in units:
                planned[Arm(unit.stage, unit.subject)] += 1
        found: dict[Arm, list[Answer]] = {arm: [] for arm in self.arms}
        for unit in counted:
            found[Arm(unit.stage, unit.subject)].append(answers[unit])
        needs = {
            arm: Need.of(self.experiment, arm, found[arm])
            for arm in self.arms
            if arm.stage != SOLVE and found[arm]  # a proof needs no second one
        }
        order: list[Unit] = []
        for _ in range(max(LEAST_ROUND, sum(planned.values()) // 2)):
            arm = max(needs, key=lambda arm: needs[arm].gain(planned[arm]))
            if needs[arm].gain(planned[arm]) == 0:
                break
            order.append(arm.unit(planned[arm]))
            planned[arm] += 1
        return order


@dataclass(frozen=True)
class Need:
    """How wide an interval is after so many units, when it is narrow enough, and what one costs."""

    width: float
    units: int
    weight: float
    narrow: float
    cost: float

    @classmethod
    def of(cls, experiment: Experiment, arm: Arm, answers: Sequence[Answer]) -> "Need":
        narrow = NARROW_RANDOM if arm.subject == RANDOM else NARROW[arm.stage]
        # A deal may leave no move at all, which costs nothing but has to be planned with.
        cost = max(1.0, sum(_cost(experiment, arm, answer) for answer in answers) / len(answers))
        return cls(_width(arm, answers), len(answers), WEIGHTS[arm.stage], narrow, cost)

    def gain(self, units: int) -> float:
        """What one more unit after so many narrows the interval by, for its cost."""
        width = self.width * sqrt(self.units / units)
        return 0.0 if width <= self.narrow else self.weight * width / (units * self.cost)


def _width(arm: Arm, answers: Sequence[Answer]) -> float:
    """Half the width of the interval that an arm is about."""
    if arm.stage == SKILL:
        return share(answer["won"] for answer in answers).margin
    if arm.stage == LOOK:
        known = [find_known(answer) for answer in answers]
        return share([value for value in known if value is not None] or [0.5]).margin
    shares = [game["shares"] for answer in answers for game in answer["games"]]
    return max(share(seat).margin for seat in zip(*shares, strict=True))


def _cost(experiment: Experiment, arm: Arm, answer: Answer) -> float:
    """What a unit cost, in simulations: seconds would differ from machine to machine."""
    game = experiment.game
    if arm.stage == SKILL:
        better, worse = arm.subject.split(VERSUS)
        return sum(answer["plies"]) * (effort_of(game, better) + effort_of(game, worse)) / 2
    plies = sum(played["plies"] for played in answer["games"])
    if arm.stage == LOOK:
        return float(plies * (effort_of(game, arm.subject) + LOOK_EFFORT))
    return float(plies * effort_of(game, arm.subject.partition(AFTER)[0]))
