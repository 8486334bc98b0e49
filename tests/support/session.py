"""A real engine on the other side of two pipes."""

import json
import subprocess
import sys
import threading
from typing import Any

from support.running import COMMAND, PLAIN_TERMINAL

Answer = dict[str, Any]
PATIENCE = 300  # seconds; only a hanging engine comes near


class Session:
    """An engine that is talked to line by line; ends with the block."""

    def __init__(self, *arguments: str, **settings: Any) -> None:
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        self.process = subprocess.Popen(
            [*COMMAND, "engine", *arguments], **{"env": PLAIN_TERMINAL, **pipes, **settings}
        )
        # Whoever waits for an engine that hangs hears the end of its output instead of nothing.
        self.watchdog = threading.Timer(PATIENCE, self.process.kill)
        self.watchdog.daemon = True
        self.watchdog.start()

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_: object) -> None:
        self.watchdog.cancel()
        self.process.kill()
        self.process.communicate()

    def send(self, content: object) -> None:
        self.send_bytes(json.dumps(content).encode() + b"\n")

    def send_bytes(self, content: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(content)
        self.process.stdin.flush()

    def hear(self) -> Answer:
        """The next answer; blocks until there is one."""
        assert self.process.stdout is not None
        return read_answer(self.process.stdout.readline())

    def hear_until(self, **wanted: Any) -> list[Answer]:
        """The answers up to the first with these fields."""
        heard = [self.hear()]
        while any(heard[-1].get(key) != value for key, value in wanted.items()):
            heard.append(self.hear())
        return heard

    def end(self) -> tuple[list[Answer], str, int]:
        """Close the input: what is answered still, what stderr says, and the exit code."""
        said, complaint = self.process.communicate(timeout=PATIENCE)
        answers = [read_answer(line) for line in said.splitlines(keepends=True)]
        return answers, complaint.decode(), self.process.returncode


def read_answer(line: bytes) -> Answer:
    """An answer is a whole line of plain ASCII."""
    assert line.endswith(b"\n"), line
    assert line.isascii()
    content = json.loads(line, parse_constant=lambda text: sys.exit(f"{text} in an answer"))
    assert isinstance(content, dict)
    return content
