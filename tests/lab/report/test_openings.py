"""First moves up to symmetry."""

import pytest

import skerry
from skerry.lab.report.measure.openings import find_first_moves
from support.sizes import SIZES


@pytest.mark.parametrize(
    ("name", "options"), [(n, o) for n in ("skew", "skirt", "x") for o, _ in SIZES[n][:3]]
)
def test_every_first_move_belongs_to_one(name: str, options: dict[str, int]) -> None:
    game = skerry.make(name, **options)
    found = find_first_moves(game)
    images = [image for first in found for image in first.images]
    assert sorted(images) == sorted(map(str, game.initial().legal_moves()))
    assert all(first.move in first.images for first in found)


@pytest.mark.parametrize(
    ("name", "options", "number"),
    [
        ("skirt", {"side": 6}, 3),  # a corner, the hex beside it, and the one beside that
        ("skirt", {"side": 5}, 3),
        ("x", {"size": 3}, 4),  # two kinds of corners, sides, the centre
        ("skew", {}, 4),  # at the black peg, away from it, and two ways past it
    ],
)
def test_how_many_there_are(name: str, options: dict[str, int], number: int) -> None:
    assert len(find_first_moves(skerry.make(name, **options))) == number


def test_images_are_worth_the_same() -> None:
    """Playing an image leads to a position symmetric to the one that the move leads to."""
    game = skerry.make("x", size=4)
    for first in find_first_moves(game):
        after = game.initial().play(first.move)
        turned = {game.transform(after, n).position for n in range(len(game.symmetries))}
        assert {game.initial().play(image).position for image in first.images} == turned


def test_where_first_moves_are_made() -> None:
    game = skerry.make("skew")
    around = set(game.board.adjacent(len(game.board) // 2))
    assert all(set(first.cells) == around for first in find_first_moves(game))


def test_dealt_games_have_no_map() -> None:
    assert find_first_moves(skerry.make("skaane")) == ()
