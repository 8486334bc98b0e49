"""What a net is made of: how large it is, and the names and sizes of its weights."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace

PAIR = 2  # seats: between so many nobody is told who the other is
HEAD = 32  # channels of what leads to the policy, and of what leads to the outlook


@dataclass(frozen=True)
class Shape:
    """How large a net is, and what it takes and gives."""

    planes: int  # what may stand on a cell
    facts: int  # numbers about the game as a whole
    ways: int  # actions per cell
    extras: int  # actions of no cell
    seats: int
    channels: int = 64
    blocks: int = 6

    def write(self) -> dict[str, int]:
        return asdict(self)

    @property
    def without_strangers(self) -> "Shape":
        """The shape of a net that is not told who is a stranger, and otherwise the same: one of
        all zeros for that says what it says."""
        return replace(self, facts=self.facts - count_flags(self.seats))

    def list_weights(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """The weights that playing takes, in the order in which files have them."""
        c = self.channels
        yield from _layer("enter", c, pad(self.planes + 1), 3, 3)
        yield from _layer("told", c, self.facts)
        for number in range(self.blocks):
            yield from _layer(f"blocks.{number}.first", c, c, 3, 3)
            yield from _layer(f"blocks.{number}.second", c, c, 3, 3)
            if hears(number):
                yield from _layer(f"blocks.{number}.hears", c, 2 * c)
        yield from _layer("policy_in", HEAD, c, 1, 1)
        yield from _layer("policy_hears", HEAD, 2 * HEAD)
        yield from _layer("policy_out", self.ways, HEAD, 1, 1)
        yield from _layer("policy_extras", max(1, self.extras), 2 * HEAD)
        yield from _layer("outlook_in", HEAD, c, 1, 1)
        yield from _layer("outlook_inner", 2 * HEAD, 2 * HEAD)
        yield from _layer("outlook_out", self.seats + 1, 2 * HEAD)


def _layer(name: str, outputs: int, *inputs: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    yield f"{name}.weight", (outputs, *inputs)
    yield f"{name}.bias", (outputs,)


def count_flags(seats: int) -> int:
    """How many facts tell who is a stranger: one for every seat of three or more. Between two, best
    play is good against anybody."""
    return seats if seats > PAIR else 0


def hears(number: int) -> bool:
    """Whether a block hears of the whole board: every other one does."""
    return number % 2 == 1


def pad(channels: int) -> int:
    """So many channels as GPUs like: a whole number of eights."""
    return -(-channels // 8) * 8
