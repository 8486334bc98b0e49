"""Agents in processes of their own.

Agents are asked in the process that plays the game, which is quickest. Where such a process has
died, perhaps by an agent, the game is played again with every agent apart: whoever ends its process
then loses this game, and nobody else does.
"""

import pickle
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from tempfile import NamedTemporaryFile

from skerry.agents.command import CommandPlayer
from skerry.agents.python import AgentPlayer

LONGEST = 86_400.0  # seconds for a move of an agent that has no limit
SCRIPTS = ("__main__", "__mp_main__")  # whose classes no other process finds
# Reads where to look for modules before it reads the agent, whose class is in one of them.
BOOT = """
import pickle, sys
with open(sys.argv[1], "rb") as file:
    sys.path[:] = pickle.load(file)
    from skerry.agents.host import serve
    agent = pickle.load(file)
serve(agent)
"""
BOOT_NAMED = """
import sys
_, spec, *sys.path = sys.argv
from skerry.agents.host import serve_named
serve_named(spec)
"""
_wanted: ContextVar[bool] = ContextVar("apart", default=False)


@contextmanager
def apart(wanted: bool) -> Iterator[None]:
    """Whether agents that are invited within are given processes of their own."""
    before = _wanted.set(wanted)
    try:
        yield
    finally:
        _wanted.reset(before)


def is_apart() -> bool:
    return _wanted.get()


def host_named(spec: str, player: AgentPlayer) -> CommandPlayer:
    """The agent of a text as a program of its own, which plays game after game."""
    command = (sys.executable, "-c", BOOT_NAMED, spec, *sys.path)
    return CommandPlayer(spec, command, player.timeout or LONGEST)


@contextmanager
def host_agent(player: AgentPlayer) -> Iterator[CommandPlayer | AgentPlayer]:
    """The agent as a program of its own; as it is where it cannot be sent to another process."""
    try:
        content = pickle.dumps(sys.path) + pickle.dumps(player.agent)
    except Exception:  # of whoever wrote it
        content = b""
    if not content or type(player.agent).__module__ in SCRIPTS:
        yield player
        return
    with NamedTemporaryFile() as file:
        file.write(content)
        file.flush()
        command = (sys.executable, "-c", BOOT, file.name)
        yield CommandPlayer(player.name, command, player.timeout or LONGEST)
