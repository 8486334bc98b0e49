"""What the API answers about running a club."""

from typing import Any

from pydantic import Field

from skerry.server.web.answers import Answer


class AnnouncementShown(Answer):
    """A sentence or two for everybody; `until` is null if its time is not limited."""

    id: str
    text: str = Field(examples=["The server moves house on Sunday at noon."])
    at: int
    until: int | None


class Announced(Answer):
    """What all pages announce, or null."""

    announcement: AnnouncementShown | None


class NoteShown(Answer):
    """A deed in the audit log."""

    n: int = Field(description="the number of the note")
    at: int
    actor: str = Field(examples=["person:Qm3x0a", "console:ann"])
    deed: str = Field(examples=["mute"])
    about: str = Field(examples=["person:Qm3x0a", "server"])
    details: dict[str, Any]
