"""Reports measured for real: the same ones whoever works, however often it is interrupted."""

from dataclasses import replace
from itertools import count
from math import log10
from pathlib import Path

import pytest

import skerry
from skerry.core.levels import Level
from skerry.lab.report.measure import walk
from skerry.lab.report.measure.units import ALIKE, LOOK, RANDOM, SWAP, Experiment, Unit, work
from skerry.lab.report.measure.walk import Budget, measure
from skerry.lab.report.result.assemble import assemble
from skerry.lab.report.result.compare import compare, label
from skerry.lab.report.result.findings import Report, read_report, to_json, write_json
from skerry.lab.report.result.words import find_favoured, list_doubts, summarise
from skerry.lab.stats.figures import Figure, pool
from skerry.lab.work.executor import Cores, Site
from skerry.records import read
from support.working import InThisProcess

PLAYERS = ("random", "level:1", "level:2")
SMALL = Experiment(skerry.make("skirt", side=2), PLAYERS, 5)
BUDGET = Budget.read("260games")
HERE = InThisProcess()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    answers = measure(SMALL, tmp_path_factory.mktemp("report"), BUDGET, HERE)
    return assemble(SMALL, answers, BUDGET.text)


@pytest.mark.parametrize("site", [HERE, pytest.param(Cores(2), marks=pytest.mark.soak)])
def test_neither_jobs_nor_interruptions_change_anything(
    report: Report, tmp_path: Path, site: Site
) -> None:
    measure(SMALL, tmp_path, Budget.read("90games"), site)
    files = {file: file.stat().st_mtime_ns for file in (tmp_path / "units").iterdir()}
    for number, file in enumerate(sorted(files)):
        if number % 5 == 0:  # work that was lost
            file.unlink()
        if number % 5 == 1:  # a file that breaks off
            file.write_bytes(file.read_bytes()[:30])
    answers = measure(SMALL, tmp_path, BUDGET, HERE)
    assert to_json(assemble(SMALL, answers, BUDGET.text)) == to_json(report)
    kept = [file for n, file in enumerate(sorted(files)) if n % 5 > 1]
    assert kept
    assert all(file.stat().st_mtime_ns == files[file] for file in kept)
    # And now that all is there, nothing is worked out again.
    written = {file: file.stat().st_mtime_ns for file in (tmp_path / "units").iterdir()}
    assert list(measure(SMALL, tmp_path, BUDGET, HERE)) == list(answers)
    assert {f: f.stat().st_mtime_ns for f in (tmp_path / "units").iterdir()} == written


def test_a_smaller_budget_is_the_beginning_of_a_larger_one(tmp_path: Path) -> None:
    larger = list(measure(SMALL, tmp_path, BUDGET, HERE))
    smaller = list(measure(SMALL, tmp_path, Budget.read("120games"), HERE))
    assert smaller == larger[: len(smaller)]
    assert len(smaller) < len(larger)


def test_a_budget_of_time_ends_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = count()
    monkeypatch.setattr(walk, "perf_counter", lambda: next(looks) / 10)  # a clock that is looked at
    first = measure(SMALL, tmp_path, Budget.read("3s"), HERE)
    used = max(answer["at"] for answer in first.values())
    again = measure(SMALL, tmp_path, Budget("no more than that", seconds=used), HERE)
    assert list(again) == list(first)
    second = measure(SMALL, tmp_path, Budget("a little more", seconds=used + 3), HERE)
    assert list(second)[: len(first)] == list(first)
    assert len(second) > len(first)


def test_more_strengths_may_join_and_nothing_is_lost(tmp_path: Path) -> None:
    measure(SMALL, tmp_path, BUDGET, HERE)
    before = {file: file.stat().st_mtime_ns for file in (tmp_path / "units").iterdir()}
    measure(replace(SMALL, strengths=(*PLAYERS, "level:3")), tmp_path, BUDGET, HERE)
    assert {file: file.stat().st_mtime_ns for file in before} == before


