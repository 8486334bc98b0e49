"""A mail server on loopback, which keeps what it is given or does not take it."""

import asyncio
import base64
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import Message
from queue import Queue
from threading import Thread


class Postbox:
    """An SMTP server in a thread: ``mails`` are those that it took.

    ``refusals`` are answered in the place of taking the next mails, each once; "hang up" ends the
    conversation. With a ``password`` nobody may send who does not give it.
    """

    def __init__(self, password: str | None = None) -> None:
        self.mails: Queue[tuple[list[str], Message]] = Queue()
        self.refusals: list[str] = []
        self.attempts = 0
        self._password = password

    @contextmanager
    def listening(self) -> Iterator[int]:
        """The port on which it listens."""
        loop = asyncio.new_event_loop()
        server = loop.run_until_complete(asyncio.start_server(self._talk, "127.0.0.1", 0))
        thread = Thread(target=loop.run_forever)
        thread.start()
        try:
            yield server.sockets[0].getsockname()[1]
        finally:

            async def end() -> None:
                server.close()
                others = asyncio.all_tasks() - {asyncio.current_task()}
                for task in others:
                    task.cancel()
                await asyncio.gather(*others, return_exceptions=True)

            asyncio.run_coroutine_threadsafe(end(), loop).result()
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        recipients: list[str] = []
        known = self._password is None
        try:
            writer.write(b"220 postbox\r\n")
            while line := (await reader.readline()).decode().strip():
                verb, _, rest = line.partition(" ")
                verb = verb.upper()
                answer = "250 fine"
                if verb == "EHLO":
                    answer = "250-postbox\r\n250 AUTH PLAIN"
                elif verb == "AUTH":
                    given = base64.b64decode(rest.split()[-1]).decode().split("\0")
                    known = given[2] == self._password
                    answer = "235 welcome" if known else "535 who are you"
                elif verb == "MAIL" and not known:
                    answer = "530 sign in first"
                elif verb == "MAIL":
                    self.attempts += 1
                    if self.refusals:
                        answer = self.refusals.pop(0)
                        if answer == "hang up":
                            return
                elif verb == "RCPT":
                    recipients.append(rest.partition(":")[2].strip("<>"))
                elif verb == "DATA":
                    writer.write(b"354 go on\r\n")
                    content = (await reader.readuntil(b"\r\n.\r\n"))[:-3]
                    mail = message_from_bytes(content.replace(b"\r\n.", b"\r\n"))
                    self.mails.put((recipients, mail))
                    recipients = []
                elif verb == "QUIT":
                    writer.write(b"221 bye\r\n")
                    return
                writer.write(f"{answer}\r\n".encode())
                await writer.drain()
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()


def read_text(message: Message) -> str:
    """The text of a mail."""
    content = message.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode(str(message.get_content_charset()))
