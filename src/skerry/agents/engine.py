"""A client of engines that speak our protocol: start one, ask, hear, stop it, and let it go.

``AsyncEngine`` is for asyncio, ``SimpleEngine`` does the same for everybody else, as in
python-chess. docs/library/engine.md is the reference of the protocol.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import suppress
from itertools import count
from typing import Any, TypedDict, Unpack

from skerry.agents.loop import run
from skerry.agents.opinions import Opinion, read_opinion
from skerry.agents.program import PATIENCE, Program, read_command
from skerry.core.errors import EngineError, shorten
from skerry.core.state import State
from skerry.records.strictjson import find_object

START = 60.0  # seconds for an engine to say who it is
MOST_REPORTS = 1000  # that wait to be read; more are dropped, final answers never


class SearchLimits(TypedDict, total=False):
    """How much an engine is to think; what is left out is the engine's to choose."""

    simulations: int
    seconds: float
    threads: int
    nodes: int
    seed: int
    top: int


def write_query(state: State, **limits: Any) -> dict[str, Any]:
    """A query about a state, as engines read it; what is None is left out."""
    known = {name: value for name, value in limits.items() if value is not None}
    game = {"game": state.game.name, "options": dict(state.game.options)}
    return {**game, "start": state.position, **known}


def read_object(line: str) -> dict[str, Any]:
    """A line as a JSON object."""
    content = find_object(line)
    if content is None:
        raise EngineError(f"it said {shorten(line)}, which is no JSON object")
    return content


