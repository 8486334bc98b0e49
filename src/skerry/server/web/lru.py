"""An LRU cache: what was used last is kept, and what was used longest ago makes room."""

from collections import OrderedDict
from collections.abc import Callable, ItemsView, ValuesView
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """At most ``size`` values by their keys. Reading or writing a value makes it the newest.

    With ``weigh`` the size is what all values may weigh together, such as bytes. A value that is
    heavier than that is not kept.
    """

    def __init__(self, size: int, weigh: Callable[[Value], int] = lambda _: 1) -> None:
        self._size = size
        self._weigh = weigh
        self.weight = 0
        self._kept: OrderedDict[Key, Value] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def __contains__(self, key: Key) -> bool:
        return key in self._kept

    def __setitem__(self, key: Key, value: Value) -> None:
        self.pop(key)
        self._kept[key] = value
        self.weight += self._weigh(value)
        while self.weight > self._size:
            _, oldest = self._kept.popitem(last=False)
            self.weight -= self._weigh(oldest)

    def get(self, key: Key) -> Value | None:
        """A value; None if it is not kept."""
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key]

    def pop(self, key: Key) -> Value | None:
        """Forget a value, which is returned; None if it was not kept."""
        if key not in self._kept:
            return None
        value = self._kept.pop(key)
        self.weight -= self._weigh(value)
        return value

    def clear(self) -> None:
        self._kept.clear()
        self.weight = 0

    def items(self) -> ItemsView[Key, Value]:
        """All of them, the one used longest ago first."""
        return self._kept.items()

    def values(self) -> ValuesView[Value]:
        return self._kept.values()
