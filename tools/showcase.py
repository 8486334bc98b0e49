"""Write what the start page of the web app shows: ``python docs/showcase.py RECORD...``.

Each record is one game, such as ``skerry match`` keeps. Positions are written out as rows of
letters, so that a page can show them before any kernel has been compiled.
"""

import json
import sys
from pathlib import Path

from skerry.records import load

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "src" / "skerry" / "server" / "learn" / "showcase.json"


def main() -> None:
    shown = {}
    for file in sys.argv[1:]:
        (record,) = load(file)
        states, moves = record.states(), record.moves()
        shown[record.game.name] = {
            "rows": [state.position.split()[0] for state in states],
            "paths": [[], *(list(s.path(m)) for s, m in zip(states, moves, strict=False))],
        }
    PLACE.write_text(json.dumps(shown, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
