"""The protocol of a connection: uvicorn's, with the limits that it has not."""

import asyncio
import json
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from skerry.core.texts import N_
from skerry.server.door.register import BODY_TIME, HEAD_TIME, Door
from skerry.server.web.access import visitor_of

LONGEST_ADDRESS = 16_384  # bytes; what is longer belongs in a body
LARGEST_HEAD = 32_768  # bytes of the address and all headers
SLOW = N_("the request was not sent in time; try again")
CROWDED = N_("too many connections; close some pages, and try again in a moment")


class GuardedProtocol(HttpToolsProtocol):
    """One connection, which waits at the door whenever it is not us who are to do something."""

    def __init__(self, *arguments: Any, door: Door, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._door = door
        self._in_head = True  # of the first request, or of the next
        self._head = 0  # bytes of it so far
        self._refused = False
        self.visitor = ""

    # What the transport tells

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.visitor = visitor_of(self.client[0] if self.client else None)
        if not self._door.admit(self, len(self.connections) - 1):
            self._refuse(503, CROWDED)

    def connection_lost(self, exc: Exception | None) -> None:
        self._door.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        if self._in_head:
            self._head += len(data)
        super().data_received(data)
        if self._in_head and self._head > LARGEST_HEAD and not self._refused:
            self._refuse(431, N_(f"the head of a request has at most {LARGEST_HEAD} bytes"))

    def pause_writing(self) -> None:
        super().pause_writing()
        self._door.stall(self)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._door.flow(self)

    def handle_websocket_upgrade(self) -> None:
        self._door.leave(self)  # live connections have a limit of their own
        if not self._refused:
            super().handle_websocket_upgrade()

    # What the parser tells

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if not self._is_busy and not self._door.is_waiting(self):
            self._door.wait(self, HEAD_TIME)

    def on_headers_complete(self) -> None:
        self._in_head, self._head = False, 0
        # Beside a name and a value there are a colon, a space and the end of the line.
        size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if len(self.url) > LONGEST_ADDRESS:
            self._refuse(414, N_(f"an address has at most {LONGEST_ADDRESS} bytes"))
        elif size > LARGEST_HEAD:
            self._refuse(431, N_(f"the head of a request has at most {LARGEST_HEAD} bytes"))
        else:
            self._door.wait(self, BODY_TIME)
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        if not self._refused:
            super().on_body(body)

    def on_message_complete(self) -> None:
        self._in_head = True
        if self._refused:
            return
        super().on_message_complete()
        if self._is_busy:
            self._door.serve(self)
        else:  # it was answered before it was complete
            self._door.wait(self, HEAD_TIME)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._in_head and not self.pipeline and not self.transport.is_closing():
            self._door.wait(self, self.timeout_keep_alive + HEAD_TIME)

    # What the door tells

    @property
    def _is_busy(self) -> bool:
        """Whether an answer is being given."""
        return self.cycle is not None and not self.cycle.response_complete

    @property
    def is_held_up(self) -> bool:
        return self.flow.read_paused

    def expire(self) -> None:
        may_say = not self._is_busy or not self.cycle.response_started
        if may_say and (self._head > 0 or not self._in_head):
            self._refuse(408, SLOW)
        else:  # they have sent nothing, or would take it for a part of the answer
            self.transport.close()

    def abort(self) -> None:
        self.transport.abort()

    def _refuse(self, status: int, why: str) -> None:
        """Say why, and hang up."""
        self._refused = True
        body = json.dumps({"error": why}).encode()
        head = (
            f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()
