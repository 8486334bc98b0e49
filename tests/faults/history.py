"""What clients have asked of a server, and what they were told."""

from dataclasses import dataclass, field
from enum import Enum

CREATE, LOOK, MOVE, SAY, SAVE = "create", "look", "move", "say", "save"


class Fate(Enum):
    """What a client knows of something that it has asked for."""

    ACKNOWLEDGED = "acknowledged"
    REFUSED = "refused"  # it was not done
    UNKNOWN = "unknown"  # the connection was lost, or the database did not answer


@dataclass(frozen=True)
class Sight:
    """A game, or a study, as somebody saw it; the moves of a study are its comments."""

    version: int
    moves: tuple[str, ...] = ()
    over: bool = False
    chat: tuple[str, ...] = ()


@dataclass(frozen=True)
class Deed:
    """Something that a client has asked for. Times are those of one clock that never jumps."""

    kind: str  # CREATE, LOOK, MOVE, SAY, SAVE, or the name of an action such as "resign"
    place: str  # the id of a game or a study
    asked: float
    answered: float
    status: int | None = None  # of the answer; None if there was none
    base: int | None = None  # the version that it was meant for
    content: str = ""  # a move, or what was said
    sight: Sight | None = None  # what the answer showed

    @property
    def fate(self) -> Fate:
        if self.status is None or self.status >= 500:
            return Fate.UNKNOWN
        return Fate.ACKNOWLEDGED if self.status < 300 else Fate.REFUSED


@dataclass
class Place:
    """A game or a study that a server has acknowledged."""

    id: str
    secrets: tuple[str | None, ...]
    seats: int = 0
    engines: bool = False  # whether some moves are nobody's deed
    is_study: bool = False

    @property
    def path(self) -> str:
        return f"/api/{'studies' if self.is_study else 'games'}/{self.id}"

    @property
    def header(self) -> dict[str, str]:
        """That of somebody who holds all seats."""
        return {"X-Seat": ",".join(filter(None, self.secrets))}


@dataclass
class History:
    """All of it. ``heard`` is what viewers saw over live connections, by viewer, in order."""

    places: dict[str, Place] = field(default_factory=dict)
    deeds: list[Deed] = field(default_factory=list)
    heard: dict[str, list[tuple[str, Sight]]] = field(default_factory=dict)
    acknowledged: int = 0  # changes, without what was only looked at

    def note(self, deed: Deed) -> None:
        self.deeds.append(deed)
        if deed.fate is Fate.ACKNOWLEDGED and deed.kind != LOOK:
            self.acknowledged += 1
