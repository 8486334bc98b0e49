"""Take measured depths into the package, and their table into docs/lab/strength.md.

python tools/depth.py FOLDER ...    the folders that skerry depth has written
python tools/depth.py               only the table, of what is there
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path

from tables import put_table

from skerry.core.errors import SkerryError
from skerry.games import GAMES, kind
from skerry.lab.depth import Depth, describe_depth, read_depth
from skerry.lab.report.page.texts import say_board

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "src" / "skerry" / "lab" / "depths.json"
PAGE = ROOT / "docs" / "lab" / "strength.md"
MEASURED = "depth.json"
HEAD = ["board", "steps of 60 %", "Elo", "from random to", "games"]


def read_kept(text: str, name: str = KEPT.name) -> list[Depth]:
    return [read_depth(each, name) for each in json.loads(text)]


def take(kept: list[Depth], found: Depth) -> list[Depth]:
    """What is known, with what was found in the place of what was known of the same board."""
    others = [each for each in kept if (each.game, each.options) != (found.game, found.options)]
    order = list(GAMES)
    return sorted([*others, found], key=lambda one: (order.index(one.game), *one.options.values()))


def gather(
    kept: list[Depth],
    folders: list[str],
    take: Callable[[list[Depth], Depth], list[Depth]] = take,
) -> list[Depth]:
    """What is known, with what folders have; a folder without one ends the script in a line."""
    for path in (Path(folder) / MEASURED for folder in folders):
        try:
            kept = take(kept, read_depth(json.loads(path.read_text("utf-8")), str(path)))
        except (SkerryError, OSError, ValueError) as error:
            raise SystemExit(f"{path}: {error}") from None
    return kept


def write_all(depths: list[Depth]) -> str:
    """The file of all depths."""
    told = [{k: v for k, v in describe_depth(each).items() if k != "steps"} for each in depths]
    return json.dumps(told, indent=1) + "\n"


def write(page: str, depths: list[Depth]) -> str:
    """The page with the table."""
    return put_table(page, "depth", HEAD, map(_list_cells, depths))


def _list_cells(depth: Depth) -> list[str]:
    steps, elo = depth.steps, depth.elo
    return [
        f"{kind(depth.game).title}, {say_board(depth.options)}",
        f"{steps.value:.1f} ± {steps.margin:.1f}",
        f"{elo.value:.0f} ± {elo.margin:.0f}",
        depth.rungs[-1].player.replace(":", " "),
        f"{depth.games:,}",
    ]


def main() -> None:
    depths = gather(read_kept(KEPT.read_text("utf-8")), sys.argv[1:])
    KEPT.write_text(write_all(depths), encoding="utf-8")
    PAGE.write_text(write(PAGE.read_text(encoding="utf-8"), depths), encoding="utf-8")


if __name__ == "__main__":
    main()
