"""The shapes of requests that several subjects share."""

from typing import Annotated
from urllib.parse import parse_qsl

from fastapi import Depends, Request
from pydantic import BaseModel, ConfigDict, Field, StrictInt

from skerry.core.errors import OptionsError, shorten
from skerry.server.web.errors import Refusal

LARGEST_SEED = 2**63 - 1
MOST_MOVES = 2000
LONGEST_PATH = 16  # targets that one choice may name
MOST_FIELDS = 20  # of a form

Text = Annotated[str, Field(max_length=2000)]
Word = Annotated[str, Field(max_length=100)]
Options = Annotated[dict[Text, StrictInt], Field(default_factory=dict, max_length=32)]
Seed = Annotated[StrictInt, Field(ge=0, le=LARGEST_SEED)] | None


async def _read_form(request: Request) -> dict[str, str]:
    """What a form of a page sends without scripts; of fields with one name the last."""
    text = (await request.body()).decode("utf-8", "replace")
    try:
        return dict(parse_qsl(text, max_num_fields=MOST_FIELDS))
    except ValueError:
        raise Refusal("a form has fewer fields than that") from None


Form = Annotated[dict[str, str], Depends(_read_form)]


class Body(BaseModel):
    """JSON that a request sends; fields that we do not know are refused."""

    model_config = ConfigDict(extra="forbid")


class Name(Body):
    name: Text


class SeatNumber(Body):
    seat: StrictInt


class Trial(Body):
    """Moves on any board: where they start, by default as the game does, and what is played."""

    game: Text
    options: Options
    start: Text | None = None
    seed: Seed = None
    moves: list[Word] = Field(default_factory=list, max_length=MOST_MOVES)
    theme: Word = "light"
    turned: bool = False
    live: Annotated[bool, Field(description="as players see it, with what counts")] = False


def split(text: str) -> list[str]:
    """The parts of a text between commas."""
    return [part.strip() for part in text.split(",") if part.strip()]


def read_options(text: str) -> dict[str, int]:
    """Options as they stand in an address, such as ``side=5,pegs=24``."""
    options = {}
    for part in split(text.replace(" ", ",")):
        name, _, value = part.partition("=")
        if not value.isascii() or not value.isdigit() or len(value) > 9:
            raise OptionsError(
                f"{shorten(part)} is not an option; write for example side=5,pegs=24"
            )
        options[name.strip()] = int(value)
    return options
