"""A relay on loopback that can freeze: nothing passes any more, and no connection is closed.

It can also cut all connections.
"""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from urllib.parse import urlsplit


class Relay:
    """Passes on what two ends say to each other, unless they are parted."""

    def __init__(self, target: str) -> None:
        self._target = urlsplit(target)
        self._links: list[asyncio.Event] = []  # of each connection, whether it passes anything
        self._writers: set[asyncio.StreamWriter] = set()
        self._parted = False

    @contextmanager
    def running(self) -> Iterator[str]:
        """The address at which the target is found."""
        self._loop = asyncio.new_event_loop()
        thread = Thread(target=self._loop.run_forever)
        thread.start()
        try:
            port = asyncio.run_coroutine_threadsafe(self._open(), self._loop).result()
            place = f"{self._target.username}@127.0.0.1:{port}"
            yield self._target._replace(netloc=place).geturl()
        finally:
            asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            thread.join()
            self._loop.close()

    def freeze(self, *, later: bool = False) -> None:
        """Let nothing pass on the connections there are, nor on ``later`` ones if so said."""
        self._now(self._set(True, later))

    def thaw(self) -> None:
        self._now(self._set(False, False))

    def cut(self) -> None:
        """End the connections there are."""
        self._now(self._cut())

    def _now(self, done: Coroutine[None, None, None]) -> None:
        """Return when it is done."""
        asyncio.run_coroutine_threadsafe(done, self._loop).result()

    async def _cut(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    async def _set(self, frozen: bool, parted: bool) -> None:
        self._parted = parted
        for link in self._links:
            link.clear() if frozen else link.set()

    async def _open(self) -> int:
        self._server = await asyncio.start_server(self._join, "127.0.0.1")
        return int(self._server.sockets[0].getsockname()[1])

    async def _close(self) -> None:
        self._server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _join(self, near: asyncio.StreamReader, to_near: asyncio.StreamWriter) -> None:
        try:
            far, to_far = await asyncio.open_connection(self._target.hostname, self._target.port)
        except OSError:  # nobody is there
            to_near.transport.abort()
            return
        link = asyncio.Event()
        if not self._parted:
            link.set()
        self._links.append(link)
        writers = {to_near, to_far}
        self._writers |= writers
        try:
            await asyncio.gather(_pass_on(near, to_far, link), _pass_on(far, to_near, link))
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            self._links.remove(link)
            self._writers -= writers
            for writer in writers:
                writer.transport.abort()


async def _pass_on(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, link: asyncio.Event
) -> None:
    while words := await reader.read(65_536):
        await link.wait()
        writer.write(words)
        await writer.drain()
    await link.wait()
    with suppress(OSError):
        writer.write_eof()
