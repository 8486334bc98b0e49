"""The process pool: no lane waits for another, and a process that dies takes nothing along."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from server import jobs
from server.serving import is_alive
from skerry.server.web.errors import Busy, Refusal, Stale, TooMany
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
        self._pipe = os.open(self.path, os.O_RDWR)  # so that nobody waits to open it

    def open(self, word: str = "go") -> None:
        os.write(self._pipe, f"{word}\n".encode())

    def __enter__(self) -> "Gate":
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._pipe)


@pytest.fixture
def gate(tmp_path: Path) -> Iterator[Gate]:
    with Gate(tmp_path) as gate:
        yield gate


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


def test_no_lane_waits_for_another(gate: Gate) -> None:
    async def test() -> None:
        async with opened(QUICK, SLOW) as pool:
            film = asyncio.create_task(pool.run("slow", PERSON, jobs.wait_for, gate.path))
            assert await pool.run("quick", GAME, jobs.double, 1) == 2
            assert not film.done()
            gate.open("cut")
            assert await film == "cut"

    run(test())


def test_the_more_urgent_job_begins_first(tmp_path: Path, gate: Gate) -> None:
    async def test() -> None:
        file = tmp_path / "order"
        async with opened(QUICK) as pool:
            first = asyncio.create_task(pool.run("quick", NOBODY, jobs.wait_for, gate.path))
            await asyncio.sleep(0)
            rest = [
                asyncio.create_task(pool.run("quick", urgency, jobs.note, str(file), urgency.name))
                for urgency in (NOBODY, PERSON, GAME)
            ]
            await asyncio.sleep(0)
            gate.open()
            await asyncio.gather(first, *rest)
        assert file.read_text().split() == ["GAME", "PERSON", "NOBODY"]

    run(test())


def test_a_lane_that_is_full_refuses_but_not_what_is_more_urgent(gate: Gate) -> None:
    async def test() -> None:
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
            gate.open()
            assert await urgent == 14
            assert await asyncio.gather(*rest) == [0, 2, 4]
            await first

    run(test())


def test_visitors_take_turns(tmp_path: Path, gate: Gate) -> None:
    """However many jobs one of them has, another waits for one of them at most."""

    async def test() -> None:
        file = tmp_path / "order"
        async with opened(Lane("one", 1, most=20)) as pool:
            first = asyncio.create_task(
                pool.run("one", PERSON, jobs.wait_for, gate.path, visitor="ann")
            )
            await asyncio.sleep(0)
            order = ["ann", "ann", "ann", "bob", "bob", "cid"]
            rest = [
                asyncio.create_task(pool.run("one", PERSON, jobs.note, str(file), who, visitor=who))
                for who in order
            ]
            await asyncio.sleep(0)
            gate.open()
            await asyncio.gather(first, *rest)
            assert not pool._staffs["one"]._served
        assert file.read_text().split() == ["bob", "cid", "ann", "bob", "ann", "ann"]

    run(test())


def test_a_visitor_has_a_share_of_a_lane(gate: Gate) -> None:
    async def test() -> None:
        async with opened(Lane("one", 1, most=9, each=2)) as pool:
            mine = [
                asyncio.create_task(pool.run("one", PERSON, job, argument, visitor="ann"))
                for job, argument in ((jobs.wait_for, gate.path), (jobs.double, 1))
            ]
            await asyncio.sleep(0)
            with pytest.raises(TooMany, match="for your address"):
                await pool.run("one", PERSON, jobs.double, 2, visitor="ann")
            theirs = asyncio.create_task(pool.run("one", PERSON, jobs.double, 3, visitor="bob"))
            gate.open("open")
            assert await asyncio.gather(*mine, theirs) == ["open", 2, 6]
            assert await pool.run("one", PERSON, jobs.double, 4, visitor="ann") == 8

    run(test())


def test_a_process_that_goes_on_with_what_nobody_wants_is_ended(gate: Gate) -> None:
    async def test() -> None:
        async with opened(Lane("films", 1, most=4, patience=0.0)) as pool:
            before = await pool.run("films", PERSON, jobs.tell_process)
            film = asyncio.create_task(pool.run("films", PERSON, jobs.wait_for, gate.path))
            await asyncio.sleep(0)
            film.cancel()
            with suppress(asyncio.CancelledError):
                await film
            after = await pool.run("films", PERSON, jobs.tell_process)  # nobody opens the gate
            assert after != before
            assert not is_alive(before)

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


def test_jobs_can_be_given_up(tmp_path: Path, gate: Gate) -> None:
    async def test() -> None:
        memory = tmp_path / "memory"
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
            gate.open()
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


def test_the_end_of_the_pool_is_the_end_of_its_processes(gate: Gate) -> None:
    async def test() -> None:
        async with opened(QUICK) as pool:
            process = await pool.run("quick", PERSON, jobs.tell_process)
            waiting = asyncio.create_task(pool.run("quick", PERSON, jobs.wait_for, gate.path))
            await asyncio.sleep(0)
        with pytest.raises(Busy, match="about to stop"):
            await waiting
        assert not is_alive(process)

    run(test())
