"""The other side of the line protocol: lets any agent be a program.

    python -m skerry.agents.host mybots:Greedy

plays as that agent in a process of its own: whatever it does there, nobody else is harmed.
"""

import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from typing import Any, TextIO

from skerry.agents.dialogue import ERROR, FAREWELL, GREETING, READY
from skerry.agents.python import AgentPlayer, check_agent, find_agent
from skerry.core.errors import OptionsError, SkerryError
from skerry.core.game import Game
from skerry.core.options import read_options
from skerry.core.state import State
from skerry.games import kind
from skerry.records.tree import share_game

USAGE = "say whom to host: python -m skerry.agents.host module:attribute"


def serve(agent: Any, source: TextIO | None = None, target: TextIO | None = None) -> None:
    """Choose moves as an agent for whoever asks over the standard input, until it ends.

    What the agent prints goes to the standard error: it is no answer.
    """
    check_agent(type(agent).__name__, agent)
    host = _Host(AgentPlayer(agent, type(agent).__name__))
    out = sys.stdout if target is None else target
    with redirect_stdout(sys.stderr):
        for line in sys.stdin if source is None else source:
            word, _, rest = line.strip().partition(" ")
            if word == FAREWELL:
                return
            answer = host.hear(word, rest)
            if answer is not None:
                print(answer, file=out, flush=True)


def serve_named(spec: str) -> None:
    """Be the agent of a text, or say why there is none and end."""
    try:
        serve(find_agent(spec))
    except SkerryError as error:
        sys.exit(str(error))


class _Host:
    """What has been said so far."""

    def __init__(self, player: AgentPlayer) -> None:
        self._player = player
        self._state: State | None = None
        self._shown: list[str] | None = None  # moves that the agent has seen
        self._told: dict[str, str] = {}

    def hear(self, word: str, rest: str) -> str | None:
        """The answer to a line, None if it asks nothing."""
        if word == GREETING.split()[0]:
            return f"{READY} {self._player.name}"
        if word == "go":
            try:
                return str(self._choose(read_options(rest.split())))
            except SkerryError as error:
                return f"{ERROR} {error}"
        self._told[word] = rest
        if word == "game":
            self._state = None
        return None

    def _choose(self, limits: Mapping[str, object]) -> object:
        if "game" not in self._told:
            raise OptionsError("tell the game first, such as: game skew side=5")
        name, *options = self._told["game"].split()
        state = self._catch_up(share_game(kind(name), read_options(options)))
        seed = limits.get("seed")
        return self._player.choose(state, seed if isinstance(seed, int) else None)

    def _catch_up(self, game: Game) -> State:
        """Show the agent what has been played since it was asked last; where that leads."""
        moves = self._told.get("moves", "").split()
        if self._state is None or self._shown is None or moves[: len(self._shown)] != self._shown:
            self._state, self._shown = game.position(self._told.get("start", "")), []
        for text in moves[len(self._shown) :]:
            move = self._state.parse(text)
            self._player.follow(self._state, move)
            self._state = self._state.play(move)
        self._shown = moves
        return self._state


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(USAGE)
    serve_named(sys.argv[1])