@pytest.mark.parametrize(
    "other", [replace(SMALL, seed=6), replace(SMALL, game=skerry.make("skirt", side=3))]
)
def test_a_folder_of_another_experiment_is_refused(tmp_path: Path, other: Experiment) -> None:
    measure(SMALL, tmp_path, Budget.read("1games"), HERE)
    with pytest.raises(skerry.OptionsError, match="holds a report with other options"):
        measure(other, tmp_path, BUDGET, HERE)


def test_a_folder_of_former_levels_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure(SMALL, tmp_path, Budget.read("1games"), HERE)
    former = (Level(7), *SMALL.game.levels[1:])
    monkeypatch.setattr(type(SMALL.game), "levels", former)
    with pytest.raises(skerry.OptionsError, match="another version"):
        measure(SMALL, tmp_path, BUDGET, HERE)


def test_a_report_adds_up(report: Report) -> None:
    assert report.games >= 260
    assert sum(report.units.values()) > 20
    for told in report.strengths:
        assert sum(count for _, count in told.lengths) == told.games
        assert sum(plies * count for plies, count in told.lengths) == pytest.approx(
            told.games * told.length.value
        )
        assert sum(figure.value for figure in told.won) == pytest.approx(1)
        ends = {use.name: use.games.value for use in told.usage}
        assert ends["opposite sides"] + ends["alternate sides"] + ends["draw"] == pytest.approx(1)
    assert [told.player for told in report.strengths] == list(PLAYERS)
    use = report.board_use
    middle = next(told for told in report.strengths if told.player == report.middle)
    assert sum(map(sum, use.moves)) == pytest.approx(middle.length.value)  # nobody passes
    assert [pair.better for pair in report.skill] == ["level:1", "level:2"]


def test_what_is_proven_is_what_play_tends_to(report: Report) -> None:
    (fact,) = [fact for fact in report.facts if fact.this_board]
    assert fact.returns == (-1.0, 1.0)
    assert (fact.optimal, fact.moves) == (6, 6)
    assert report.strengths[-1].won[1].value == 1.0


def test_samples_can_be_replayed(report: Report) -> None:
    assert report.samples
    for sample in report.samples:
        record = read(sample.record)
        assert record.states()[-1].is_over
        assert set(record.players) == {sample.player}
        assert len(sample.chances) in (0, len(record.states()))
    titles = "; ".join(sample.title for sample in report.samples)
    for wanted in ("typical length", "shortest", "comeback", "lead", "strongest"):
        assert wanted in titles


def test_the_tree_is_as_large_as_counted() -> None:
    """Knuth's estimate is right on average: here all games can be counted."""
    game = skerry.make("skirt", side=2)

    def count_games(state: skerry.State) -> int:
        return 1 if state.is_over else sum(count_games(state.play(m)) for m in state.legal_moves())

    truth = count_games(game.initial())
    experiment = Experiment(game, ("random",), 1)
    trees = [
        g["tree"] for n in range(60) for g in work(experiment, Unit(ALIKE, RANDOM, n))["games"]
    ]
    mean = sum(10**tree for tree in trees) / len(trees)
    spread = (sum((10**tree - mean) ** 2 for tree in trees) / len(trees)) ** 0.5
    assert abs(mean - truth) < 4 * spread / len(trees) ** 0.5
    assert log10(mean) == pytest.approx(log10(truth), abs=0.1)


@pytest.mark.parametrize("name", ["x", pytest.param("skaane", marks=pytest.mark.soak)])
def test_three_seats_and_deals(name: str, tmp_path: Path) -> None:
    game = skerry.make(name, **skerry.make(name).sizes[0])
    experiment = Experiment(game, ("random", "level:1"), 1)
    answers = measure(experiment, tmp_path, Budget.read("150games"), HERE)
    report = assemble(experiment, answers, "150 games")
    assert all(len(told.won) == game.num_seats for told in report.strengths)
    assert bool(report.openings.moves) != game.has_chance
    assert bool(report.openings.reason) == game.has_chance
    assert {fact.deal is None for fact in report.facts} == {not game.has_chance}
    write_json(report, tmp_path / "report.json")
    assert to_json(read_report(tmp_path / "report.json")) == to_json(report)


