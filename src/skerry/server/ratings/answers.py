"""What the API answers about ratings."""

from typing import Literal

from pydantic import Field

from skerry.server.web.answers import Answer


class RatingShown(Answer):
    """What is known of somebody's strength in a game, by Glicko-2 on Elo's scale."""

    entrant: str = Field(description="person:ID, bot:NAME or level:N", examples=["level:3"])
    rating: float
    deviation: float = Field(description="its standard error, which grows while nobody plays")
    margin: float = Field(description="half the width of the 95 % interval")
    elo: float = Field(description="the rating above that of level 1, which has 1000")
    provisional: bool = Field(description="whether it is known but roughly")
    anchored: bool = Field(
        description="whether it was measured beforehand, and games do not move it"
    )
    games: int
    points: float
    updated: int | None = Field(description="when the last rated game ended")


class PlayerRated(RatingShown):
    name: str
    kind: Literal["person", "bot", "level"]
    rank: int | None = Field(description="null for levels, and while a rating is provisional")


class LadderShown(Answer):
    """A page of everybody who is rated, the best first."""

    game: str
    title: str
    games: int
    players: list[PlayerRated]
    after: int | None = Field(description="where the next page begins")


class GameRating(RatingShown):
    game: str
    title: str


class EntrantShown(Answer):
    """Somebody's ratings in all games that they were rated in."""

    entrant: str
    name: str
    url: str
    ratings: list[GameRating]


class PointShown(Answer):
    """A rating after a game."""

    at: int
    id: str = Field(description="of the game")
    rating: float
    deviation: float
    number: int = Field(description="of the rated games, from 1")


class HistoryShown(Answer):
    """How a rating came about, the oldest game first; of very many, evenly chosen ones."""

    entrant: str
    name: str
    game: str
    title: str
    points: list[PointShown]
