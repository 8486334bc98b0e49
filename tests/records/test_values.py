"""Records are values: nobody changes one, equal ones hash alike, and numbers may be NumPy's."""

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import skerry
from skerry.records import Line, Ply, Record, fingerprint, load, save, write_json, write_text

GAME = skerry.make("x", size=3)
RECORD = Record.from_moves(GAME, moves=["a1"], headers={"Red": "Ann", "Event": "tea"})


def test_nobody_changes_a_record() -> None:
    headers: Any = RECORD.headers
    with pytest.raises(TypeError):
        headers["Red"] = "Ben"
    plies: Any = [Ply(0)]
    line = Line(plies)
    plies.append(Ply(1))
    assert line.plies == (Ply(0),)


def test_equal_records_hash_alike_and_survive_copying() -> None:
    swapped = Record.from_moves(GAME, moves=["a1"], headers={"Event": "tea", "Red": "Ann"})
    assert len({RECORD, swapped}) == 1
    assert pickle.loads(pickle.dumps(RECORD)) == copy.deepcopy(RECORD) == RECORD  # noqa: S301


def test_one_record_needs_no_list() -> None:
    assert write_text(RECORD) == write_text([RECORD])
    assert write_json(RECORD) == write_json([RECORD])


def test_seeds_may_come_from_arrays() -> None:
    record = Record.from_moves(skerry.make("skaane"), seed=np.int64(5))  # type: ignore[arg-type]
    assert json.loads(write_json(record))["seed"] == 5


def test_paths_of_every_kind(tmp_path: Path) -> None:
    path = tmp_path / "game.skr"
    for kind in (path, str(path), bytes(path)):
        save(kind, RECORD)
        assert load(kind) == [RECORD]
    for wrong in (5, None):
        with pytest.raises(skerry.RecordError, match="a path is text or a Path"):
            load(wrong)  # type: ignore[arg-type]


def test_saving_over_what_somebody_else_wrote_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.skr"
    assert fingerprint(path) is None
    written = save(path, RECORD, replacing=None)
    assert written == fingerprint(path)
    for seen in (None, "0"):
        with pytest.raises(skerry.RecordError, match="somebody else has changed it"):
            save(path, RECORD, replacing=seen)
    assert save(path, [RECORD, RECORD], replacing=written) == fingerprint(path)
    assert len(load(path)) == 2
