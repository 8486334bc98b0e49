"""Take comparisons of variants into the docs: their JSON, and the tables of docs/lab/variants.md.

python tools/variants.py FOLDER ...     the folders that skerry variants has written
python tools/variants.py                only the tables, of the JSON that is there
"""

import re
import sys
from pathlib import Path

from skerry.lab.variants.compare import JSON
from skerry.lab.variants.findings import VariantReport, read_comparison
from skerry.lab.variants.table import write_table

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "lab" / "variants.md"
KEPT = ROOT / "docs" / "lab" / "variants"


def take(folder: Path) -> None:
    """Keep the JSON of a folder."""
    text = (folder / JSON).read_text(encoding="utf-8")
    KEPT.mkdir(exist_ok=True)
    (KEPT / f"{read_comparison(text).game}.json").write_text(text, encoding="utf-8")


def write(page: str) -> str:
    """The page with the tables of all that is kept, and the command that each comes of."""
    for path in sorted(KEPT.glob("*.json")):
        found = read_comparison(path.read_text(encoding="utf-8"))
        place = rf"(<!-- table: {path.stem} -->\n)(?:\|[^\n]*\n)*(?:\n`skerry variants [^\n]*\n)?"
        told = write_table(found) + f"\n`{say_command(found)}`\n"
        page = re.sub(place, lambda match, told=told: match[1] + told, page)
    return page


def say_command(comparison: VariantReport) -> str:
    """The command that makes a comparison like this one."""
    made = comparison.made_by
    players = [f"--players {each}" for each in made.get("players", [])]
    nets = [f"--{name} {made[name]}" for name in ("minutes", "simulations") if name in made]
    parts = [*nets, *players, f"--games {made['games']}", f"--seed {made['seed']}"]
    return f"skerry variants {comparison.game} {' '.join(parts)} --out FOLDER"


def main() -> None:
    for folder in sys.argv[1:]:
        take(Path(folder))
    PAGE.write_text(write(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
