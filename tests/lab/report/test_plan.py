"""Plans: the same answers lead to the same units, and effort goes where it tells most."""

from random import Random

import skerry
from skerry.lab.report.measure.plan import Arm, Plan, list_arms, list_boards
from skerry.lab.report.measure.units import (
    ALIKE,
    LOOK,
    OPENING,
    SKILL,
    SOLVE,
    STAGES,
    Answer,
    Experiment,
    Unit,
    games_in,
    work,
)

PLAYERS = ("random", "level:1", "level:2", "level:3", "level:4")
EXPERIMENT = Experiment(
    skerry.make("skirt", side=3), ("random", "level:1", "level:5", "level:7"), 3
)


def answer(unit: Unit, even: float = 0.5) -> Answer:
    """What a unit might say, at a glance: games of 20 plies that the first seat wins so often."""
    dice = Random(str(unit))
    number = games_in(EXPERIMENT, unit)
    won = [float(dice.random() < even) for _ in range(number)]
    games = [{"shares": [share, 1 - share], "plies": 20} for share in won]
    if unit.stage == SKILL:
        return {"won": sum(won) / number, "plies": [20] * number}
    if unit.stage == LOOK:
        return {"games": games, "chances": [[0.5, 0.5], [won[0], 1 - won[0]]]}
    return {"games": games}


def work_through(rounds: int, even: float = 0.5) -> Plan:
    plan, answers = Plan(EXPERIMENT), {}
    while len(plan.rounds) < rounds and plan.extend(answers):
        answers |= {unit: answer(unit, even) for unit in plan.rounds[-1]}
    return plan


def units_of(plan: Plan, arm: Arm) -> list[int]:
    found = [unit for units in plan.rounds for unit in units]
    return [unit.number for unit in found if (unit.stage, unit.subject) == (arm.stage, arm.subject)]


def test_the_same_answers_make_the_same_plan() -> None:
    first, second = work_through(8), work_through(8)
    assert first.rounds == second.rounds
    assert work_through(5).rounds == first.rounds[:5]
    assert work_through(8, even=0.9).rounds != first.rounds


def test_everything_is_worked_at_and_numbered_from_0_on() -> None:
    plan = work_through(6)
    assert {unit.stage for units in plan.rounds for unit in units} == set(STAGES)
    for arm in plan.arms:
        numbers = units_of(plan, arm)
        assert numbers == list(range(len(numbers)))
        assert len(numbers) == 1 if arm.stage == SOLVE else len(numbers) >= 2


def test_a_round_needs_no_answers_of_the_one_before() -> None:
    plan, answers = Plan(EXPERIMENT), {}
    for _ in range(6):
        assert plan.extend(answers)
        answers |= {unit: answer(unit) for units in plan.rounds[-2:-1] for unit in units}


def test_cheap_games_are_played_more_often() -> None:
    plan = work_through(12)
    games = [
        sum(
            games_in(EXPERIMENT, Arm(ALIKE, spec).unit(n)) for n in units_of(plan, Arm(ALIKE, spec))
        )
        for spec in EXPERIMENT.strengths
    ]
    assert games == sorted(games, reverse=True)
    assert games[0] > 2 * games[-1] > 0


def test_effort_goes_where_intervals_are_wide() -> None:
    """A strength whose games all end alike is known sooner than one that is in doubt."""

    def plan_for(even: float) -> list[int]:
        plan, answers = Plan(EXPERIMENT), {}
        while len(plan.rounds) < 10 and plan.extend(answers):
            for unit in plan.rounds[-1]:
                doubtful = (unit.stage, unit.subject) == (ALIKE, "level:5")
                answers[unit] = answer(unit, 0.5 if doubtful else even)
        return units_of(plan, Arm(ALIKE, "level:5"))

    assert len(plan_for(even=1.0)) > 1.5 * len(plan_for(even=0.5))


def test_it_ends_when_all_intervals_are_narrow() -> None:
    plan = work_through(10_000, even=1.0)
    assert len(plan.rounds) < 10_000
    assert not plan.extend({u: answer(u, 1.0) for units in plan.rounds for u in units})
    games = sum(
        games_in(EXPERIMENT, Arm(ALIKE, "level:7").unit(n))
        for n in range(len(units_of(plan, Arm(ALIKE, "level:7"))))
    )
    assert 150 <= games <= 400  # Wilson's margin of n equal results is 1.92 / (n + 3.84)


def test_a_unit_is_the_same_whoever_else_takes_part() -> None:
    """Answers are kept by the names of units, so these must say all that an answer depends on."""
    game = skerry.make("skirt", side=2)
    fewer, more = (Experiment(game, PLAYERS[:n], 3) for n in (3, 5))
    assert fewer.opener != more.opener
    for unit in (arm.unit(0) for arm in list_arms(fewer)):
        ours, theirs = work(fewer, unit), work(more, unit)
        assert ours | {"seconds": 0} == theirs | {"seconds": 0}


def test_boards_to_be_solved() -> None:
    assert list_boards(skerry.make("skirt")) == ("side=2", "side=3")
    assert list_boards(skerry.make("x", size=5)) == ("size=2", "size=3", "size=4", "size=5")
    small = list_boards(skerry.make("skaane", **skerry.make("skaane").sizes[0]))
    assert small[0].startswith("width=2 height=4 gods=1")
    assert small[0].endswith("deal=0")


def test_units_have_names_of_their_own() -> None:
    units = [unit for units in work_through(9).rounds for unit in units]
    assert len({unit.name for unit in units}) == len(units)
    assert Unit(OPENING, "level:3 after d4-ne", 3).name == "opening-level3-d4-ne-3"
    assert all(set(unit.name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-_=") for unit in units)


def test_deals_without_a_move_are_planned_with() -> None:
    """On so small a board of Skaane some deals leave nobody a move, and a game costs nothing."""
    plan = Plan(EXPERIMENT)
    answers: dict[Unit, Answer] = {}
    for _ in range(4):
        if not plan.extend(answers):
            break
        for unit in plan.rounds[-1]:
            found = answer(unit)
            for game in found.get("games", ()):
                game["plies"] = 0
            if "plies" in found:
                found["plies"] = [0] * len(found["plies"])
            answers[unit] = found
    assert len(plan.rounds) == 4


def test_openings_are_played_by_the_strength_before_the_middle() -> None:
    for count, opener in ((2, 0), (3, 0), (8, 3), (9, 3)):
        players = tuple(f"mcts:simulations={n}" for n in range(1, count + 1))
        assert Experiment(EXPERIMENT.game, players).opener == players[opener]
