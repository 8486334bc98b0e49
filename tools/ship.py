"""Put nets into the package, with cards that say how they were made and what they have shown:

skerry match skew net:file=runs/skew/latest.net,seconds=2,threads=2 mcts:seconds=2,threads=2 \
    --games 200 --out games --json > skew.json
python tools/ship.py skew runs/skew skew.json             # the best, against the search without
python tools/ship.py skew runs/early minute-0.125         # one that weak levels ask
"""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import skerry
from skerry.core.levels import BEST
from skerry.nets.file import LATEST, read_net, write_net

ROOT = Path(__file__).resolve().parent.parent
SHOWN = ("games", "points", "margin", "elo", "elo_low", "elo_high")
LOSSES = ("minutes", "policy", "outlook")
STEPS = 12  # of the curve that are kept


def read_strength(path: Path) -> dict[str, Any]:
    """What the net has shown against the search that does without."""
    net, other = json.loads(path.read_text("utf-8"))
    ours = {name: round(net[name], 3) for name in SHOWN}
    # Where the file lay that played is of no interest any more.
    player = ",".join(part for part in net["player"].split(",") if "file=" not in part)
    if "file=" in net["player"]:
        player = "net:" + player.removeprefix("net:")
    return {"player": player, "opponent": other["player"]} | ours


def read_curve(path: Path) -> list[list[float]]:
    """Minutes and losses, thinned out."""
    entries = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    told = [[round(entry[name], 3) for name in LOSSES] for entry in entries if "policy" in entry]
    return told[:: max(1, len(told) // STEPS)]


def find_commit() -> str:
    """The version that made a net."""
    described = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],  # noqa: S607  # whichever git there is
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return described.stdout.strip()


def main() -> None:
    name, run, what = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    is_best = what.endswith(".json")
    net = read_net(run / (LATEST if is_best else f"{what}.net"), skerry.make(name))
    card = net.card | {"commit": find_commit()}
    if is_best:
        card["curve"] = read_curve(run / "curve.jsonl")
        card["strength"] = read_strength(Path(what))
        print(json.dumps(card["strength"]))
    place = ROOT / "src/skerry/nets/weights" / name / f"{BEST if is_best else what}.net"
    write_net(place, replace(net, card=card))


if __name__ == "__main__":
    main()
