"""What the API answers about correspondence."""

from pydantic import Field

from skerry.server.web.answers import Answer


class VacationShown(Answer):
    """A vacation, during which clocks by days stand still."""

    until: int | None = Field(description="when it ends; null if you are not on vacation")
    left: int = Field(description="days that are left")
    year: int = Field(description="days in any 12 months")