def test_a_game_that_was_looked_over_ends_as_it_did() -> None:
    answer = work(SMALL, Unit(LOOK, "level:1", 0))
    assert len(answer["chances"]) == answer["games"][0]["plies"] + 1
    assert answer["chances"][-1] == answer["games"][0]["shares"]
    assert all(sum(each) == pytest.approx(1, abs=1e-3) for each in answer["chances"])


def test_nobody_swaps_into_a_lost_seat(report: Report) -> None:
    """On Skirt side 2 Black wins whatever White opens with, so who may swap stays Black."""
    games = [g for n in range(4) for g in work(SMALL, Unit(SWAP, "level:9", n))["games"]]
    assert len(games) > 5
    for game in games:
        assert (game["swapped"], game["shares"]) == (False, [0.0, 1.0])
    assert report.swap is not None
    assert sum(figure.value for figure in report.swap.won) == pytest.approx(1)


def test_points_of_a_swap_are_those_of_people() -> None:
    """By chance half of the seats are swapped, and who could swap then has the first seat."""
    games = [g for n in range(5) for g in work(SMALL, Unit(SWAP, RANDOM, n))["games"]]
    black = [g["shares"][0 if g["swapped"] else 1] for g in games]
    assert 0.3 < sum(g["swapped"] for g in games) / len(games) < 0.7
    assert sum(black) / len(black) > 0.65  # the second seat has 79 % of random games
    assert 0.3 < sum(g["shares"][0] for g in games) / len(games) < 0.7


def test_a_file_that_is_no_report_is_refused(tmp_path: Path, report: Report) -> None:
    path = tmp_path / "report.json"
    for content in ("", "[]", "{}", to_json(report)[:-20], to_json(report).replace("won", "one")):
        path.write_text(content, encoding="utf-8")
        with pytest.raises(skerry.RecordError, match="is not a readable report"):
            read_report(path)
    with pytest.raises(skerry.RecordError, match="is not a readable report"):
        read_report(tmp_path / "nothing.json")


def test_too_few_games_are_said_to_be_too_few(tmp_path: Path) -> None:
    report = assemble(SMALL, {}, "nothing")
    assert report.summary == ("Too few games were played to say anything.",)
    write_json(report, tmp_path / "report.json")
    assert to_json(read_report(tmp_path / "report.json")) == to_json(report)


def test_words_follow_the_figures(report: Report) -> None:
    assert report.summary[0].startswith("Black is favoured: 100.0 % (")
    assert "at level:1 to level:2, +50.0 above an equal part." in report.summary[0]
    assert any("Proven: Black wins with best play" in sentence for sentence in report.summary)
    assert any("Never seen" in s and "draw (skirt.6)" in s for s in report.summary)
    assert any(doubt.startswith("Black is favoured too much") for doubt in list_doubts(report))
    even = tuple(replace(f, value=0.5, low=0.48, high=0.52) for f in report.strengths[0].won)
    fair = replace(
        report,
        strengths=tuple(replace(told, won=even) for told in report.strengths),
        skill=(),
        drama=None,
    )
    margin = 100 * pool([told.won[0] for told in fair.strengths[1:]]).margin
    where = "level:1 to level:2"
    assert 1.0 < margin < 2.0, "two strengths tell more than one"
    nobody = f"No seat is clearly favoured at {where}, which is known to ± {margin:.1f} points."
    assert summarise(fair)[0] == nobody
    assert summarise(fair)[-1] == "Nothing that was measured looks broken."


