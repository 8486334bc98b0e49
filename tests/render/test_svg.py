"""SVG pictures: well formed, self-contained, with stable ids, and readable without colours."""

import gzip
import re
from itertools import pairwise
from math import atan2, degrees
from xml.etree import ElementTree

import pytest

import skerry
from skerry.board import hexagon, square
from skerry.core.scene import MARKS, Arrow, Chain, Flag, Mark, Overlay, Piece, Scene, Side
from skerry.render.frames import draw_frames
from skerry.render.layout import labels, step, turn
from skerry.render.marks import last_turn
from skerry.render.svg import draw
from skerry.render.themes import THEMES
from support.positions import after, middle_of, play_out

SVG = "{http://www.w3.org/2000/svg}"
COLOUR = re.compile(r' (fill|stroke|stop-color)="(#[0-9a-f]{6}|none)"')
TRANSFORM = re.compile(r"translate\((\S+) (\S+)\)(?: rotate\((\S+)\))?")
REFERENCE = re.compile(r'href="([^"]*)"|url\(([^)]*)\)')


def parse(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)  # noqa: S314  our own output


def by_id(picture: str) -> dict[str, ElementTree.Element]:
    elements = [e for e in parse(picture).iter() if "id" in e.attrib]
    found = {e.attrib["id"]: e for e in elements}
    assert len(found) == len(elements), "ids are unique"
    return found


def placed(element: ElementTree.Element) -> tuple[float, float, float]:
    """Where something is drawn, and how far it is turned."""
    found = TRANSFORM.fullmatch(element.attrib["transform"])
    assert found is not None
    x, y, turn = found.groups(default="0")
    return float(x), float(y), float(turn)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("overlay", [None, "standing", "targets+guide"])
@pytest.mark.parametrize("name", skerry.GAMES)
def test_pictures_are_whole_and_self_contained(name: str, overlay: str, theme: str) -> None:
    state = middle_of(name)
    scene, picture = state.scene(), state.svg(theme, overlay)
    names, ids = scene.board.names, by_id(picture)
    assert {i for i in ids if i.startswith("cell-")} == {f"cell-{n}" for n in names}
    assert {i for i in ids if i.startswith("piece-")} >= {
        f"piece-{names[cell]}" for cell in scene.pieces
    }
    assert "<style" not in picture
    assert "<text" not in picture, "fonts differ; letters are drawn"
    for found in REFERENCE.finditer(picture):
        reference = found.group(1) or found.group(2)
        assert reference.startswith("#")
        assert reference[1:] in ids
    left, top, width, height = map(float, parse(picture).attrib["viewBox"].split())
    for element in parse(picture).iter(f"{SVG}use"):
        x, y, _ = placed(element)
        assert left < x < left + width
        assert top < y < top + height


@pytest.mark.parametrize("name", skerry.GAMES)
def test_pictures_are_small(name: str) -> None:
    """Under 60 kB and 8 kB zipped, with the board as full as it gets and everything explained."""
    last = play_out(name)[-1]
    for overlay in (None, "standing"):
        picture = last.svg(overlay=overlay).encode()
        assert len(picture) < 60_000
        assert len(gzip.compress(picture)) < 8_000


@pytest.mark.parametrize("kind", ["peg", "stone", "god", "sun"])
def test_seats_differ_without_colours(kind: str) -> None:
    def shapes(seat: int | None) -> str:
        facing = "e" if kind == "peg" and seat is not None else None
        piece = Piece(seat, kind, "p", facing)
        picture = draw(Scene(hexagon(2), ("One", "Two", "Three"), {3: piece}))
        used = by_id(picture)["piece-b2"].attrib["href"][1:]
        drawn = ElementTree.tostring(by_id(picture)[used], encoding="unicode")
        return COLOUR.sub("", drawn).replace(used, "")

    seats = [0, 1] if kind in ("god", "sun") else [0, 1, 2, None]
    assert len({shapes(seat) for seat in seats}) == len(seats)


def test_kinds_of_pawns_differ() -> None:
    game = skerry.make("skaane")
    picture = draw(game.initial().scene().under(game.view.guide()))
    drawn = {
        kind: COLOUR.sub("", ElementTree.tostring(by_id(picture)[f"{kind}-0"], encoding="unicode"))
        for kind in ("god", "king", "serf", "sun")
    }
    assert len({text.replace(kind, "") for kind, text in drawn.items()}) == 4


