"""Work on a Ray cluster, with the same face as work on this machine (``lab.work.executor``).

Ray says who does a task, keeps worker processes from one task to the next, and lets machines join
while the work goes on. What is lost with a process or a whole machine is noticed here and tried
again; Ray's own retries are off, so that nothing is done twice unseen.
"""

import logging
import re
import socket
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from typing import Any, Generic

from skerry.core.errors import OptionsError, shorten
from skerry.core.extras import needs
from skerry.core.kernels.storage import hash_foreign, package_hash
from skerry.games import GAMES
from skerry.lab.work.executor import KEPT, Answer, Crew, Key, Task, Warn, WorkerLost, answer

SKERRY = "skerry"
TRIES = 4  # machines come and go, so a task may be unlucky more often than on this machine
AHEAD = 2  # tasks handed out for each that runs, so that no worker has to wait for the next
LAST_PORT = 65535
PATIENCE = 5.0  # seconds within which an address has to answer
ADDRESS = re.compile(r"([A-Za-z0-9._-]+):([0-9]{1,5})")
LOCAL = ("localhost", "127.0.0.1")
HTTP2_GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])


class Cluster:
    """The machines of a Ray cluster: all of their cores, or ``jobs`` tasks at a time.

    Each task is given ``threads`` cores. Every machine needs the same skerry. A process works with
    one cluster at a time, the last that it named.
    """

    def __init__(self, address: str, jobs: int | None = None, threads: int = 1) -> None:
        self._ray = _join(address)
        self._jobs = jobs
        self._threads = threads
        widest = max((machine["Resources"]["CPU"] for machine in self._machines()), default=0)
        if widest < threads:
            raise OptionsError(
                f"a player uses {threads} threads, but no machine of the cluster at {address} has "
                f"more than {widest:.0f} cores"
            )

    def hire(self, function: Callable[..., Answer], warn: Warn) -> "ClusterWorkers[Any, Answer]":
        remote = self._ray.remote(_work).options(num_cpus=self._threads, max_retries=0)
        ask = partial(remote.remote, _expect(), function)
        return ClusterWorkers(self._ray, ask, self._count_room, warn)

    def employ(
        self, make: Callable[..., Callable[..., Answer]], warn: Warn
    ) -> "ClusterAides[Any, Answer]":
        """Processes that each keep what ``make`` makes, which answers them all their tasks."""
        return ClusterAides(self._ray, make, warn)

    def count(self, resource: str) -> int:
        """How many cores (CPU) or GPU the machines have that are there now."""
        return int(self._ray.cluster_resources().get(resource, 0))

    def prepare(self, function: Callable[..., object], *arguments: object) -> None:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        function(*arguments)  # games are read again here, wherever they are played
        calls = []
        for machine in self._machines():
            there = NodeAffinitySchedulingStrategy(machine["NodeID"], soft=False)
            remote = self._ray.remote(_work).options(
                num_cpus=0, max_retries=0, scheduling_strategy=there
            )
            calls.append(remote.remote(_expect(), function, arguments))
        for call in calls:
            with suppress(_Lost):  # a machine that is gone need not be ready
                _fetch(self._ray, call)

    def _count_room(self) -> int:
        """How many tasks should be handed out, with the machines there are now."""
        return self._jobs or AHEAD * max(1, self.count("CPU") // self._threads)

    def _machines(self) -> list[dict[str, Any]]:
        """Those that work; some only hand out the work of others."""
        return [node for node in self._ray.nodes() if node["Alive"] and "CPU" in node["Resources"]]


class ClusterWorkers(Crew[Key, Answer]):
    """Tasks on a cluster; a context that calls off what is not done.

    ``ask`` hands the arguments of a task to Ray, ``room`` is asked every now and then how many
    there may be, and ``warn`` is told of a process that died.
    """

    def __init__(
        self, ray: Any, ask: Callable[..., Any], room: Callable[[], int], warn: Warn
    ) -> None:
        self._ray = ray
        self._ask = ask
        self._room = room
        self._most = room()
        self._warn = warn
        self._waiting: dict[Any, Task[Key]] = {}  # by the promise of an answer
        self._done: deque[Any] = deque()  # promises that were kept, or never will be

    def __exit__(self, *_: object) -> None:
        # Machines drop what a driver that leaves had asked for. To cancel one task after the other
        # would make Ray end this process where one of them is done at that moment.
        if self._waiting:
            self._ray.shutdown()

    @property
    def busy(self) -> int:
        return len(self._waiting)

    def _start(self, task: Task[Key]) -> None:
        self._waiting[self._ask(task.arguments, task.tries > 0)] = task

    def wait(self) -> tuple[Key, Answer]:
        while True:
            promise = self._next()
            task = self._waiting.pop(promise)
            try:
                return task.key, _fetch(self._ray, promise)
            except _Lost as loss:
                task.fail(str(loss), TRIES, self._warn)
                self._start(task)

    def _next(self) -> Any:
        """A promise that needs no waiting; asked for many at a time, which is quicker."""
        if not self._done:
            promises = list(self._waiting)
            self._ray.wait(promises, num_returns=1)
            self._done += self._ray.wait(promises, num_returns=len(promises), timeout=0)[0]
            self._most = self._room()
        return self._done.popleft()


class ClusterAides(Generic[Key, Answer]):
    """Processes on a cluster that keep something from task to task; a context that ends them.

    ``make`` is called in each new process, with the arguments it was hired with and its number, and
    returns what tasks are handed to. Where a process dies another takes its place as soon as a
    machine has room for it; ``warn`` is told.
    """

    def __init__(self, ray: Any, make: Callable[..., Callable[..., Answer]], warn: Warn) -> None:
        self._ray = ray
        self._make = make
        self._warn = warn
        self._hired = 0
        self._terms: dict[Key, tuple[int, tuple[object, ...]]] = {}  # GPUs, arguments
        self._aides: dict[Key, Any] = {}
        self._waiting: dict[Any, Key] = {}  # by the promise of an answer, the oldest first
        self._deaths: Counter[Key] = Counter()  # since the last answer

    def __enter__(self) -> "ClusterAides[Key, Answer]":
        return self

    def __exit__(self, *_: object) -> None:
        for key in list(self._aides):
            self._dismiss(key)

    def __contains__(self, key: Key) -> bool:
        """Whether there is somebody of this name to ask."""
        return key in self._aides

    def hire(self, key: Key, gpus: int, *arguments: object) -> None:
        """Ask for a process with a core and so many GPUs; it may take a while to be there."""
        self._terms[key] = gpus, arguments
        self._hire(key)

    def _hire(self, key: Key) -> None:
        gpus, arguments = self._terms[key]
        remote = self._ray.remote(_Aide).options(num_cpus=1, num_gpus=gpus, max_restarts=0)
        made = remote.remote(_expect(), self._make, (*arguments, self._hired))
        self._aides[key] = made
        self._hired += 1

    def _dismiss(self, key: Key) -> None:
        self._ray.kill(self._aides.pop(key))

    def start(self, key: Key, *arguments: object) -> None:
        """Hand out a task; its answer comes back with the key."""
        self._waiting[self._aides[key].ask.remote(arguments)] = key

    def wait(self, seconds: float) -> tuple[Key, Answer | None] | None:
        """The next answer and whose it is, None in place of an answer if that process died; None
        if nobody was ready in so many seconds. What a task raised is raised here."""
        ready, _ = self._ray.wait(list(self._waiting), timeout=seconds)
        if not ready:
            if not self._ray.cluster_resources().get("CPU"):
                raise WorkerLost(f"no machine of the cluster is left to work on; {KEPT}")
            return None
        key = self._waiting.pop(ready[0])
        try:
            said: Answer = _fetch(self._ray, ready[0])
        except _Lost as loss:
            self._replace(key, str(loss))
            return key, None
        self._deaths[key] = 0
        return key, said

    def _replace(self, key: Key, how: str) -> None:
        """Have another process in place of a dead one, unless all they do is die."""
        self._dismiss(key)
        self._deaths[key] += 1
        if self._deaths[key] < TRIES:
            self._warn(f"a process died ({how}); another takes its place")
            self._hire(key)
        elif self._aides:
            self._warn(f"a process died {TRIES} times in a row ({how}); the others go on")
        else:
            raise WorkerLost(f"no process is left: the last died {TRIES} times ({how}); {KEPT}")


class _Aide:
    """What is in a process that keeps something: see ``ClusterAides``."""

    def __init__(
        self, expected: dict[str, str], make: Callable[..., Any], arguments: tuple[Any, ...]
    ) -> None:
        self._made = _work(expected, make, arguments)

    def ask(self, arguments: tuple[Any, ...]) -> tuple[bool, Any]:
        good, made = self._made
        return answer(made, arguments) if good else self._made


class _Lost(Exception):
    """A process or its machine was gone before the answer came; says which."""


def _fetch(ray: Any, promise: Any) -> Any:
    """The answer of a task that is done; what it raised is raised here."""
    try:
        good, said = ray.get(promise)
    except ray.exceptions.RayTaskError as error:  # before or after our own code was in charge
        raise OptionsError(
            "the cluster cannot do this work: is skerry installed on all of its machines? "
            f"{str(error.cause).strip().splitlines()[-1]}"
        ) from error
    except ray.exceptions.NodeDiedError:
        raise _Lost("its machine is gone") from None
    except ray.exceptions.RayError as error:
        raise _Lost(type(error).__name__) from None
    if not good:
        raise said
    return said


def _work(
    expected: dict[str, str],
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    wary: bool = False,
) -> tuple[bool, Any]:
    """What a worker does: answer, if it would play the same games as whoever asks."""
    other = _find_difference(expected)
    if other is not None:
        return False, OptionsError(
            f"{socket.gethostname()} has another version of {other}: install the same on every "
            "machine of the cluster, and start its nodes again"
        )
    return answer(function, arguments, wary)


def _expect() -> dict[str, str]:
    """What every machine has to have: this skerry, and the packages of games that are played."""
    return {SKERRY: package_hash(), **hash_foreign()}


def _find_difference(expected: dict[str, str]) -> str | None:
    """The first of these packages that is another here, or not there at all."""
    if len(expected) > 1:
        list(GAMES)  # imports those of other distributions
    here = {SKERRY: _sources(), **hash_foreign()}
    return next((name for name in expected if here.get(name) != expected[name]), None)


@cache
def _sources() -> str:
    return package_hash()


def _join(address: str) -> Any:
    """Ray, connected to the cluster at an address; OptionsError tells what stands in the way."""
    with needs("cluster", "working on a cluster"):
        ray: Any = import_module("ray")
    found = ADDRESS.fullmatch(address)
    if not found:
        raise OptionsError(
            f"--ray {shorten(address)} is not HOST:PORT, such as 127.0.0.1:6379; "
            "ray start --head prints the address of a cluster"
        )
    # Ray takes this machine by its address in the network, so that is where it has to answer.
    host = ray.util.get_node_ip_address() if found[1] in LOCAL else found[1]
    if not _answers(host, int(found[2])):
        raise OptionsError(
            f"no Ray cluster answers at {address}: start one there with ray start --head, "
            "which prints its address"
        )
    # Ray tells of troubles in its cluster on stdout, where results belong; we tell of them on ours.
    ray._private.worker._worker_logs_enabled = False
    ray.shutdown()
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise OptionsError(
            f"the Ray cluster at {address} cannot be joined from here: {error}; run this on one "
            "of its machines, with the same versions of Python and Ray"
        ) from None
    return ray


def _answers(host: str, port: int) -> bool:
    """Whether there is somebody who speaks as Ray does; Ray itself would ask for many minutes."""
    if port > LAST_PORT:  # the C library would take what is left of it for another port
        return False
    try:
        with socket.create_connection((host, port), PATIENCE) as line:
            line.sendall(HTTP2_GREETING)
            return line.recv(9)[3:4] == b"\4"  # settings are what is told first
    except OSError:
        return False
