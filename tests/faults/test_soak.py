"""Random faults against servers on both databases: nothing that was acknowledged is lost.

make soak ARGS=--hours=2
make soak ARGS="--hours=0.1 --seed=7"
"""

import asyncio
import faulthandler
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from faults.rounds import Report, play_round, torment_for
from faults.site import POSTGRES, SQLITE, Site
from server.postgres import find_programs

SECONDS = {SQLITE: 18.0, POSTGRES: 24.0}  # of harm, by database, unless hours are asked for
ROUND = 60.0  # seconds of harm between two checks, if there are hours


async def soak(
    kind: str, seconds: float, chooser: random.Random, folder: Path
) -> tuple[Report, str]:
    """What came of it, and which faults were left out for which reasons."""
    site, report = Site(kind, folder), Report()
    until = time.monotonic() + seconds
    async with site.running():
        while not report.rounds or (time.monotonic() < until and not report.flaws):
            report.add(await play_round(site, chooser, torment_for(min(ROUND, seconds))))
    return report, "; ".join(site.missing)


@pytest.mark.soak
@pytest.mark.parametrize("kind", [SQLITE, POSTGRES])
def test_nothing_that_was_acknowledged_is_lost(
    kind: str,
    tmp_path: Path,
    pytestconfig: pytest.Config,
    record_property: Callable[[str, object], None],
) -> None:
    if kind == POSTGRES and find_programs() is None:
        pytest.skip("no PostgreSQL here: apt-get install postgresql")
    hours: float | None = pytestconfig.getoption("--hours")
    seed = pytestconfig.getoption("--seed")
    seed = random.randrange(10**6) if seed is None else seed
    seconds = SECONDS[kind] if hours is None else 3600 * hours / len(SECONDS)
    if hours is not None:
        faulthandler.cancel_dump_traceback_later()  # that it takes long is no sign of trouble
    report, missing = asyncio.run(soak(kind, seconds, random.Random(f"{seed} {kind}"), tmp_path))
    told = f"{kind}, --seed={seed}: {report}; {report.tell_faults()}"
    if missing:
        told += f"; LEFT OUT: disks and clocks that lie ({missing})"
    record_property("told", told)
    assert not report.flaws, "\n".join([told, *map(str, report.flaws[:20])])
    assert report.fates["acknowledged"] > 0
