"""``skerry engine``: analysis for other programs, over the standard input and output."""

import os
import sys
from collections.abc import Callable
from threading import Thread
from typing import Annotated

import typer

from skerry.cli.common.parameters import NetFile, number_option
from skerry.cli.common.setup import INTERRUPTED, compile_notice
from skerry.cli.shell import READER_LEFT
from skerry.core.errors import OptionsError
from skerry.search.limits import MOST_NODES

CHUNK = 2**16
LEAVING_TIME = 1.0  # seconds for workers to notice that nobody wants their answers

Workers = Annotated[
    int | None,
    number_option(
        "--workers", "Positions searched at a time; by default, one for each core.", 1, 1024
    ),
]
Queue = Annotated[
    int,
    number_option("--queue", "Queries that may wait or run; more are refused as busy.", 1, 10**6),
]
Nodes = Annotated[
    int,
    number_option("--nodes", "Most nodes of a search, about 90 bytes each.", 1000, MOST_NODES),
]
StopAtEnd = Annotated[
    bool,
    typer.Option("--stop-at-end", help="Stop all searches when the input ends."),
]


def engine(
    workers: Workers = None,
    queue: Queue = 1000,
    nodes: Nodes = 1_000_000,
    net: NetFile = None,
    stop_at_end: StopAtEnd = False,
) -> None:
    """Answer queries from other programs: one JSON object on each line.

    Several queries are searched at a time, and each answer is written as soon as it is known. When
    the input ends, the engine answers what is left and exits. docs/library/engine.md explains the
    protocol.

    \b
    Examples:
      echo '{"id": "a", "game": "skew", "simulations": 1000}' | skerry engine
      skerry engine --workers 4 --queue 100
    """
    from skerry.protocol.dispatcher import Dispatcher

    read = _reader()
    with compile_notice("what is asked for"):
        dispatcher = Dispatcher(_write_line, workers or os.cpu_count() or 1, queue, nodes, net)
        # A thread that waits for input would keep the engine from leaving when the output breaks.
        Thread(target=dispatcher.listen, args=(read, stop_at_end), daemon=True).start()
        try:
            dispatcher.wait()
        except BaseException as error:
            # Nobody waits for answers any more. Leaving in good order would take as long as
            # whoever is compiling, or for ever if a full pipe has to take a line first.
            if not dispatcher.abandon(error, LEAVING_TIME):
                os._exit(INTERRUPTED if isinstance(error, KeyboardInterrupt) else READER_LEFT)
            raise


def _reader() -> Callable[[], bytes]:
    """Reads what there is of the standard input, without the locks that would outlive a thread."""
    if sys.stdin is None:
        raise OptionsError("standard input is closed: pipe queries into it")
    stream = sys.stdin.buffer
    try:
        descriptor = stream.fileno()
    except OSError:  # not a file, as in tests
        return lambda: stream.read(CHUNK)
    return lambda: os.read(descriptor, CHUNK)


def _write_line(line: bytes) -> None:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
