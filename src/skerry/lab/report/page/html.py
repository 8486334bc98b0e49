"""A report as HTML: a part of somebody's page, or one file that needs nothing else."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

import skerry
from skerry.core.game import Game
from skerry.games import kind
from skerry.lab.depth import Depth
from skerry.lab.report.page import STATIC, texts
from skerry.lab.report.page.contrasts import draw_differences
from skerry.lab.report.page.drawings import Drawings, choose_three
from skerry.lab.report.page.heatmaps import HeatMap, draw_heat, list_shades, map_openings, map_use
from skerry.lab.report.page.highlights import answer_first, choose_tiles, describe_players
from skerry.lab.report.page.paints import Paints, Pair
from skerry.lab.report.page.pictures import Draw, Inline, Linked, Pictures
from skerry.lab.report.page.plots import Plotter
from skerry.lab.report.page.replays import draw_cover, prepare
from skerry.lab.report.page.series import seat_style
from skerry.lab.report.page.solved import list_proofs
from skerry.lab.report.result.compare import POINTS, label
from skerry.lab.report.result.findings import Comparison, Opening, Report
from skerry.records import folders, read
from skerry.render.frames import draw_last

SECTIONS = (
    ("seats", "Who is favoured"),
    ("length", "How long games are"),
    ("skill", "Does skill win"),
    ("drama", "When games are decided"),
    ("openings", "First moves"),
    ("board", "Use of the board"),
    ("rules", "Which rules matter"),
    ("complexity", "Size of the game"),
    ("facts", "What is proven"),
    ("games", "Games to look through"),
    ("method", "How it was measured"),
)
IMAGES = 6  # moves that are named; more are only counted
BAR = Pair("#dfe8ee", "#2f4450")  # behind numbers
HERE = Path(__file__).parent


@dataclass(frozen=True)
class PagePart:
    """What belongs into a page, and the colours that it is painted with."""

    body: Markup
    paints: Paints

    @property
    def colours(self) -> str:
        """A style sheet for pages that follow the reader's theme."""
        light, dark = (f":root {{ {self.paints.rules(theme)} }}" for theme in ("light", "dark"))
        return f"{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n"


def write_page(content: Report | Comparison, path: Path) -> None:
    """Write the page of a report or of a comparison, all or nothing."""
    page = show_report(content) if isinstance(content, Report) else show_comparison(content)
    folders.replace(path, page.encode(), alone=True)


def show_report(report: Report) -> str:
    """The page of a report; the same report is the same text."""
    paints = Paints()
    part = _draw_body(report, paints, Inline(paints))
    return _show_alone(f"{report.title}, {texts.say_options(report.options)}", report.version, part)


def draw_part(report: Report, folder: str, caveat: str = "") -> PagePart:
    """A report for a page that is served; its pictures, games and JSON are fetched from a folder.

    ``caveat`` is what readers have to know beforehand.
    """
    return _draw_body(report, Paints(), Linked(folder), caveat=caveat, folder=folder)


def draw_list(
    reports: Mapping[str, Mapping[str, Report]],
    folder: str,
    tell: Callable[[str], str] = lambda name: "",
    depths: Sequence[Depth] = (),
) -> PagePart:
    """All reports by the titles of their games and their names, with what a newcomer asks first;
    ``tell`` says what else is known of one, and ``depths`` how much skill boards leave room for."""
    paints = Paints()
    games = {
        title: [
            {
                "address": f"{folder}/{name}",
                "report": report,
                "headlines": answer_first(report, paints),
                "more": tell(name),
                "cover": Linked(folder).show_thumb(f"{name}/thumb"),
            }
            for name, report in found.items()
        ]
        for title, found in reports.items()
    }
    players = {describe_players(one) for found in reports.values() for one in found.values()}
    body = environment.get_template("list.html").render(
        games=games,
        players=players.pop() if len(players) == 1 else "",  # otherwise each page tells its own
        depths=[(kind(depth.game).title, depth) for depth in depths],
    )
    return PagePart(Markup(body), paints)  # noqa: S704 - by a template that escapes


def list_pictures(report: Report) -> dict[str, Draw]:
    """What draws the pictures that a served page fetches, by their names."""
    game = skerry.make(report.game, **report.options)
    maps = {name: partial(draw_heat, game, heat) for name, heat in _list_maps(report).items()}
    ends = {
        f"game-{number}": partial(draw_last, read(sample.record).play)
        for number, sample in enumerate(report.samples, 1)
    }
    return {"cover": partial(draw_cover, report, game), **maps, **ends}


def show_comparison(comparison: Comparison) -> str:
    """The page of a comparison."""
    paints = Paints()
    names = label(comparison.first, comparison.second), label(comparison.second, comparison.first)
    body = environment.get_template("comparison.html").render(
        comparison=comparison,
        names=names,
        version=skerry.__version__,
        points=POINTS,
        drawings=draw_differences(comparison, names, Plotter(paints)),
    )
    title = f"{comparison.title}: {names[1]} beside {names[0]}"
    return _show_alone(title, skerry.__version__, PagePart(Markup(body), paints))  # noqa: S704 - escaped


