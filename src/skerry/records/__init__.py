"""Game records: what was played and said, as text or JSON, checked by replay.

>>> import skerry
>>> from skerry import records
>>> game = skerry.make("skew", side=3, pegs=4)
>>> record = records.Record.from_moves(game, moves=["c4-w", "b2-ne"], headers={"First": "Ann"})
>>> print(records.write_text(record), end="")
[Game "skew"]
[Options "side=3 pegs=4"]
[First "Ann"]
<BLANKLINE>
1. c4-w 2. b2-ne *
"""

from skerry.records.annotations import MARKS
from skerry.records.files import (
    LARGEST_FILE,
    fingerprint,
    iterate,
    load,
    load_from,
    read,
    read_all,
    save,
)
from skerry.records.jsonform import from_json, to_json, write_json
from skerry.records.scoresheet import Scoresheet
from skerry.records.textwriter import write_text
from skerry.records.tree import (
    DEEPEST,
    UNFINISHED,
    Line,
    Ply,
    Record,
    find_result,
    list_results,
)

__all__ = [
    "DEEPEST",
    "LARGEST",
    "LARGEST_FILE",
    "MARKS",
    "UNFINISHED",
    "Line",
    "Ply",
    "Record",
    "Scoresheet",
    "find_result",
    "fingerprint",
    "from_json",
    "iterate",
    "list_results",
    "load",
    "load_from",
    "read",
    "read_all",
    "save",
    "to_json",
    "write_json",
    "write_text",
]

LARGEST = LARGEST_FILE  # what it was called until 0.2
