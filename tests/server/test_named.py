"""Engines that an operator names: visitors choose them by name, and can name nothing else."""

from pathlib import Path

import pytest

import skerry
from server.serving import TINY, LocalServer
from skerry.server.play.engines import check_engine, find_named
from skerry.server.settings import Settings
from skerry.server.workers.thinking import ask_program
from support.bots import FIRST, write_bot
from support.running import complaints, run

BAD = "go) echo /etc/secret >&2; exit 3;;"


def test_visitors_play_with_them_by_name(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    bot = write_bot(tmp_path, f"skerry) echo started >> {heard}; echo ready;; {FIRST}")
    text = Path(bot).read_text().replace('skerry) echo "ready test";;', "", 1)
    Path(bot).write_text(text)
    with LocalServer(tmp_path, engine=f"MyBot=cmd:{bot}; other=random") as server:
        page = server.client.get("/").text
        assert '<option value="mybot" data-thinking="Takes its own time">Mybot</option>' in page
        assert bot not in page
        game = server.make("skew", seats=["person", "mybot"])
        seen = game.look()
        assert seen["seats"][1]["kind"] == "mybot"
        assert seen["seats"][1]["name"] == "Mybot"
        while seen["to_move"] is not None:
            game.play()
            seen = game.until(lambda g: g["to_move"] in (0, None))
        assert seen["outcome"]
        assert heard.read_text() == "started\n"  # once, for all moves
        assert server.make("x", seats=["mybot", "other", "mybot"]).until(lambda g: g["outcome"])


@pytest.mark.parametrize("kind", ["cmd:cat", "cmd:{bot}", "mybots:Greedy", "bad=cmd:cat", "Bad2"])
def test_visitors_can_give_no_command(tmp_path: Path, kind: str) -> None:
    bot = write_bot(tmp_path, f"skerry) touch {tmp_path}/ran;;")
    settings = Settings(engine=f"bad=cmd:{bot}")
    with pytest.raises(skerry.OptionsError, match="use person, random, bad, or level:1"):
        check(kind.replace("{bot}", bot), settings)
    assert not (tmp_path / "ran").exists()


def check(kind: str, settings: Settings) -> str:

    return check_engine(kind, settings.top_level, find_named(settings))


def test_one_that_fails_loses_and_the_game_says_why(tmp_path: Path) -> None:
    engine = f"bad=cmd:{write_bot(tmp_path, BAD)}"
    with LocalServer(tmp_path, engine=engine) as server:
        game = server.make("skew", seats=["person", "bad"])
        game.play()
        seen = game.until(lambda g: g["outcome"])
        reason = "Second forfeits: it ended with exit code 3: First wins"
        assert seen["outcome"]["reason"] == reason  # and nothing of what it said itself
        record = server.client.get(f"/api/games/{game.id}/record").text
        assert f'[Termination "{reason}"]' in record
        assert "1-0" in record
        # Of three, an engine plays on for it.
        three = server.make("x", seats=["bad", "person", "person"])
        seen = three.until(lambda g: g["ply"] == 1)
        assert seen["seats"][0]["left"] == "Bad"
        assert seen["seats"][0]["kind"] == "level:3"
        # Nobody else is harmed.
        other = server.make("skew", seats=["person", "level:1"])
        other.play()
        assert other.until(lambda g: g["ply"] == 2)
        response = server.client.post(
            "/api/games", json={"game": "skew", "options": TINY["skew"], "seats": ["person", "no"]}
        )
        assert response.status_code == 422
        assert "use person, random, bad, or level:1 to level:10" in response.json()["error"]


def test_an_object_plays_in_a_process_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that ends it loses its game; the process that serves all others goes on."""
    (tmp_path / "objects.py").write_text(
        "import os\n\nclass Moody:\n    def choose(self, state):\n"
        "        return state.legal_moves()[0] if state.to_move else os._exit(7)\n"
    )
    monkeypatch.chdir(tmp_path)
    small = (("size", 2),)
    first = int(skerry.make("x", size=2).position("r1/2 y").legal_actions()[0])
    assert ask_program("x", small, "r1/2 y", "objects:Moody") == (first, "", "")
    assert ask_program("x", small, "2/2 r", "objects:Moody") == (
        None,
        "it ended with exit code 7",
        "",
    )


def test_one_that_is_not_offered_any_more_loses(tmp_path: Path) -> None:
    good = f"good=cmd:{write_bot(tmp_path)}"
    with LocalServer(tmp_path, engine=good) as server:
        game = server.make("skew", seats=["person", "good"])
    with LocalServer(tmp_path) as server:
        game.server = server
        game.play()
        reason = game.until(lambda g: g["outcome"])["outcome"]["reason"]
        assert reason == "Second forfeits: good does not play here any more: First wins"


@pytest.mark.parametrize(
    ("engine", "complaint"),
    [
        ("mybot", "is not NAME=PLAYER"),
        ("person=random", "is not NAME=PLAYER"),
        ("a=random;a=random", "is not NAME=PLAYER"),
        ("a b=random", "is not NAME=PLAYER"),
        ("a=", "is not NAME=PLAYER"),
        ("a=cmd:./gone", "--engine a: there is no program './gone'"),
        ("a=nobody", "--engine a: there is no player 'nobody'"),
    ],
)
def test_operators_are_told_what_is_wrong(tmp_path: Path, engine: str, complaint: str) -> None:
    result = run("serve", "--engine", engine, "--database", str(tmp_path / "db"), "--port", "0")
    assert result.exit_code == 2
    assert complaint in complaints(result.stderr)[0]
