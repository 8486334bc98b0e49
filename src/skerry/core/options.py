"""Options of a game: what may be chosen, within which bounds, and what it means."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from skerry.core.errors import OptionsError, shorten


@dataclass(frozen=True)
class Option:
    """A whole number a game can be set up with."""

    name: str
    default: int
    low: int
    high: int
    meaning: str

    @property
    def allowed(self) -> str:
        """The bounds in words."""
        return f"a whole number from {self.low} to {self.high}"


def settle(game: str, options: Sequence[Option], chosen: Mapping[str, object]) -> dict[str, int]:
    """The value of every option, or an OptionsError that says what is allowed."""
    unknown = [name for name in chosen if name not in {option.name for option in options}]
    if unknown:
        names = ", ".join(option.name for option in options)
        raise OptionsError(f"{game} has no option {shorten(unknown[0])}; there is {names}")
    settled = {}
    for option in options:
        value = chosen.get(option.name, option.default)
        whole = isinstance(value, int) and not isinstance(value, bool)
        if not whole or not option.low <= value <= option.high:  # type: ignore[operator]
            raise OptionsError(
                f"{game}: {option.name} must be {option.allowed}, not {shorten(value)}"
            )
        settled[option.name] = value
    return settled  # type: ignore[return-value]
