"""The process pool: no lane waits for another, and a process that dies takes nothing along."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from server import jobs
from server.serving import is_alive
from skerry.server.web.errors import Busy, Refusal, Stale
from skerry.server.web.metrics import Metrics
from skerry.server.workers.pool import Lane, Pool, Urgency

QUICK = Lane("quick", 1, most=4, full="come back later", lost="it died too often")
SLOW = Lane("slow", 1, most=2, niceness=5)
SHARED = Lane("shared", 1, most=8, abreast=8)
GAME, PERSON, NOBODY = Urgency.GAME, Urgency.PERSON, Urgency.NOBODY


@asynccontextmanager
async def opened(*lanes: Lane) -> AsyncIterator[Pool]:
    pool = Pool(lanes, Metrics())
    try:
        yield pool
    finally:
        await pool.close()


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(test, 60))


class Gate:
    """What a job waits for until it is opened: a pipe with a name."""

    def __init__(self, folder: Path, name: str = "gate") -> None:
        self.path = str(folder / name)
        os.mkfifo(self.path)

    async def open(self, word: str = "go") -> None:
        """Let whoever waits go on; waits until somebody does."""
        await asyncio.to_thread(Path(self.path).write_text, word)


def test_answers_come_home() -> None:
    async def test() -> None:
        async with opened(QUICK, SLOW) as pool:
            asked = [pool.run("quick", PERSON, jobs.double, n) for n in range(4)]
            assert await asyncio.gather(*asked) == [0, 2, 4, 6]
            with pytest.raises(Refusal, match="tea is not to my liking"):
                await pool.run("quick", PERSON, jobs.refuse, "tea")
            with pytest.raises(Refusal, match="went wrong"):
                await pool.run("quick", PERSON, jobs.fail)
            assert await pool.run("quick", PERSON, jobs.double, 5) == 10
            ours = os.getpriority(os.PRIO_PROCESS, 0)
            assert await pool.run("quick", PERSON, jobs.tell_niceness) == ours
            assert await pool.run("slow", PERSON, jobs.tell_niceness) == ours + 5

    run(test())


def test_no_lane_waits_for_another(tmp_path: Path) -> None:
    async def test() -> None:
        gate = Gate(tmp_path)
        async with opened(QUICK, SLOW) as pool:
            film = asyncio.create_task(pool.run("slow", PERSON, jobs.wait_for, gate.path))
            assert await pool.run("quick", GAME, jobs.double, 1) == 2
            assert not film.done()
            await gate.open("cut")
            assert await film == "cut"

    run(test())


def test_the_more_urgent_job_begins_first(tmp_path: Path) -> None:
    async def test() -> None:
        gate, file = Gate(tmp_path), tmp_path / "order"
        async with opened(QUICK) as pool:
            first = asyncio.create_task(pool.run("quick", NOBODY, jobs.wait_for, gate.path))
            await asyncio.sleep(0)
            rest = [
                asyncio.create_task(pool.run("quick", urgency, jobs.note, str(file), urgency.name))
                for urgency in (NOBODY, PERSON, GAME)
            ]
            await asyncio.sleep(0)
            await gate.open()
            await asyncio.gather(first, *rest)
        assert file.read_text().split() == ["GAME", "PERSON", "NOBODY"]

    run(test())


def test_a_lane_that_is_full_refuses_but_not_what_is_more_urgent(tmp_path: Path) -> None:
    async def test() -> None:
        gate = Gate(tmp_path)
        async with opened(QUICK) as pool:
            first = asyncio.create_task(pool.run("quick", PERSON, jobs.wait_for, gate.path))
            await asyncio.sleep(0)
            rest = [
                asyncio.create_task(pool.run("quick", PERSON, jobs.double, n)) for n in range(3)
            ]
            await asyncio.sleep(0)
            with pytest.raises(Busy, match="come back later"):
                await pool.run("quick", PERSON, jobs.double, 9)
            urgent = asyncio.create_task(pool.run("quick", GAME, jobs.double, 7))
            await gate.open()
            assert await urgent == 14
            assert await asyncio.gather(*rest) == [0, 2, 4]
            await first

    run(test())


def test_reports_come_while_others_go_on(tmp_path: Path) -> None:
    async def test() -> None:
        memory = tmp_path / "memory"
        async with opened(SHARED) as pool:
            with pool.begin("shared", PERSON, jobs.go_on_for_ever, str(memory)) as endless:
                assert await anext(endless) >= 1
                seen = []
                with pool.begin("shared", PERSON, jobs.count_up, 5) as counting:
                    async for number in counting:
                        seen.append(number)
                    assert await counting.answer() == "done"
                # A newer report takes the place of an older one, but the last is never lost.
                assert seen == sorted(set(seen))
                assert seen[-1] == 5
                assert await anext(endless) > 1
            assert await pool.run("shared", PERSON, jobs.double, 4) == 8
            assert memory.read_text() == "stopped\n"

    run(test())


def test_jobs_can_be_given_up(tmp_path: Path) -> None:
    async def test() -> None:
        gate, memory = Gate(tmp_path), tmp_path / "memory"
        async with opened(QUICK, SHARED) as pool:
            waiting = asyncio.create_task(pool.run("quick", PERSON, jobs.wait_for, gate.path))
            await asyncio.sleep(0)
            with pool.begin("quick", PERSON, jobs.note, str(memory), "never"):
                pass  # it had not begun
            # A function that runs cannot be stopped, but nobody gets its answer.
            waiting.cancel()
            with suppress(asyncio.CancelledError):
                await waiting
            after = asyncio.create_task(pool.run("quick", PERSON, jobs.double, 3))
            await gate.open()
            assert await after == 6
            assert not memory.exists()
            with pool.begin("shared", PERSON, jobs.go_on_for_ever, str(memory)) as job:
                await anext(job)
                pool.give_up(job, Stale("another page is open"))
                with pytest.raises(Stale, match="another page"):
                    await job.answer()

    run(test())


def test_a_job_whose_process_dies_is_done_again(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(QUICK) as pool:
            asked = [
                pool.run("quick", PERSON, jobs.die_once, str(tmp_path / "memory")),
                pool.run("quick", PERSON, jobs.double, 2),
            ]
            assert await asyncio.gather(*asked) == ["alive", 4]

    run(test())


def test_a_job_that_kills_every_process_is_given_up(tmp_path: Path) -> None:
    async def test() -> None:
        memory = tmp_path / "memory"
        async with opened(QUICK) as pool:
            with pytest.raises(Busy, match="died too often"):
                await pool.run("quick", PERSON, jobs.die_always, str(memory))
            assert memory.read_text() == "died\n" * QUICK.deaths
            assert await pool.run("quick", PERSON, jobs.double, 1) == 2

    run(test())


def test_a_process_that_dies_idle_is_replaced() -> None:
    async def test() -> None:
        async with opened(QUICK) as pool:
            process = await pool.run("quick", PERSON, jobs.tell_process)
            os.kill(process, signal.SIGKILL)
            assert await pool.run("quick", PERSON, jobs.tell_process) != process

    run(test())


def test_every_process_prepares_once(tmp_path: Path) -> None:
    async def test() -> None:
        file = tmp_path / "prepared"
        async with opened(Lane("two", 2, most=4)) as pool:
            pool.prepare("two", jobs.note, str(file), "x")
            while not file.exists() or len(file.read_text()) < 4:
                await asyncio.sleep(0.01)
            for _ in range(3):
                pool.prepare("two", jobs.note, str(file), "x")
                await asyncio.gather(*(pool.run("two", PERSON, jobs.double, 1) for _ in range(4)))
        assert file.read_text() == "x\n" * 2

    run(test())


def test_the_end_of_the_pool_is_the_end_of_its_processes(tmp_path: Path) -> None:
    async def test() -> None:
        gate = Gate(tmp_path)
        async with opened(QUICK) as pool:
            process = await pool.run("quick", PERSON, jobs.tell_process)
            waiting = asyncio.create_task(pool.run("quick", PERSON, jobs.wait_for, gate.path))
            await asyncio.sleep(0)
        with pytest.raises(Busy, match="about to stop"):
            await waiting
        assert not is_alive(process)

    run(test())
