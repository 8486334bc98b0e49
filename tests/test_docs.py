"""Docs are checked: samples run, pictures are up to date and show what their captions say."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import skerry
from skerry.core.scene import CAPTURE, CHANGED, COUNTS, DANGER, PASSED, SELECTED, TARGET
from skerry.core.state import OVERLAYS
from skerry.render.themes import THEMES
from support.scripts import load_script

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SAMPLES = [
    ROOT / "README.md",
    ROOT / "docs" / "library" / "idioms.md",
    ROOT / "docs" / "library" / "python.md",
    ROOT / "docs" / "play" / "puzzles.md",
]


pictures = load_script("pictures")


@pytest.mark.parametrize(
    ("page", "code"),
    [
        (page, code)
        for page in SAMPLES
        for code in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    ],
)
def test_samples_run(page: Path, code: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, str(page), "exec"), {"__name__": "__main__"})  # noqa: S102  # our own samples
    for line in re.findall(r"print\(error\) +# (.*)", code):
        assert line in capsys.readouterr().out


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#\s]+)", text) + re.findall(r'(?:src|srcset)="([^"]+)"', text)
    for target in targets:
        if not target.startswith(("http://", "https://")):
            assert (page.parent / target).exists(), f"{target} is missing"


def test_the_first_screen_quotes_what_was_measured() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    ratios = sorted(float(ratio) for ratio in re.findall(r"\| \*\*([\d.]+)\*\* \|", text))
    assert f"{ratios[0]:.1f} to {ratios[-1]:.1f} times as many random plies" in text


@pytest.mark.parametrize("page", pictures.PAGES, ids=lambda page: page.name)
def test_pictures_are_up_to_date(page: Path) -> None:
    for path, content in pictures.render(page).items():
        assert path.read_text(encoding="utf-8") == content, "run: python tools/pictures.py"


def test_no_picture_is_left_over() -> None:
    wanted = {path for page in pictures.PAGES for path in pictures.render(page)}
    for folder in {page.parent / "images" for page in pictures.PAGES}:
        assert set(folder.glob("*.svg")) <= wanted


def test_the_gallery_shows_everything() -> None:
    page = ROOT / "docs" / "play" / "gallery.md"
    text = page.read_text(encoding="utf-8")
    assert set(re.findall(r" overlay=(\w+)", text)) == {*OVERLAYS, "focus"}
    assert re.search(r"board: [^|]* last=", text)
    rows = [picture for picture in pictures.read_pictures(page) if picture.themes]
    assert [picture.state.game.name for picture in rows] == ["skew", "skirt", "x", "skaane"]
    assert all(set(picture.themes) == set(THEMES) for picture in rows)


Picture = Any  # of tools/pictures.py
CELL = r"\b[a-p]\d+\b"
CELLS = rf"{CELL}(?:(?:,|,? and|,? or) {CELL})*"
KIND = "god|king|serf|sun"
SEAT = "First|Second|White|Black|Red|Yellow|Green|Light|Dark"


def listed(text: str) -> list[str]:
    """What a sentence lists, such as ``bottom, upper right and top``."""
    return sorted(re.split(r",? and |,? or |, ", text))


def cell_of(picture: Picture, name: str) -> int:
    return int(picture.state.game.board.index[name])


def names_of(picture: Picture, cells: set[int]) -> list[str]:
    return sorted(picture.state.game.board.names[cell] for cell in cells)


def marked(picture: Picture, kind: str, seat: str | None = None) -> list[str]:
    """The cells with a mark of that kind, of one seat if it is named."""
    seats = picture.state.game.seats
    marks = [mark for mark in picture.overlay.marks if mark.kind == kind]
    return names_of(picture, {m.cell for m in marks if seat is None or seats[m.seat] == seat})


def moves(state: skerry.State) -> list[str]:
    return sorted(str(move) for move in state.legal_moves())


def is_turn_of(picture: Picture, seat: str) -> bool:
    to_move = picture.state.to_move
    return to_move is not None and picture.state.game.seats[to_move] == seat


def may_start(picture: Picture, seat: str, cells: str) -> bool:
    starts = sorted({picture.state.path(move)[0] for move in picture.state.legal_moves()})
    shown = marked(picture, TARGET) or starts  # nothing is marked where every empty cell will do
    return is_turn_of(picture, seat) and starts == shown == listed(cells)


def reaches(picture: Picture, seat: str, outer: str, cells: str) -> bool:
    second = moves(picture.state.play(outer))
    return is_turn_of(picture, seat) and second == marked(picture, TARGET) == listed(cells)


def may_go(picture: Picture, sign: str, kind: str, cells: str) -> bool:
    """The pawn in question goes to these squares by a step (-) or an attack (x)."""
    (origin,) = marked(picture, SELECTED)
    ways = [move.partition(sign) for move in moves(picture.state)]
    goals = sorted(goal for start, found, goal in ways if found and start == origin)
    return goals == marked(picture, kind) == listed(cells)


def passes(picture: Picture, goal: str, cells: str) -> bool:
    """A pawn goes straight to its goal, and these are all the squares between."""
    (origin,) = marked(picture, SELECTED)
    board, pieces = picture.state.game.board, picture.state.scene().pieces
    for direction in range(len(board.direction_names)):
        line = list(board.ray(cell_of(picture, origin), direction))
        if cell_of(picture, goal) in line:
            between = line[: line.index(cell_of(picture, goal))]
            friends = all(pieces[cell].seat == picture.state.to_move for cell in between)
            return friends and names_of(picture, set(between)) == listed(cells)
    return False


def attacks(picture: Picture, seat: str, words: str) -> bool:
    """All attacks of a seat, if it were its turn."""
    game, (rows, _, *extra) = picture.state.game, picture.state.position.split()
    turn = game.seat_letters[game.seats.index(seat)]
    legal = moves(game.position(" ".join([rows, turn, *extra])))
    return [move for move in legal if "x" in move] == re.findall(r"\w+x\w+", words)


def is_kind(picture: Picture, cells: str, kind: str) -> bool:
    pieces = picture.state.scene().pieces
    return all(pieces[cell_of(picture, name)].kind == kind for name in listed(cells))


def leans(picture: Picture, name: str, way: str) -> bool:
    return bool(picture.state.scene().pieces[cell_of(picture, name)].facing == way)


def lean_at(picture: Picture, cells: str, goal: str) -> bool:
    board, pieces = picture.state.game.board, picture.state.scene().pieces
    goals = set()
    for cell in (cell_of(picture, name) for name in listed(cells)):
        way = board.direction_names.index(pieces[cell].facing)
        goals.add(int(board.neighbours[cell, way]))
    return goals == {len(board) // 2 if goal == "the black peg" else cell_of(picture, goal)}


def scores(picture: Picture, seat: str, count: str, cells: str) -> bool:
    tally = picture.overlay.tally[picture.state.game.seats.index(seat)]
    return tally == int(count) and marked(picture, COUNTS, seat) == listed(cells)


def peg_scores(picture: Picture, name: str, word: str) -> bool:
    scoring = {m.cell for m in picture.state.overlay("standing").marks if m.kind == COUNTS}
    return (cell_of(picture, name) in scoring) == (word == "scores")


def joins(picture: Picture, sides: str, cells: str) -> bool:
    """The winning lines of Skirt lead to these sides and end on these outer hexes."""
    (words,) = picture.overlay.words
    lines, outer = picture.overlay.chains, picture.state.game.view.zones
    ends = {cell for line in lines for cell in (line.cells[0], line.cells[-1]) if cell in outer}
    joined = sorted(words.partition(" joins ")[2].split(", "))
    return joined == listed(sides) and names_of(picture, ends) == listed(cells)


def corners(picture: Picture) -> dict[str, int]:
    """The corners of a rhombus in order around it."""
    places = picture.state.game.board.drawn_at
    x, y = (dict(enumerate(axis)) for axis in zip(*places, strict=True))
    found = (min(x, key=x.__getitem__), max(y, key=y.__getitem__))
    found += (max(x, key=x.__getitem__), min(y, key=y.__getitem__))
    return dict(zip(("left", "top", "right", "bottom"), found, strict=True))


def owned(picture: Picture, seat: str) -> dict[str, list[str]]:
    """The corners that a seat owns for good in X, each with the path that says so."""
    seats = picture.state.game.seats
    pairs = zip(picture.overlay.flags, picture.overlay.chains, strict=True)
    return {
        name: names_of(picture, set(line.cells))
        for flag, line in pairs
        for name, cell in corners(picture).items()
        if flag.cell == cell and flag.final and seats[flag.seat] == seat
    }


def owns(picture: Picture, seat: str, names: str, path: str | None) -> bool:
    found = owned(picture, seat)
    if path is None:
        return set(listed(names)) <= set(found)
    return found.get(names) == listed(path)


def two_each(picture: Picture, how: str) -> bool:
    """Who has two corners has them side by side or across the board."""
    order = list(corners(picture))
    pairs = [list(found) for s in picture.state.game.seats if len(found := owned(picture, s)) == 2]
    apart = {abs(order.index(one) - order.index(other)) == 2 for one, other in pairs}
    return apart == {how == "opposite"}


def ended(picture: Picture) -> bool:
    outcome = picture.state.outcome
    return outcome is not None and outcome.reason in picture.caption


def score_is(picture: Picture, seat: str, score: str) -> bool:
    game, outcome = picture.state.game, picture.state.outcome
    numbers = [int(number) for number in score.split("-")]
    assert picture.overlay.tally == outcome.score or "tie" in outcome.reason
    return game.seats[outcome.winner] == seat and sorted(numbers) == sorted(picture.overlay.tally)


# What captions claim, by their wording; the groups are what is claimed.
CLAIMS: dict[str, Callable[..., bool]] = {
    r": (\d+) (?:cells|holes|hexes)": lambda p, n: len(p.state.game.board) == int(n),
    r"(\d+) form the outer area": lambda p, n: len(p.state.game.view.zones) == int(n),
    rf"left ({CELL}), top ({CELL}), right ({CELL}), bottom ({CELL})": lambda p, *names: (
        [cell_of(p, name) for name in names] == list(corners(p).values())
    ),
    rf"({CELL})(?: is)? a (Light|Dark) ({KIND})": lambda p, name, seat, kind: (
        is_kind(p, name, kind)
        and p.state.game.seats[p.state.scene().pieces[cell_of(p, name)].seat] == seat
    ),
    rf"({KIND}) on ({CELL})": lambda p, kind, name: is_kind(p, name, kind),
    rf"({CELLS}), which are ({KIND})s": is_kind,
    rf"({CELL}), a ({KIND})": is_kind,
    r"after (\d+) (?:pegs|stones)": lambda p, n: (
        sum(piece.seat is not None for piece in p.state.scene().pieces.values()) == int(n)
    ),
    rf"({SEAT}) has (\d+) actions": lambda p, seat, n: (
        is_turn_of(p, seat) and len(moves(p.state)) == int(n)
    ),
    r"end on row (\d)": lambda p, row: {move[-1] for move in moves(p.state)} == {row},
    rf"({SEAT}) may use ({CELLS})": may_start,
    r"so the turn ends there": lambda p: (
        {p.state.play(move).to_move for move in moves(p.state)} == {1 - p.state.to_move}
    ),
    rf"If ({SEAT}) places on ({CELL}), the second piece may go to ({CELLS})": reaches,
    rf"jumps ({CELLS})": lambda p, cells: marked(p, PASSED) == listed(cells),
    rf"pieces? on ({CELLS}) ends?": lambda p, cells: (
        {cell_of(p, name) for name in listed(cells)} <= set(p.state.scene().pieces)
    ),
    rf"may step to ({CELLS})": lambda p, cells: may_go(p, "-", TARGET, cells),
    rf"may take ({CELLS})": lambda p, cells: may_go(p, "x", CAPTURE, cells),
    rf"in danger from ({CELLS})": lambda p, cells: marked(p, DANGER) == listed(cells),
    rf"way to ({CELL}) it passes ({CELLS})": passes,
    rf"({SEAT}),? [^.:]*ha(?:s|ve) \w+ attacks: ([^.]*)\.": attacks,
    rf"({CELLS}) turns?\b": lambda p, cells: marked(p, CHANGED) == listed(cells),
    rf"would turn ({CELLS})": lambda p, cells: marked(p, PASSED) == listed(cells),
    rf"({CELL}),?(?: which)? (?:still|already) lean(?:s|ed) (\w+)": leans,
    rf"({CELLS}) leans? at (the black peg|{CELL})": lean_at,
    rf"({SEAT}) scores (\d+) \(({CELLS})\)": scores,
    rf"({CELL}) (scores|does not score)": peg_scores,
    rf"joins the ([\w ,]+) sides at ({CELLS})": joins,
    rf"({SEAT}) owns the ([\w ,]+?) corners?(?: with ({CELLS}))?": owns,
    r"two (adjacent|opposite) corners": two_each,
    r"The game goes on": lambda p: not p.state.is_over,
    rf"(?:{SEAT}) [^.;]*\bwins\b": ended,
    rf"({SEAT}) wins (\d[\d-]+)": score_is,
}
SHOWN = [picture for page in pictures.PAGES for picture in pictures.read_pictures(page)]
FIGURES = re.compile(r"(boards|skew|skirt|x|skaane)-\d+")  # all of these say something


@pytest.mark.parametrize("picture", SHOWN, ids=lambda picture: picture.name)
def test_pictures_show_what_their_captions_say(picture: Picture) -> None:
    found = [
        (words, check)
        for pattern, check in CLAIMS.items()
        for words in re.finditer(pattern, picture.caption)
    ]
    assert found or not FIGURES.fullmatch(picture.name), "nothing in the caption can be checked"
    for words, check in found:
        assert check(picture, *words.groups()), words[0]
    assert not picture.state.is_over or "wins" in picture.caption


@pytest.mark.parametrize("pattern", CLAIMS)
def test_every_claim_is_made(pattern: str) -> None:
    assert any(re.search(pattern, picture.caption) for picture in SHOWN)


@pytest.mark.parametrize("name", ["skew", "skirt", "skaane"])
def test_records_lead_to_a_picture(name: str) -> None:
    page = ROOT / "docs" / "rules" / f"{name}.md"
    text = page.read_text(encoding="utf-8").partition("**Record.**")[2]
    (block,) = re.findall(r"```text\n(.*?)```", text, re.S)
    *start, turns = re.fullmatch(r"(?:(\S+/.*)\n)?([^/]*)", block).groups()
    ends = []
    for game in {picture.state.game for picture in pictures.read_pictures(page)}:
        try:
            state = game.position(start[0]) if start[0] else game.initial()
            for turn in turns.split():
                state = state.play(turn)
        except skerry.SkerryError:
            continue  # a game on another board
        ends.append(state)
    assert set(ends) & {picture.state for picture in pictures.read_pictures(page)}
