"""Variants beside each other: what is compared, what is found out, and the table."""

import runpy
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import skerry
from skerry.lab.variants import searched
from skerry.lab.variants.choices import sample_positions, weigh
from skerry.lab.variants.compare import JSON, TABLE, compare, cut, seat
from skerry.lab.variants.findings import read_comparison, tell
from skerry.lab.variants.rules import Variant, list_variants
from skerry.lab.variants.searched import Searched
from skerry.lab.variants.table import write_table
from support.running import complaints, run

ROOT = Path(__file__).resolve().parent.parent.parent
TINY = skerry.make("skirt", side=3)


class Here:
    """A site that does everything at once, in this process."""

    def hire(self, function: Callable[..., Any], warn: object) -> "Here":
        self.function, self.done = function, []
        return self

    def prepare(self, function: Callable[..., object], *arguments: object) -> None:
        """Random players need nothing compiled."""

    def __enter__(self) -> "Here":
        return self

    def __exit__(self, *_: object) -> None: ...

    has_room = True

    def start(self, key: int, *arguments: object) -> None:
        self.done.append((key, self.function(*arguments)))

    def wait(self) -> tuple[int, Any]:
        return self.done.pop()


def players(weaker: str = "random") -> Searched:
    return Searched("random", weaker, Here(), pytest.fail)  # type: ignore[arg-type]


def test_arms_are_the_usual_rules_and_what_is_changed() -> None:
    variants = list_variants(skerry.make("skew", side=4))
    assert [variant.name for variant in variants][:3] == ["usual", "bonus=1", "bonus=2"]
    assert variants[0].game == skerry.make("skew", side=4)
    assert variants[-1].game == skerry.make("skew", side=4, extra=1)
    assert [variant.name for variant in list_variants(skerry.make("skaane", quiet_limit=40))][
        :2
    ] == [
        "usual",
        "quiet_end=1",
    ]


def test_of_x_boards_are_compared() -> None:
    assert [variant.game.options for variant in list_variants(skerry.make("x"))] == [
        {"size": size} for size in (10, 6, 8, 12)
    ]


def test_players_have_all_seats_equally_often() -> None:
    for seats in (2, 3):
        rows = seat(seats, 24)
        assert not rows[:24].any()
        assert (rows[24:].mean(0) == 0.5).all()


def test_a_comparison_is_kept_resumed_and_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    found = compare(TINY, players(), 8, 1, tmp_path / "a", told.append)
    assert [variant.name for variant in found.variants][:2] == ["usual", "jumps=0"]
    assert found.variants[0].draws.n == 8
    assert found.variants[0].skill.n == 4
    assert any(text.startswith("jumps=0 (2 of 4): 12 of 12 games") for text in told)
    again = compare(TINY, players(), 8, 1, tmp_path / "b", told.append)
    assert again == found
    assert read_comparison((tmp_path / "a" / JSON).read_text()) == found
    table = (tmp_path / "a" / TABLE).read_text()
    assert table == write_table(found)
    assert "| points of White | " in table
    assert "| alternate sides (skirt.7) | " in table
    (tmp_path / "a" / "usual" / "findings.json").unlink()
    monkeypatch.setattr(searched, "play_all", pytest.fail)
    assert compare(TINY, players(), 8, 1, tmp_path / "a", told.append) == found
    with pytest.raises(skerry.OptionsError, match="was begun with seed 1, not 2"):
        compare(TINY, players(), 8, 2, tmp_path / "a", told.append)


def test_figures_say_what_was_played() -> None:
    """Four games of a player with itself, two with a weaker one."""
    corpus = players().play(Variant("usual", TINY), seat(2, 4), 3, Path(), lambda text: None)
    alike, duels = cut(corpus, slice(4)), cut(corpus, slice(4, None))
    findings = tell(Variant("usual", TINY), ("a", "b"), alike, duels, [0.5, 1.0])
    assert findings.seats[0].value == pytest.approx(alike.shares[:, 0].mean())
    assert findings.length.value == pytest.approx(alike.lengths.mean())
    stronger = [duels.shares[k, list(row).index(0)] for k, row in enumerate(duels.seating)]
    assert findings.skill.value == pytest.approx(np.mean(stronger))
    assert findings.choices.value == 0.75
    ends = {use.name: use.games.value for use in findings.usage}
    assert ends["opposite sides"] + ends["alternate sides"] + ends["draw"] == 1


def test_what_moves_cost() -> None:
    assert weigh([0.5, 0.5, 0.46]) == 0
    assert weigh([1.0, 0.5, 0.98, 0.0]) == 0.5
    corpus = players().play(Variant("usual", TINY), seat(2, 4), 3, Path(), lambda text: None)
    states = sample_positions(corpus, 3, 1)
    assert len(states) == 3
    assert all(len(state.legal_actions()) > 1 for state in states)


def test_a_net_is_trained_for_an_arm_and_plays(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from skerry.train.recipe import Recipe  # noqa: PLC0415  # needs torch
    from skerry.train.variants import Trained  # noqa: PLC0415

    variant = Variant("jumps=0", skerry.make("skirt", side=2, jumps=0))
    method = Trained(0.002, 2, "cpu", replace(Recipe.small(), batch=8, lesson=16))
    corpus = method.play(variant, seat(2, 4), 1, tmp_path, lambda text: None)
    assert (tmp_path / "trained.net").exists()
    assert corpus.game == variant.game
    again = method.play(variant, seat(2, 4), 1, tmp_path, lambda text: None)
    assert again.actions.tolist() == corpus.actions.tolist()
    costs = method.weigh(variant, sample_positions(corpus, 2, 1), 1, tmp_path, lambda text: None)
    assert all(0 <= cost < 1 for cost in costs)


def test_what_is_wrong_is_said_in_a_line(tmp_path: Path) -> None:
    base = ["variants", "skew", "--out", str(tmp_path)]
    for wrong, said in (
        (["--players", "level:3"], "a player and a weaker one, not level:3"),
        (["--players", "random", "--device", "cpu"], "--players or --device, not both"),
        (["--device", "tpu"], "must be cpu or cuda"),
    ):
        result = run(*base, *wrong)
        assert result.exit_code == 2
        (line,) = complaints(result.stderr)
        assert said in line


def test_the_docs_have_the_tables_of_what_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = runpy.run_path(str(ROOT / "tools" / "variants.py"))
    page = tool["PAGE"].read_text(encoding="utf-8")
    assert tool["write"](page) == page
    found = compare(TINY, players(), 4, 1, tmp_path / "games", lambda text: None)
    monkeypatch.setitem(tool["write"].__globals__, "KEPT", tmp_path / "kept")
    tool["take"](tmp_path / "games")
    once = tool["write"](page)
    assert write_table(found) in once
    command = "`skerry variants skirt --players random --players random --games 4 --seed 1"
    assert command in once
    assert tool["write"](once) == once
