"""Write the tables of docs/lab/performance.md and of the README from a measurement:

skerry bench --peers --sizes --rounds 15 --json > bench.json
python tools/performance.py bench.json
"""

import json
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TITLES = {
    "skew": "Skew, side 5",
    "skirt": "Skirt, side 6",
    "x": "X, 10x10",
    "skaane": "Skaane, 8x8",
}


def millions(value: float) -> str:
    return f"{value / 1e6:.1f} M"


def table(head: str, rows: Iterable[Iterable[str]]) -> str:
    titles = head.split(" | ")
    lines = [titles, ["---"] * len(titles), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def size_of(options: dict[str, int]) -> str:
    if "width" in options:
        return f"{options['width']}x{options['height']}"
    return ", ".join(f"{name} {value}" for name, value in options.items())


def beside(what: str, rows: Iterable[dict[str, Any]], show: Callable[[float], str]) -> str:
    """What the games and their peers did per second."""
    return table(
        f"game | {what} | peer | peer's {what} | ratio | wanted",
        (
            [
                TITLES[row["game"]],
                show(row["per_second"]),
                f"`{row['peer']}`",
                show(row["peer_per_second"]),
                f"**{row['ratio']:.1f}**",
                f"{row['wanted']:.0f}",
            ]
            for row in rows
        ),
    )


def tables(found: dict[str, Any]) -> dict[str, str]:
    """Every table of the docs by the name of its place."""
    peers = found["peers"]
    written = {
        "peers": beside("plies/s", found["peers"], millions),
        "search": beside("simulations/s", found["search"], "{:,.0f}".format),
        "perft": table(
            "game | depth | sequences | per second",
            (
                [
                    TITLES[row["game"]],
                    str(row["depth"]),
                    f"{row['nodes']:,}",
                    millions(row["nodes_per_second"]),
                ]
                for row in found["perft"]
            ),
        ),
        "summary": table(
            "game | plies/s | peer in OpenSpiel | ratio",
            (
                [
                    TITLES[row["game"]],
                    millions(row["per_second"]),
                    f"`{row['peer']}` at {millions(row['peer_per_second'])}",
                    f"**{row['ratio']:.1f}**",
                ]
                for row in peers
            ),
        ),
    }
    for name, title in TITLES.items():
        written[name] = table(
            f"{title.partition(',')[0]} | plies/s | games/s | plies/game",
            (
                [
                    size_of(row["options"]),
                    millions(row["plies_per_second"]),
                    f"{row['games_per_second']:,.0f}",
                    f"{row['mean_plies']:.1f}",
                ]
                for row in found["sizes"]
                if row["game"] == name
            ),
        )
    return written


def fill(page: Path, written: dict[str, str]) -> None:
    """Put every table in its place, below a comment with its name."""
    text = page.read_text(encoding="utf-8")
    for name, content in written.items():
        text = re.sub(
            rf"(<!-- table: {name} -->\n)(?:\|[^\n]*\n)*", lambda m, c=content: m[1] + c, text
        )
    page.write_text(text, encoding="utf-8")


def main() -> None:
    written = tables(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))
    for page in (ROOT / "README.md", ROOT / "docs" / "lab" / "performance.md"):
        fill(page, written)


if __name__ == "__main__":
    main()
