"""Modules under the names that they had before: importing them works, with a warning.

Only modules that the documentation named are here; others were never promised.
"""

import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

FORMER_NAMES = {
    "skerry.lab.campaign": "skerry.lab.contest.campaign",
    "skerry.lab.cluster": "skerry.lab.work.cluster",
    "skerry.lab.executor": "skerry.lab.work.executor",
    "skerry.lab.match": "skerry.lab.contest.match",
    "skerry.lab.ratings": "skerry.lab.stats.ratings",
    "skerry.lab.report.compare": "skerry.lab.report.result.compare",
    "skerry.lab.results": "skerry.lab.stats.results",
    "skerry.lab.schedule": "skerry.lab.contest.schedule",
    "skerry.lab.store": "skerry.lab.contest.gamefolder",
    "skerry.lab.swap": "skerry.lab.contest.swap",
    "skerry.lab.tournament": "skerry.lab.contest.tournament",
    "skerry.render.textreader": "skerry.render.boardreader",
    "skerry.search.view": "skerry.search.overlay",
}


class _Forwarder(MetaPathFinder, Loader):
    """Finds a former name and answers with the module that has it now."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if fullname in FORMER_NAMES else None

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        now = FORMER_NAMES[module.__name__]
        warnings.warn(
            f"{module.__name__} is now {now}; the former name goes with version 1.0",
            DeprecationWarning,
            stacklevel=2,
        )
        sys.modules[module.__name__] = import_module(now)


def forward_former_names() -> None:
    """Let former names be imported."""
    sys.meta_path.append(_Forwarder())