def test_one_level_among_many_favours_nobody(report: Report) -> None:
    """Of eight levels one or the other is off by chance."""
    weaker, *_ = report.strengths
    even, odd = (
        tuple(Figure(value, value - 0.04, value + 0.04, 400) for value in shares)
        for shares in ((0.5, 0.5), (0.455, 0.545))
    )
    levels = [replace(weaker, player=f"level:{n}", won=even) for n in (1, 2, 3)]
    levels.append(replace(weaker, player="level:4", won=odd))
    assert find_favoured(levels[-1]) == 1
    found = summarise(replace(report, strengths=tuple(levels), middle="level:2"))
    assert found[0].startswith("No seat is clearly favoured at level:2 to level:4")


def test_what_is_least_clear_is_not_what_is_lowest(report: Report) -> None:
    pair = report.skill[0]
    sure = replace(pair, won=replace(pair.won, value=0.7, low=0.6, high=0.8))
    few = replace(pair, better="level:9", won=replace(pair.won, value=0.9, low=0.4, high=1.0))
    told = summarise(replace(report, skill=(sure, few)))
    assert any(s.startswith("Not every strength clearly beats") and "level:9" in s for s in told)


def test_a_comparison(report: Report) -> None:
    other = Experiment(skerry.make("skirt", side=3), PLAYERS, 5)
    answers = {unit: work(other, unit) for unit in (Unit(ALIKE, RANDOM, n) for n in range(6))}
    second = assemble(other, answers, "some")
    found = compare(report, second)
    assert (found.first, found.second) == ({"side": 2}, {"side": 3})
    by_name = {each.name: each for each in found.differences}
    length = by_name["length at random"]
    assert length.difference.value == pytest.approx(length.second.value - length.first.value)
    assert length.clear
    assert length.sentence.startswith("side=3 lasts ")
    assert length.sentence.endswith(" plies more than side=2 at random.")
    white = by_name["White at random"]
    assert white.difference.value > 0  # the first seat is worse off on the smaller board
    assert white.sentence.startswith("side=3 favours White by ")
    assert f"{100 * white.difference.value:.1f} ± " in white.sentence
    assert set(found.summary[:-1]) == {each.sentence for each in found.differences if each.clear}


def test_a_report_compared_with_itself_differs_in_nothing(report: Report) -> None:
    found = compare(report, report)
    assert not any(each.clear for each in found.differences)
    assert found.summary == ("Nothing that was measured differs clearly.",)


def test_two_games_are_not_compared(report: Report) -> None:
    with pytest.raises(skerry.OptionsError, match="different games"):
        compare(report, replace(report, game="x", title="X"))


def test_options_are_named_by_what_differs() -> None:
    assert label({"side": 4, "pegs": 14}, {"side": 5, "pegs": 14}) == "side=4"
    assert label({"side": 4, "pegs": 14}, {"side": 5, "pegs": 24}) == "side=4 pegs=14"


@pytest.mark.parametrize(
    ("text", "games", "seconds"),
    [("10m", None, 600), ("1.5h", None, 5400), (" 90 S ", None, 90), ("2000games", 2000, None)],
)
def test_budgets(text: str, games: int | None, seconds: float | None) -> None:
    budget = Budget.read(text)
    assert (budget.games, budget.seconds) == (games, seconds)
    assert budget.includes_top_level == (text == "1.5h")


@pytest.mark.parametrize(
    "text", ["", "10", "0m", "-5m", "1.5games", "0games", "ten", "0.1s", "1e9h"]
)
def test_wrong_budgets(text: str) -> None:
    with pytest.raises(skerry.OptionsError, match="is not a budget: write a time such as 90s"):
        Budget.read(text)


def test_who_always_makes_its_best_move_does_not_play_one_game_again_and_again() -> None:
    """After as many plies as are drawn, whatever side the board is looked at from."""
    game = skerry.make("skirt", side=4)
    player = "net:simulations=12"

    def play(number: int) -> str:
        (played,) = work(Experiment(game, (player,)), Unit(ALIKE, player, number))["games"]
        state = game.initial()
        for action in played["actions"][:8]:
            state = state.play(action)
        return min(game.transform(state, n).position for n in range(len(game.symmetries)))

    assert len({play(number) for number in range(10)}) > 7