def _show_alone(title: str, version: str, part: PagePart) -> str:
    """A page that needs nothing else."""
    return environment.get_template("alone.html").render(title=title, version=version, part=part)


def _draw_body(
    report: Report, paints: Paints, pictures: Pictures, caveat: str = "", folder: str = ""
) -> PagePart:
    game = skerry.make(report.game, **report.options)
    drawings = Drawings(report, Plotter(paints))
    maps, usage = _show_maps(report, game, pictures), _tabulate_usage(report)
    opening_map, use = map_openings(report), map_use(report)
    known = {
        "seats": report.strengths, "length": report.strengths, "skill": report.skill,
        "drama": report.drama, "board": use, "rules": usage, "games": report.samples,
    }  # fmt: skip
    body = environment.get_template("body.html").render(
        report=report,
        caveat=caveat,
        folder=folder,
        even=1 / len(report.seats),
        credit=game.credit,
        several_actions=game.turns_of_several_actions,
        sections={id: title for id, title in SECTIONS if known.get(id, True)},
        cover=pictures.show("cover", partial(draw_cover, report, game), ""),
        headlines=answer_first(report, paints),
        tiles=choose_tiles(report),
        players=describe_players(report) if report.strengths else "",
        drawings=drawings.draw_all(),
        only_length=drawings.only_length,
        maps=maps,
        fairest=opening_map.fairest if opening_map else [],
        shades=[paints.variable(pair) for pair in list_shades()],
        bar_paint=paints.variable(BAR),
        usage=usage,
        proofs=list_proofs(report.facts),
        seat_paints=_paint_seats(report.seats, paints),
        replays=[
            prepare(number, sample, paints, pictures)
            for number, sample in enumerate(report.samples, 1)
        ],
        command=_command(report),
    )
    return PagePart(Markup(body), paints)  # noqa: S704 - by a template that escapes


def _list_maps(report: Report) -> dict[str, HeatMap]:
    """All boards with numbers on them, by name: that of openings, and those of use."""
    found = map_openings(report)
    openings = {"openings": found.heat} if found else {}
    return openings | {f"use-{n}": heat for n, heat in enumerate(map_use(report), 1)}


def _show_maps(report: Report, game: Game, pictures: Pictures) -> dict[str, dict[str, Any]]:
    return {
        name: {
            "heat": heat,
            "board": pictures.show(name, partial(draw_heat, game, heat), heat.describe(game)),
        }
        for name, heat in _list_maps(report).items()
    }


def _paint_seats(seats: tuple[str, ...], paints: Paints) -> dict[str, tuple[str, str]]:
    """The colours of everybody's pieces."""
    styles = {name: seat_style(seat, seats) for seat, name in enumerate(seats)}
    return {n: (paints.variable(s.body), paints.variable(s.rim)) for n, s in styles.items()}


def _tabulate_usage(report: Report) -> dict[str, Any] | None:
    """How often rules matter to the weakest, the middle and the strongest players."""
    chosen = choose_three(report)
    if not report.happenings or not chosen:
        return None
    known = [{usage.name: usage for usage in strength.usage} for strength in chosen]
    rows = [
        (happening, [usages.get(happening.name) for usages in known])
        for happening in report.happenings
    ]
    return {"players": [strength.player for strength in chosen], "rows": rows}


def _command(report: Report) -> str:
    options = [f"--option={name}={value}" for name, value in report.options.items()]
    asked = ["--budget", report.budget, "--seed", str(report.seed)]
    return shlex.join(["skerry", "report", report.game, *options, *asked])


def _power(exponent: float) -> Markup:
    return Markup("10<sup>{}</sup>").format(f"{exponent:.0f}")


def _name_images(opening: Opening) -> str:
    others = [move for move in opening.images if move != opening.move]
    return f"{len(others)} others" if len(others) > IMAGES else " ".join(others)


def _picture(svg: str) -> Markup:
    """A picture that we drew, which is markup and stays so."""
    return Markup(svg)  # noqa: S704 - drawn by us, with all texts escaped


def _data(json: str) -> Markup:
    """JSON within a script: nothing in it may end the script."""
    return Markup(json.replace("</", "<\\/").replace("<!", "<\\u0021"))  # noqa: S704 - as said


def _read_static(name: str) -> Markup:
    """A script or style sheet as it is, for pages that stand alone."""
    return Markup((STATIC / name).read_text("utf-8"))  # noqa: S704 - our own file


environment = Environment(
    loader=FileSystemLoader(HERE / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
)
environment.globals["source"] = _read_static
environment.filters.update(
    board=texts.say_board,
    change=texts.say_change,
    change_range=texts.say_change_range,
    count=texts.say_count,
    data=_data,
    images=_name_images,
    mean=texts.say_mean,
    mean_range=texts.say_mean_range,
    options=texts.say_options,
    picture=_picture,
    player=texts.say_player,
    power=_power,
    share=texts.say_share,
    share_range=texts.say_share_range,
)