class AsyncEngine:
    """An engine, and the queries that it has yet to answer. A context that lets it go."""

    def __init__(self, program: Program) -> None:
        self.about: dict[str, Any] = {}  # what it says of itself
        self._program = program
        self._numbers = count(1)
        self._inboxes: dict[str, asyncio.Queue[dict[str, Any] | None]] = {}
        self._failure: EngineError | None = None
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def open(cls, command: str | Sequence[str], *, patience: float = START) -> "AsyncEngine":
        """Start an engine, and wait until it says who it is."""
        words = read_command(command) if isinstance(command, str) else tuple(command)
        engine = cls(await Program.start(words))
        try:
            async with asyncio.timeout(patience):
                engine.about = await engine.act("version")
        except TimeoutError:
            await engine.close()
            raise EngineError(f"{words[0]} said nothing within {patience:g} s") from None
        except BaseException:
            await engine.close()
            raise
        return engine

    async def ask(
        self, state: State, *, timeout: float | None = None, **limits: Unpack[SearchLimits]
    ) -> Opinion:
        """What the engine thinks of a state, once it is done; EngineError after ``timeout``."""
        stream = self.stream(state, **limits)
        async with stream:
            try:
                async with asyncio.timeout(timeout):
                    return await stream.final()
            except TimeoutError:
                raise EngineError(f"no answer within {timeout:g} s") from None

    def stream(
        self, state: State, *, report_every: float | None = None, **limits: Unpack[SearchLimits]
    ) -> "OpinionStream":
        """What the engine thinks of a state, told every so many seconds while it thinks."""
        query = write_query(state, report_every=report_every, **limits)
        return OpinionStream(self, state, query)

    async def act(self, action: str, **fields: Any) -> dict[str, Any]:
        """Have an action carried out, such as ``list_games``; returns its answer."""
        name = await self.submit({"action": action, **fields})
        try:
            answer = await self.hear(name)
        finally:
            self.forget(name)
        if answer.get("error") is not None:
            raise EngineError(f"it refused {action}: {answer['error']}")
        return answer

    async def stop(self) -> None:
        """Stop all that it thinks about; every query still gets its final answer."""
        await self.act("stop_all")

    async def quit(self) -> None:
        """Let it go; one that does not leave is ended."""
        with suppress(EngineError, TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await self.act("quit")
        await self._program.quit()
        await self._leave()

    async def close(self) -> None:
        """End it at once."""
        await self._program.kill()
        await self._leave()

    async def __aenter__(self) -> "AsyncEngine":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.quit()

    # What streams need.

    async def submit(self, content: dict[str, Any]) -> str:
        """Send a query; what comes back under its id is kept for whoever asks."""
        if self._failure is not None:
            raise self._failure
        name = str(next(self._numbers))
        self._inboxes[name] = asyncio.Queue()
        await self._program.send(json.dumps({"id": name, **content}))
        return name

    async def hear(self, name: str) -> dict[str, Any]:
        """The next answer to a query."""
        content = await self._inboxes[name].get()
        if content is None:
            raise self._failure or EngineError("it has ended")
        return content

    def forget(self, name: str) -> None:
        self._inboxes.pop(name, None)

    async def _read(self) -> None:
        """Hand out answers until there are no more."""
        try:
            while True:
                content = read_object(await self._program.receive())
                inbox = self._inboxes.get(str(content.get("id")))
                is_report = content.get("final") is False
                if inbox is not None and not (is_report and inbox.qsize() >= MOST_REPORTS):
                    inbox.put_nowait(content)
        except EngineError as error:
            self._fail(error)

    def _fail(self, error: EngineError) -> None:
        self._failure = error
        for inbox in self._inboxes.values():
            inbox.put_nowait(None)

    async def _leave(self) -> None:
        self._reader.cancel()
        await asyncio.gather(self._reader, return_exceptions=True)
        self._fail(EngineError("it was let go: open another one"))


class OpinionStream:
    """Opinions of an engine that thinks: reports, and then the final one. A context that stops."""

    def __init__(self, engine: AsyncEngine, state: State, query: dict[str, Any]) -> None:
        self._engine = engine
        self._state = state
        self._query = query
        self._name: str | None = None
        self._last: Opinion | None = None

    def __aiter__(self) -> AsyncIterator[Opinion]:
        return self

    async def __anext__(self) -> Opinion:
        if self._last is not None and self._last.final:
            raise StopAsyncIteration
        if self._name is None:
            self._name = await self._engine.submit(self._query)
        self._last = read_opinion(self._state, await self._engine.hear(self._name))
        if self._last.final:
            self._engine.forget(self._name)
        return self._last

    async def final(self) -> Opinion:
        """The final opinion; reports before it are passed over."""
        async for _ in self:
            pass
        assert self._last is not None  # noqa: S101  # or an error was raised
        return self._last

    async def stop(self) -> None:
        """Have the search end; what was found until then is the final opinion."""
        if self._name is not None and not (self._last is not None and self._last.final):
            await self._engine.act("stop", of=self._name)

    async def __aenter__(self) -> "OpinionStream":
        return self

    async def __aexit__(self, *_: object) -> None:
        with suppress(EngineError, TimeoutError):
            async with asyncio.timeout(PATIENCE):  # it may not even answer to that
                await self.stop()
        if self._name is not None:
            self._engine.forget(self._name)


class SimpleEngine:
    """An engine for programs that wait for its answers. A context that lets it go."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    @classmethod
    def open(cls, command: str | Sequence[str], *, patience: float = START) -> "SimpleEngine":
        """Start an engine, and wait until it says who it is."""
        return cls(run(AsyncEngine.open(command, patience=patience)))

    @property
    def about(self) -> dict[str, Any]:
        """What it says of itself."""
        return self._engine.about

    def ask(
        self, state: State, *, timeout: float | None = None, **limits: Unpack[SearchLimits]
    ) -> Opinion:
        """What the engine thinks of a state, once it is done; EngineError after ``timeout``."""
        return run(self._engine.ask(state, timeout=timeout, **limits))

    def stream(
        self, state: State, *, report_every: float | None = None, **limits: Unpack[SearchLimits]
    ) -> "SimpleStream":
        """What the engine thinks of a state, told every so many seconds while it thinks."""
        return SimpleStream(self._engine.stream(state, report_every=report_every, **limits))

    def act(self, action: str, **fields: Any) -> dict[str, Any]:
        """Have an action carried out, such as ``list_games``; returns its answer."""
        return run(self._engine.act(action, **fields))

    def stop(self) -> None:
        """Stop all that it thinks about; every query still gets its final answer."""
        run(self._engine.stop())

    def quit(self) -> None:
        """Let it go; one that does not leave is ended."""
        run(self._engine.quit())

    def close(self) -> None:
        """End it at once."""
        run(self._engine.close())

    def __enter__(self) -> "SimpleEngine":
        return self

    def __exit__(self, *_: object) -> None:
        self.quit()


class SimpleStream:
    """Opinions of an engine that thinks: reports, and then the final one. A context that stops."""

    def __init__(self, stream: OpinionStream) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[Opinion]:
        return self

    def __next__(self) -> Opinion:
        try:
            return run(anext(self._stream))
        except StopAsyncIteration:
            raise StopIteration from None

    def final(self) -> Opinion:
        """The final opinion; reports before it are passed over."""
        return run(self._stream.final())

    def stop(self) -> None:
        """Have the search end; what was found until then is the final opinion."""
        run(self._stream.stop())

    def __enter__(self) -> "SimpleStream":
        return self

    def __exit__(self, *_: object) -> None:
        run(self._stream.__aexit__())
