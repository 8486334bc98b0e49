"""What other distributions add to skerry: found by their entry points, once somebody asks.

A distribution that is broken must not break skerry: whoever asks is told in one line, and does
without it.
"""

from collections.abc import Callable, Container
from importlib.metadata import entry_points
from typing import TypeVar

from skerry.core.errors import warn

T = TypeVar("T")


def load_plugins(
    group: str, check: Callable[[str, object], T], taken: Container[str] = ()
) -> dict[str, T]:
    """All that the distributions installed here have in a group, by name.

    ``check`` is given the name and the object of each entry point, and returns what is to be kept
    of it; what it raises is the reason why the object is left out. Names that are ``taken`` are
    never imported.
    """
    found: dict[str, T] = {}
    owners: dict[str, str] = {}
    points = ((_name_distribution(point), point) for point in entry_points(group=group))
    for owner, point in sorted(points, key=lambda pair: (pair[1].name, pair[0], pair[1].value)):
        try:
            if point.name in taken:
                raise ValueError("skerry has one of that name; choose another")
            if point.name in found:
                raise ValueError(f"{owners[point.name]} has one of that name")
            found[point.name] = check(point.name, point.load())
            owners[point.name] = owner
        except (Exception, SystemExit) as error:  # whatever the code of others may raise
            warn(f"{point.name!r} of {owner} in {group} is left out: {_tell_cause(error)}")
    return found


def _name_distribution(point: object) -> str:
    distribution = getattr(point, "dist", None)
    if distribution is None:
        return "an unknown distribution"
    return f"{distribution.metadata['Name']} {distribution.version}"


def _tell_cause(error: BaseException) -> str:
    """What went wrong, on one line; an error of ours needs no name."""
    said = " ".join(str(error).split())
    name = type(error).__name__
    if isinstance(error, ValueError) and said:
        return said
    return f"{name}: {said}" if said else name