def test_pegs_lean_the_way_they_face() -> None:
    board = hexagon(2)
    for facing in board.direction_names:
        scene = Scene(board, ("One", "Two"), {3: Piece(0, "peg", "p", facing)})
        peg = by_id(draw(scene))["piece-b2"]
        assert peg.attrib["data-facing"] == facing
        *_, turn = placed(peg)
        dx, dy = step(board, facing)
        assert (turn + degrees(atan2(dy, dx)) + 180) % 360 == pytest.approx(180, abs=0.5)


@pytest.mark.parametrize("name", skerry.GAMES)
def test_a_turned_board_turns_places_and_no_letter(name: str) -> None:
    state = middle_of(name)
    scene = state.scene().under(state.overlay("standing"))
    before, after_turning = parse(draw(scene)), parse(draw(scene, turned=True))
    sizes = [(picture.get("width"), picture.get("height")) for picture in (before, after_turning)]
    assert sizes[0] == sizes[1], "it stays where it is"
    upright, turned = by_id(draw(scene)), by_id(draw(scene, turned=True))
    assert upright.keys() == turned.keys()
    first, last = (
        placed(upright[f"cell-{n}"]) for n in (scene.board.names[0], scene.board.names[-1])
    )
    assert placed(turned[f"cell-{scene.board.names[0]}"]) == last
    assert placed(turned[f"cell-{scene.board.names[-1]}"]) == first
    for cell, piece in scene.pieces.items():
        *_, before_it = placed(upright[f"piece-{scene.board.names[cell]}"])
        *_, after_it = placed(turned[f"piece-{scene.board.names[cell]}"])
        assert (after_it - before_it) % 360 == (0 if piece.facing is None else 180)
    for group in ("labels", "counts"):
        drawn = [
            [use for g in picture.iter(f"{SVG}g") if g.get("class") == group for use in g]
            for picture in (before, after_turning)
        ]
        assert sorted(use.attrib["href"] for use in drawn[0]) == sorted(
            use.attrib["href"] for use in drawn[1]
        )
        assert all("rotate" not in use.attrib["transform"] for use in drawn[1])


def test_coordinates_of_a_square_board_stay_below_and_at_the_left() -> None:
    board = square(2, 3)
    assert [(label.text, label.place) for label in labels(turn(board))] == [
        ("a", (1, -1)), ("b", (0, -1)), ("1", (-1, 2)), ("2", (-1, 1)), ("3", (-1, 0)),
    ]  # fmt: skip


def test_a_picture_moves_to_the_next_one_by_its_transforms() -> None:
    """What stays keeps its id, and differs by nothing but where it is and how it is turned."""
    state = after("skew", "c4-w b3-nw", side=3, pegs=5)
    before, now = by_id(state.svg()), by_id(state.play("d3-se").svg())
    assert set(before) <= set(now)
    assert set(now) - set(before) == {"piece-d3", "shadow-d3"}
    old, new = before["piece-c4"].attrib, now["piece-c4"].attrib
    assert {key for key in old if old[key] != new[key]} == {"data-facing", "transform"}


def test_marks_have_shapes_of_their_own() -> None:
    board = hexagon(3)
    marks = tuple(Mark(cell, kind, text="7") for cell, kind in enumerate(MARKS))
    ids = by_id(draw(Scene(board, ("One", "Two"), {}, overlay=Overlay(marks=marks))))
    drawn = set()
    for cell, kind in enumerate(MARKS):
        element = ids[f"{kind}-{board.names[cell]}"]
        rest = {
            k: v for k, v in element.attrib.items() if k not in ("id", "class", "cx", "cy", "d")
        }
        drawn.add((element.tag, tuple(sorted(rest.items()))))
    assert len(drawn) == len(MARKS)


