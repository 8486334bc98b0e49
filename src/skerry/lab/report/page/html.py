"""A report as one file of HTML that needs nothing else: for a browser, a phone, or paper."""

import shlex
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

import skerry
from skerry.core.errors import OptionsError
from skerry.lab.report.page import texts
from skerry.lab.report.page.contrasts import draw_differences
from skerry.lab.report.page.drawings import Drawings, choose_three
from skerry.lab.report.page.heatmaps import Boards, map_openings, map_use
from skerry.lab.report.page.highlights import choose_tiles
from skerry.lab.report.page.paints import Paints
from skerry.lab.report.page.plots import Plotter, is_missing
from skerry.lab.report.page.replays import draw_cover, list_seat_colours, prepare
from skerry.lab.report.page.solved import list_proofs
from skerry.lab.report.result.compare import POINTS, label
from skerry.lab.report.result.findings import Comparison, Opening, Report
from skerry.records import folders

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


def check_plotting() -> None:
    """OptionsError if pages cannot be drawn here: to be asked before hours of work."""
    if is_missing():
        raise OptionsError(
            "reports are drawn with Matplotlib, which is not installed here: "
            "pip install 'skerry[lab]'"
        )


def write_page(content: Report | Comparison, path: Path) -> None:
    """Write the page of a report or of a comparison, all or nothing."""
    page = show_report(content) if isinstance(content, Report) else show_comparison(content)
    folders.replace(path, page.encode(), alone=True)


def show_report(report: Report) -> str:
    """The page of a report; the same report is the same text."""
    check_plotting()
    game, paints = skerry.make(report.game, **report.options), Paints()
    drawings, boards = Drawings(report, Plotter(paints)), Boards(game, paints)
    maps, usage = map_use(report, boards), _tabulate_usage(report)
    known = {
        "seats": report.strengths, "length": report.strengths, "skill": report.skill,
        "drama": report.drama, "board": maps, "rules": usage, "games": report.samples,
    }  # fmt: skip
    return environment.get_template("report.html").render(
        report=report,
        paints=paints,
        version=report.version,
        even=1 / len(report.seats),
        credit=game.credit,
        several_actions=game.turns_of_several_actions,
        sections={id: title for id, title in SECTIONS if known.get(id, True)},
        cover=draw_cover(report, game, paints),
        tiles=choose_tiles(report),
        drawings=drawings.draw_all(),
        only_length=drawings.only_length,
        openings=map_openings(report, boards),
        maps=maps,
        usage=usage,
        proofs=list_proofs(report.facts),
        inks=list_seat_colours(report.seats, paints),
        replays=[
            prepare(sample, report.seats, paints, f"game{number}-")
            for number, sample in enumerate(report.samples, 1)
        ],
        command=_command(report),
    )


def show_comparison(comparison: Comparison) -> str:
    """The page of a comparison."""
    check_plotting()
    paints = Paints()
    names = label(comparison.first, comparison.second), label(comparison.second, comparison.first)
    return environment.get_template("comparison.html").render(
        comparison=comparison,
        names=names,
        paints=paints,
        version=skerry.__version__,
        points=POINTS,
        drawings=draw_differences(comparison, names, Plotter(paints)),
    )


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


environment = Environment(
    loader=FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
)
environment.filters.update(
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
