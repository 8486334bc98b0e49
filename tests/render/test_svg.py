"""SVG pictures: well formed, self-contained, with stable ids, and readable without colours."""

import re
from xml.etree import ElementTree

import pytest

import skerry
from render.positions import middle_of
from skerry.board import hexagon
from skerry.core.scene import Piece, Scene
from skerry.render.layout import step
from skerry.render.marks import mark_last, mark_targets
from skerry.render.svg import draw

SVG = "{http://www.w3.org/2000/svg}"
COLOUR = re.compile(r' (fill|stroke)="(#[0-9a-f]{6}|none)"')


def parse(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)  # noqa: S314  our own output


def by_id(picture: str) -> dict[str, ElementTree.Element]:
    elements = [e for e in parse(picture).iter() if "id" in e.attrib]
    found = {e.attrib["id"]: e for e in elements}
    assert len(found) == len(elements), "ids are unique"
    return found


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", skerry.GAMES)
def test_pictures_are_whole_and_self_contained(name: str, theme: str) -> None:
    state = middle_of(name)
    scene, picture = state.scene(), state.svg(theme)
    names = scene.board.names
    assert {i for i in by_id(picture) if i.startswith("cell-")} == {f"cell-{n}" for n in names}
    assert {i for i in by_id(picture) if i.startswith("piece-")} == {
        f"piece-{names[cell]}" for cell in scene.pieces
    }
    assert "href" not in picture
    assert "<style" not in picture
    assert not re.search(r"\d\.\d\d", picture), "one decimal is enough"
    left, top, width, height = map(float, parse(picture).attrib["viewBox"].split())
    for label in parse(picture).iter(f"{SVG}text"):
        assert left < float(label.attrib["x"]) < left + width
        assert top < float(label.attrib["y"]) < top + height


@pytest.mark.parametrize("kind", ["peg", "stone", "god"])
def test_seats_differ_without_colours(kind: str) -> None:
    def shapes(seat: int | None) -> str:
        facing = "e" if kind == "peg" and seat is not None else None
        scene = Scene(hexagon(2), ("One", "Two", "Three"), {3: Piece(seat, kind, "p", facing)})
        piece = ElementTree.tostring(by_id(draw(scene))["piece-b2"], encoding="unicode")
        return COLOUR.sub("", re.sub(r' class="[^"]*"', "", piece))

    seats = [0, 1] if kind == "god" else [0, 1, 2, None]
    assert len({shapes(seat) for seat in seats}) == len(seats)


def test_pegs_lean_the_way_they_face() -> None:
    board = hexagon(2)
    for facing in board.direction_names:
        scene = Scene(board, ("One", "Two"), {3: Piece(0, "peg", "p", facing)})
        hole, head, *_ = by_id(draw(scene))["piece-b2"].iter(f"{SVG}circle")
        x, y = (float(head.attrib[k]) - float(hole.attrib[k]) for k in ("cx", "cy"))
        dx, dy = step(board, facing)
        assert x * dx - y * dy == pytest.approx((x * x + y * y) ** 0.5, abs=0.2)


def test_marks_have_shapes_of_their_own() -> None:
    before = skerry.make("skew").initial().play("d4-ne")
    state = before.play("c3-ne")
    scene = mark_last(state.scene(), "c3-ne", before.scene())
    marks = by_id(draw(mark_targets(scene, map(str, state.legal_moves()))))
    assert marks["mark-c3"].attrib["class"] == "mark mark-last"
    assert marks["mark-d5"].tag == f"{SVG}circle"


def test_titles_are_escaped() -> None:
    title = """<script>alert("&'")</script>"""
    picture = parse(draw(skerry.make("x", size=2).initial().scene(), title=title))
    assert picture.findtext(f"{SVG}title") == title


def test_unknown_theme() -> None:
    with pytest.raises(skerry.OptionsError, match="light, dark"):
        skerry.make("skew").initial().svg(theme="pink")
