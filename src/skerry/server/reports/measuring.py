"""Measures the reports that admins have asked for, one at a time, in a process of low priority."""

import asyncio
import time
from multiprocessing.connection import Connection
from pathlib import Path

from skerry.core.errors import SkerryError
from skerry.lab.report.making import make_report
from skerry.lab.report.measure.units import warm_up_units
from skerry.lab.report.measure.walk import Budget
from skerry.lab.work.executor import Oneself
from skerry.lab.work.process import PipedProcess
from skerry.records.folders import claimed
from skerry.server.reports.commissions import Commission, Commissions, Spent
from skerry.server.web.logs import log
from skerry.server.workers.lanes import LOWEST

PAUSE = 1.0  # seconds between two looks at what is wanted
TOLD = 1.0  # seconds between two notes of how far it is


class Laboratory:
    """Sees that what is asked for is measured, by one process of all that share the folder."""

    def __init__(self, commissions: Commissions) -> None:
        self._commissions = commissions

    async def watch(self) -> None:
        while True:
            if await asyncio.to_thread(self._commissions.find_next) is not None:
                with claimed(self._commissions.folder) as is_ours:
                    if is_ours:
                        await self._work_off()
            await asyncio.sleep(PAUSE)

    async def _work_off(self) -> None:
        commissions = self._commissions
        try:
            while (one := await asyncio.to_thread(commissions.find_next)) is not None:
                commissions.note_current(one.name)
                await self._measure(one)
        finally:
            commissions.note_current("")

    async def _measure(self, one: Commission) -> None:
        """Have a report measured, until it is done or nobody wants it."""
        arguments = (str(self._commissions.path(one.name)), one)
        log("a report is measured", name=one.name, game=one.game, budget=one.budget)
        started = await asyncio.to_thread(
            PipedProcess, measure_commission, *arguments, niceness=LOWEST
        )
        why = ""
        try:
            while not why and self._commissions.is_wanted(one.name):
                why = await asyncio.to_thread(_listen, started.pipe)
        finally:
            await asyncio.to_thread(started.stop)
        if self._commissions.is_done(one.name):
            log("a report is done", name=one.name)
        elif why:
            log("a report has failed", name=one.name, reason=why)
            self._commissions.fail(one.name, why)


def _listen(pipe: Connection) -> str:
    """Why a process has ended, if it has within a moment."""
    if not pipe.poll(PAUSE):
        return ""
    try:
        return str(pipe.recv())
    except (EOFError, OSError):
        return "its process was ended; what it had finished is kept"


def measure_commission(pipe: Connection, folder: str, one: Commission) -> None:
    """What the process does; it tells why if it cannot, and that it is done."""
    try:
        pipe.send(_work(Path(folder), one))
    except (SkerryError, OSError) as error:
        pipe.send(str(error) or type(error).__name__)


def _work(folder: Path, one: Commission) -> str:
    told = 0.0

    def tell(used: float, most: float, games: int) -> None:
        nonlocal told
        if time.monotonic() >= told + TOLD:
            told = time.monotonic()
            Spent(used, most, games).write(folder)

    site = Oneself()
    site.prepare(warm_up_units, one.experiment)
    make_report(one.experiment, folder, Budget.read(one.budget), site, tell=tell)
    return "done"
