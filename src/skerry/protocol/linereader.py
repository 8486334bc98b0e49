"""Lines out of a stream of bytes, in bounded memory whatever comes."""

from collections.abc import Callable, Iterator


def iterate_lines(read: Callable[[], bytes], longest: int) -> Iterator[bytes | None]:
    """The lines of a stream without their ends; None stands for one that is too long.

    ``read`` gives some bytes as soon as there are any, and none at the end of the stream. The rest
    of a line that is too long is skipped without being kept.
    """
    held = bytearray()
    skipping = False
    while chunk := read():
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            held += piece
            yield None if skipping or len(held) > longest else bytes(held)
            held.clear()
            skipping = False
        held += rest
        if len(held) > longest:
            held.clear()
            skipping = True
    if held or skipping:
        yield None if skipping else bytes(held)