def test_everything_an_overlay_can_say_is_drawn() -> None:
    scene = skerry.make("skew", side=3).initial().scene()
    overlay = Overlay(
        chains=(Chain((0, 1, 2), 0), Chain((3, 4), 1, leads=True)),
        arrows=(Arrow(5, 6), Arrow(7, "ne", weight=0.5)),
        sides=(Side(0, 2, 0),),
        flags=(Flag(0, 0, True), Flag(18, 1, False)),
        tally=(12, 3),
        words=("Nobody knows",),
    )
    picture = parse(draw(scene.under(overlay)))
    groups = {e.attrib["class"]: e for e in picture.iter(f"{SVG}g") if "class" in e.attrib}
    assert {"lines", "arrows", "sides", "flags", "strips", "counts"} <= set(groups)
    assert picture.findtext(f"{SVG}desc") == "Nobody knows."


def test_rows_below_the_board_make_narrow_boards_wider() -> None:
    options = {"width": 2, "height": 4, "gods": 1, "kings": 1, "serfs": 1, "suns": 1}
    picture = parse(skerry.make("skaane", **options).initial().svg(overlay="guide"))
    left, _, width, _ = map(float, picture.attrib["viewBox"].split())
    (strip,) = [e for e in picture.iter(f"{SVG}g") if e.attrib.get("class") == "strips"]
    for piece in strip.iter(f"{SVG}use"):
        x, _, _ = placed(piece)
        assert left + 17 < x < left + width - 17  # a token's radius


def test_the_last_turn_and_what_it_changed() -> None:
    before = skerry.make("skew").initial().play("d4-ne")
    state = before.play("c3-e").play("d5-w")  # leans the peg on d4 as well
    marks = by_id(state.svg(overlay=last_turn(before.play("c3-e"), "d5-w")))
    assert "last-d5" in marks
    assert "changed-d4" in marks
    assert "changed-c3" not in marks


def test_a_turn_of_two_placements_is_marked_whole() -> None:
    before = skerry.make("skirt").initial().play("a1")
    marks = last_turn(before, "a3-c5").marks
    assert [before.game.board.names[mark.cell] for mark in marks] == ["a3", "c5"]


def test_titles_are_escaped() -> None:
    title = """<script>alert("&'")</script>"""
    picture = parse(draw(skerry.make("x", size=2).initial().scene(), title=title))
    assert picture.findtext(f"{SVG}title") == title


def test_several_pictures_fit_on_one_page() -> None:
    scene = middle_of("skew").scene()
    first, second = by_id(draw(scene, prefix="one-")), by_id(draw(scene, prefix="two-"))
    assert not set(first) & set(second)
    with pytest.raises(skerry.OptionsError, match="cannot begin an id"):
        draw(scene, prefix='"><script>')


@pytest.mark.parametrize("theme", ["pink", None, ["light"]])
def test_unknown_theme(theme: str) -> None:
    with pytest.raises(skerry.OptionsError, match="light, dark, print"):
        skerry.make("skew").initial().svg(theme=theme)


@pytest.mark.parametrize("name", skerry.GAMES)
def test_labels_stay_clear_of_the_board(name: str) -> None:
    board = skerry.make(name).board
    for label in labels(board):
        x, y = label.place
        nearest = min((x - a) ** 2 + (y - b) ** 2 for a, b in board.drawn_at) ** 0.5
        assert nearest > 0.8


def test_letters_grow_with_wide_boards() -> None:
    """They stay legible where a wide board is shown as small as a phone is."""

    def read_height(name: str, **options: int) -> float:
        svg = skerry.make(name, **options).initial().svg()
        return float("0." + svg.split('href="#glyph-0')[1].split("-")[0])

    assert read_height("skew") == read_height("skirt") == read_height("skaane") == 0.27
    assert read_height("x", size=5) == 0.27
    assert read_height("x") == read_height("x", size=19) == 0.36


@pytest.mark.parametrize("name", ["x", "skirt"])
def test_frames_of_a_game_have_one_size(name: str) -> None:
    states = play_out(name, **({"size": 4} if name == "x" else {"side": 3}))
    moves = [next(m for m in a.legal_moves() if a.play(m) == b) for a, b in pairwise(states)]
    frames = draw_frames(states[0], moves, "dark")
    assert len(frames) == len(states)
    assert len({parse(frame).attrib["viewBox"] for frame in frames}) == 1
    assert 'class="mark last"' in frames[1]
    assert 'class="lines"' in frames[-1]
