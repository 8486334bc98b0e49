"""Games to be replayed on a page, even one that nobody serves: every board of a game, and small.

Pictures have one shape to a line, and most shapes stay from one board to the next. So a game is its
first picture, and for every move the shapes that go and come.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import partial

from markupsafe import Markup

from skerry.core.game import Game
from skerry.lab.report.page.paints import BOTH, Paints
from skerry.lab.report.page.pictures import Inline, Pictures
from skerry.lab.report.page.series import seat_style
from skerry.lab.report.result.findings import Report, Sample
from skerry.records import Record, read
from skerry.render.frames import draw_last, draw_line
from skerry.render.svg import draw

Edit = tuple[int, int, list[int]]  # where, how many parts go, which parts come
PARTS = re.compile(r"(?=\n|M-?\d)")  # lines, and the strokes of a path
GRAPH_WIDTH, GRAPH_HEIGHT = 320, 80


@dataclass(frozen=True)
class ReplayTurn:
    """What a seat did in one turn, and the number of the board after it."""

    seat: str
    text: str
    ply: int


@dataclass(frozen=True)
class Replay:
    """A game for the page: the last board, the turns, and all boards if the page has them."""

    name: str
    title: str
    player: str
    record: str
    end: str
    board: Markup
    plies: int
    turns: list[ReplayTurn]
    graph: str  # of everybody's chances, empty if nobody looked
    data: str


def prepare(number: int, sample: Sample, paints: Paints, pictures: Pictures) -> Replay:
    """A sample game made ready to be looked through."""
    record = read(sample.record)
    outcome, name = record.play.state.outcome, f"game-{number}"
    return Replay(
        name=name,
        title=sample.title[:1].upper() + sample.title[1:],
        player=sample.player,
        record=sample.record,
        end=outcome.reason if outcome else "The game goes on",
        board=pictures.show(name, partial(draw_last, record.play), ""),
        plies=record.play.plies,
        turns=list_turns(record),
        graph=_draw_graph(sample.chances, record.game.seats, paints) if sample.chances else "",
        data=_write_both(record, paints, f"{name}-") if isinstance(pictures, Inline) else "",
    )


def list_turns(record: Record) -> list[ReplayTurn]:
    """The moves, those of one turn joined."""
    return [
        ReplayTurn(record.game.seats[turn.seat], turn.text, turn.ends.plies)
        for turn in record.play.turns
    ]


def write_frames(sample: Sample, theme: str, prefix: str = "") -> str:
    """All boards of a game in one theme, as JSON."""
    return _write(draw_line(read(sample.record).play, theme, prefix))


def _write_both(record: Record, paints: Paints, prefix: str) -> str:
    """All boards in both themes, for pages that have nobody to ask for the other one."""
    drawn = (draw_line(record.play, theme, prefix) for theme in BOTH)
    return _write([paints.blend(light, dark) for light, dark in zip(*drawn, strict=True)])


def _write(frames: Sequence[str]) -> str:
    return json.dumps(shorten_frames(frames), separators=(",", ":"))


def shorten_frames(frames: Sequence[str]) -> dict[str, list[str] | list[list[Edit]]]:
    """All parts there are, each once, and what changes from frame to frame, from nothing on."""
    numbers: dict[str, int] = {}
    edits: list[list[Edit]] = []
    before: list[int] = []
    for frame in frames:
        after = [numbers.setdefault(part, len(numbers)) for part in PARTS.split(frame)]
        changes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        # From the end, so that what changes later does not move what changes before it.
        edits.append(
            [(a, b - a, after[c:d]) for kind, a, b, c, d in reversed(changes) if kind != "equal"]
        )
        before = after
    return {"parts": list(numbers), "edits": edits}


def draw_cover(report: Report, game: Game, theme: str, prefix: str = "") -> str:
    """The board as the last sample left it, with what decided the game."""
    state = read(report.samples[-1].record).play.state if report.samples else game.initial()
    return draw(state.scene().under(state.overlay("standing")), theme=theme, prefix=prefix)


def _draw_graph(chances: Sequence[Sequence[float]], seats: tuple[str, ...], paints: Paints) -> str:
    """What every seat could expect after each move, one above the other, as on study pages."""
    last = max(1, len(chances) - 1)
    shapes, below = [], [1.0] * len(chances)
    for seat in reversed(range(len(seats))):
        style, above = seat_style(seat, seats), below
        below = [top - chance[seat] for top, chance in zip(above, chances, strict=True)]
        outline = [*enumerate(above), *reversed(list(enumerate(below)))]
        points = " ".join(
            f"{GRAPH_WIDTH * at / last:.1f} {GRAPH_HEIGHT * (1 - share):.1f}"
            for at, share in outline
        )
        fill, stroke = paints.variable(style.body), paints.variable(style.rim)
        paint = f'fill="{fill}" stroke="{stroke}" stroke-width=".75"'
        shapes.append(f'<polygon points="{points}" {paint}/>')
    box = f'viewBox="0 0 {GRAPH_WIDTH} {GRAPH_HEIGHT}" preserveAspectRatio="none"'
    return f"<svg {box}>{''.join(shapes)}</svg>"
