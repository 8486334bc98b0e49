"""The ladder: real games, rated as matches are, and kept until another one ends."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from server.serving import SEATS, Bot, Game, Host, LocalServer, Server
from skerry.lab.stats.ratings import rate
from skerry.lab.stats.results import Played
from skerry.server.bots.answers import LadderShown
from skerry.server.bots.ladder import ANCHOR, MOST_BOTS, rank

LEVELS = [f"level:{level}" for level in range(1, 11)]


def resign(bot: Bot, game: Game) -> None:
    seen = bot.look(game)
    body = {"version": seen["version"], "action": "resign"}
    assert bot.post(f"{game.path}/actions", **body).status_code == 200


def play_out(bot: Bot, game: Game, chooser: random.Random) -> dict[str, Any]:
    """Play as told, by chance, to the end of the game."""
    for event in bot.events():
        if event["id"] != game.id:
            continue
        if event["type"] == "end":
            return event
        if event["type"] == "turn":
            body = {"version": event["version"], "move": chooser.choice(event["legal"])}
            assert bot.post(f"{game.path}/moves", **body).status_code == 200
    raise AssertionError


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Host]:
    """A server on which nobody else is rated."""
    with LocalServer(tmp_path) as running:
        yield running


def test_a_ladder_of_real_games(own: Host) -> None:
    path = "/api/ladder/skew"
    empty = own.client.get(path).json()
    assert [player["name"] for player in empty["players"]] == LEVELS
    assert all(player["elo"] is None for player in empty["players"])
    one, other, lonely = (own.make_bot(name) for name in ("One", "Other", "Lonely"))
    chooser = random.Random(1)
    played = []
    for _ in range(2):
        game = one.begin("skew", options={}, opponents=["level:1"])
        end = play_out(one, game, chooser)
        played.append(Played(("bot:One", "level:1"), tuple(end["outcome"]["returns"])))
        shown = own.client.get(path).json()
        assert shown["games"] == len(played)  # not what was kept before
    game = one.begin("skew", options={}, opponents=["open"])
    assert other.join(game).status_code == 200
    resign(one, game)
    played.append(Played(("bot:One", "bot:Other"), (-1.0, 1.0)))
    # Not rated: another board, a person, nobody who came.
    for choices in ({}, {"options": {}, "opponents": ["person"]}, {"opponents": ["open"]}):
        resign(lonely, lonely.begin("skew", **choices))
    shown = own.client.get(path).json()
    LadderShown.model_validate(shown)
    assert shown["games"] == 3
    expected = {r.player: r for r in rate([(one,) for one in played]).table(ANCHOR)}
    by_name = {player["name"]: player for player in shown["players"]}
    assert set(by_name) == {"One", "Other", *LEVELS}
    for name, player in (("One", "bot:One"), ("Other", "bot:Other"), ("level:1", "level:1")):
        assert by_name[name]["elo"] == pytest.approx(expected[player].elo, abs=0.06)
        assert by_name[name]["margin"] == pytest.approx(expected[player].margin, abs=0.06)
    assert by_name["level:1"]["elo"] == by_name["level:1"]["margin"] == 0
    assert by_name["level:5"]["elo"] is None
    assert (by_name["Other"]["games"], by_name["Other"]["points"]) == (1, 1)
    ratings = [player["elo"] for player in shown["players"] if player["elo"] is not None]
    assert ratings == sorted(ratings, reverse=True)
    page = own.client.get("/ladder/skew").text
    assert ">One</a>" in page
    assert "3 rated games" in own.client.get("/ladder").text


@pytest.mark.parametrize("name", sorted(SEATS))
def test_every_game_has_a_ladder(server: Server, name: str) -> None:
    bot = server.make_bot(f"Climber of {name}")
    before = server.client.get(f"/api/ladder/{name}").json()["games"]
    game = bot.begin(name, options={}, opponents=["level:1"] * (SEATS[name] - 1))
    resign(bot, game)
    shown = server.client.get(f"/api/ladder/{name}").json()
    assert shown["games"] == before + 1
    mine = next(player for player in shown["players"] if player["name"] == bot.name)
    assert mine["points"] == 0
    assert mine["elo"] < 0
    assert bot.name in server.client.get(f"/ladder/{name}").text


def test_no_other_game_has_one(server: Server) -> None:
    assert server.client.get("/api/ladder/chess").status_code == 404
    assert server.client.get("/ladder/chess", headers={"accept": "text/html"}).status_code == 404


def test_whoever_leads_nowhere_is_listed_without_a_rating() -> None:
    played = [
        Played(("bot:a", "level:1"), (1.0, -1.0)),
        Played(("bot:b", "bot:a"), (0.0, 0.0)),
        Played(("bot:c", "level:4"), (1.0, -1.0)),
    ]
    found = {standing.player: standing for standing in rank(played, LEVELS)}
    assert {name for name, one in found.items() if one.elo is not None} == {
        "bot:a",
        "bot:b",
        "level:1",
    }
    assert (found["bot:c"].games, found["bot:c"].points) == (1, 1.0)
    assert list(found)[:2] == ["bot:a", "bot:b"]
    assert [standing.games for standing in rank([], LEVELS)] == [0] * len(LEVELS)


def test_a_crowd_of_bots_is_cut_to_those_who_play_most() -> None:
    crowd = [f"bot:{number}" for number in range(MOST_BOTS + 10)]
    played = [Played((name, "level:1"), (1.0, -1.0)) for name in crowd[:-1] for _ in range(2)]
    found = rank([*played, Played((crowd[-1], "level:1"), (1.0, -1.0))], LEVELS)
    names = {standing.player for standing in found}
    assert len(names) == MOST_BOTS + len(LEVELS)
    assert crowd[-1] not in names


def test_three_seats_share_what_is_left_by_whoever_resigns() -> None:
    played = [Played(("bot:a", "level:1", "level:2"), (-1.0, 0.5, 0.5))] * 4
    found = {standing.player: standing for standing in rank(played, LEVELS)}
    assert found["level:1"].points == found["level:2"].points == 2
    assert (found["bot:a"].elo or 0) < 0
    assert found["level:2"].elo == pytest.approx(0)
