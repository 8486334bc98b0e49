"""The work of a search: batches short enough that a stop or the clock is soon noticed."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import contextmanager
from time import perf_counter

from skerry.search.tree import THINNING_SECONDS

FIRST_BATCH = 64
FIRST_SLOW_BATCH = 8  # where a simulation takes longer
BATCH_SECONDS = 0.005  # how long a batch may run before stop and clock are looked at again
FASTEST_GROWTH = 4  # a batch is at most so many times the one before
SHORTEST = 1e-6  # clocks have a grain, and a pace must not be infinite


class Brake:
    """Whether a search is to stop; once it is, it stays so. Every thread asks between batches."""

    def __init__(self, stop: Callable[[], bool] | None, deadline: float | None) -> None:
        self.stop = stop
        self.deadline = deadline
        self.pulled = False

    def pull(self) -> None:
        self.pulled = True

    def is_pulled(self) -> bool:
        if not self.pulled and self.stop is not None and self.stop():
            self.pulled = True
        return self.pulled

    def is_near(self, moment: float, seconds: float) -> bool:
        """Whether there are fewer than so many seconds left."""
        return self.deadline is not None and self.deadline - moment < seconds


class Effort:
    """One tree, and what is left to do in it.

    ``grow`` runs simulations in it and says how many, fewer only if all is proven; it is told
    whether there is time to thin out a tree of so many nodes. ``slow`` ones look at a net in every
    simulation, and batches make a difference to what they find: those of a number of simulations
    are steady.
    """

    def __init__(
        self,
        grow: Callable[[int, bool], int],
        nodes: int,
        simulations: int | None,
        slow: bool = False,
    ) -> None:
        self.grow = grow
        self.steady = slow and simulations is not None
        self.left = simulations  # None: as many as time allows
        self.done = 0
        self.proven = False
        self.batch = FIRST_SLOW_BATCH if slow and not self.steady else FIRST_BATCH
        self.thinning = THINNING_SECONDS * nodes

    @property
    def finished(self) -> bool:
        return self.proven or self.left == 0

    def begin(self, by_the_clock: bool) -> None:
        """Run the first simulation, so that there is always something to report.

        The clock starts after it, since it may have to compile; so nothing else that takes time
        may happen in it.
        """
        if not self.finished:  # a share may be nothing
            self._run_batch(1, by_the_clock)

    def run(self, brake: Brake, until: float | None) -> None:
        """Run batches until the simulations, the time or somebody's patience is used up.

        ``until`` is the end or a rest before it. Each batch is sized by the pace of the one before,
        and none begins too late. A tree can be read whenever this is not running.
        """
        while not self.finished and not brake.is_pulled():
            started = perf_counter()
            if until is not None and started >= until:
                return
            size = self.batch if self.left is None else min(self.batch, self.left)
            ran = self._run_batch(size, brake.is_near(started, self.thinning))
            elapsed = max(perf_counter() - started, SHORTEST)
            available = BATCH_SECONDS
            if until is not None:
                available = min(available, until - started - elapsed)
            pace = elapsed / max(ran, 1)
            if not self.steady:
                self.batch = max(1, min(FASTEST_GROWTH * size, int(available / pace)))
        if self.proven and self.left is None:
            # A proof in one tree counts for all. With a number of simulations the others go on,
            # since the result must not depend on who is first.
            brake.pull()

    def _run_batch(self, size: int, in_a_hurry: bool) -> int:
        ran = self.grow(size, in_a_hurry)
        self.done += ran
        self.proven = ran < size
        if self.left is not None:
            self.left -= ran
        return ran


Crew = Callable[[Sequence[Effort], Brake, float | None], None]


@contextmanager
def crew(threads: int) -> Iterator[Crew]:
    """Somebody to run efforts, each on a thread of its own, and to wait for them all.

    Whatever goes wrong, an interrupt included, the others are called back before it is raised.
    """
    if threads == 1:
        yield _run_in_turn
        return
    with ThreadPoolExecutor(threads, "skerry-search") as pool:

        def run(efforts: Sequence[Effort], brake: Brake, until: float | None) -> None:
            try:
                jobs = [pool.submit(effort.run, brake, until) for effort in efforts]
                wait(jobs, return_when=FIRST_EXCEPTION)
                for job in jobs:
                    if job.done():
                        job.result()
            except BaseException:
                brake.pull()
                raise

        yield run


def _run_in_turn(efforts: Sequence[Effort], brake: Brake, until: float | None) -> None:
    for effort in efforts:
        effort.run(brake, until)
