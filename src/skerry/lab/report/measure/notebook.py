"""Answers kept in a folder, each in a file of its own, so that nothing is lost or done twice."""

import json
from pathlib import Path
from typing import Any

from skerry.core.errors import OptionsError, shorten
from skerry.lab.contest.gamefolder import DAMAGED
from skerry.lab.contest.match import write_levels
from skerry.lab.report.measure.units import Answer, Experiment, Unit
from skerry.records import folders

LAYOUT = 1  # of answers; those of another one are of no use


class Notebook:
    """The answers to an experiment's units; OptionsError if the folder has those of another."""

    def __init__(self, folder: Path, experiment: Experiment) -> None:
        self._units = folder / "units"
        try:
            self._units.mkdir(parents=True, exist_ok=True)
            self._claim(folder, experiment)
        except OSError as error:
            reason = error.strerror or error
            raise OptionsError(f"{shorten(str(folder))} cannot be used: {reason}") from None

    def _claim(self, folder: Path, experiment: Experiment) -> None:
        """Write down whose answers these are, or see that they are this experiment's."""
        content = _identify(experiment)
        path = folder / "study.json"
        if not path.exists():
            _write(path, content)
        elif _read(path) != content:
            raise OptionsError(
                f"{shorten(str(folder))} holds a report with other options, another seed or "
                "another version: name another folder"
            )

    def find(self, unit: Unit) -> Answer | None:
        """The answer to a unit, None if there is none; a damaged file is set aside."""
        path = self._path(unit)
        if not path.exists():
            return None
        answer = _read(path)
        if answer is None:
            path.replace(path.with_name(path.name + DAMAGED))
        return answer

    def keep(self, unit: Unit, answer: Answer) -> None:
        """Write an answer, all or nothing."""
        _write(self._path(unit), answer)

    def _path(self, unit: Unit) -> Path:
        return self._units / f"{unit.name}.json"


def _identify(experiment: Experiment) -> dict[str, Any]:
    # Strengths are no part of it: who joins later adds units and changes none.
    game = experiment.game
    return {
        "layout": LAYOUT,
        "game": game.name,
        "options": game.options,
        "seed": experiment.seed,
        "levels": write_levels(game),
    }


def _write(path: Path, content: dict[str, Any]) -> None:
    folders.replace(path, json.dumps(content, separators=(",", ":")).encode(), alone=True)


def _read(path: Path) -> dict[str, Any] | None:
    try:
        content = json.loads(path.read_bytes())
    except ValueError:
        return None
    return content if isinstance(content, dict) else None
