"""Players that are Python objects: anything with ``choose(state)``."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module, metadata
from inspect import Parameter, signature
from threading import current_thread, main_thread
from typing import Any, Protocol

import numpy as np

from skerry.core.errors import Forfeit, OptionsError, SkerryError, shorten
from skerry.core.options import positive_number
from skerry.core.state import Move, State

GROUP = "skerry.players"  # of entry points: players of packages that are installed
LONGEST_REASON = 200
TIMEOUT = 60.0  # seconds for a move, unless told otherwise


class Agent(Protocol):
    """Whoever chooses moves: a move of the state, its notation, or its action.

    ``choose`` may take a second argument, ``seed``, from which all chance is to follow. An agent
    may also have ``follow(state, move)`` to be shown all moves, ``appraise(state)``, and a
    ``timeout``: how many seconds it has for a move.
    """

    def choose(self, state: State) -> Move | str | int:
        """What to play in a state in which the game goes on."""


@dataclass(eq=False)
class AgentPlayer:
    """An agent as a player: whatever it does wrong is a ``Forfeit``.

    ``timeout`` is how many seconds it has for a move. It is interrupted where Python can do that,
    on the main thread of a Unix process; elsewhere it loses when it comes back too late.
    """

    agent: Any
    name: str
    timeout: float | None = None
    threads: int = 1

    def choose(self, state: State, seed: int | None = None) -> Move:
        if state.is_over:
            raise OptionsError("the game is over: there is no move to choose")
        with _guard(self.timeout):
            answer = _call(self.agent.choose, state, seed)
        return read_answer(state, answer)

    def follow(self, state: State, move: Move, after: State | None = None) -> None:
        if hasattr(self.agent, "follow"):
            with _guard(self.timeout):
                self.agent.follow(state, move)

    def appraise(self, state: State, seed: int | None = None) -> tuple[float, ...]:
        """What the agent says; any opinion is as good as another where it says nothing."""
        if state.outcome:
            return state.outcome.returns
        if not hasattr(self.agent, "appraise"):
            return tuple(np.random.default_rng(seed).uniform(-1, 1, state.game.num_seats).tolist())
        with _guard(self.timeout):
            values = tuple(float(value) for value in _call(self.agent.appraise, state, seed))
        if len(values) != state.game.num_seats:
            raise Forfeit(f"it appraised {len(values)} seats of {state.game.num_seats}")
        return values


def as_player(agent: Any, name: str) -> AgentPlayer:
    """An agent as a player with its own time limit, or the usual one; None is none."""
    limit = getattr(agent, "timeout", TIMEOUT)
    return AgentPlayer(
        agent, name, None if limit is None else positive_number(f"timeout of {name}", limit)
    )


def read_answer(state: State, answer: object) -> Move:
    """The move that somebody answered; Forfeit if it is none."""
    try:
        if isinstance(answer, str):
            return state.parse(answer)
        return state.move(answer)  # type: ignore[arg-type]  # which says what an action is
    except SkerryError as error:
        raise Forfeit(f"illegal move {shorten(_say(answer))}: {error}") from None


def _say(answer: object) -> object:
    return str(answer) if isinstance(answer, Move) else answer


def _call(method: Any, state: State, seed: int | None) -> Any:
    """Ask with the seed, if the method takes one."""
    try:
        takes = signature(method).parameters
    except (TypeError, ValueError):
        return method(state)
    kinds = {each.kind for each in takes.values()}
    if "seed" in takes or Parameter.VAR_KEYWORD in kinds:
        return method(state, seed=seed)
    return method(state)


class _Overtime(BaseException):
    """Not an Exception, so that an agent which catches all of those does not catch it."""


@contextmanager
def _guard(timeout: float | None) -> Iterator[None]:
    """Whatever happens within is the agent's doing."""
    began = time.monotonic()
    late = Forfeit(f"no answer within {timeout:g} s") if timeout is not None else None
    try:
        with _interrupted_after(timeout):
            yield
    except _Overtime:
        assert late is not None  # noqa: S101  # nobody else raises it
        raise late from None
    except Forfeit:
        raise
    except (Exception, SystemExit) as error:
        said = " ".join(str(error).split())[:LONGEST_REASON]
        raise Forfeit(
            f"it raised {type(error).__name__}" + (f": {said}" if said else "")
        ) from error
    if late is not None and timeout is not None and time.monotonic() - began > timeout:
        raise late


@contextmanager
def _interrupted_after(seconds: float | None) -> Iterator[None]:
    can = hasattr(signal, "setitimer") and current_thread() is main_thread()
    # Somebody else's alarm is left alone.
    if seconds is None or not can or signal.getitimer(signal.ITIMER_REAL)[0]:
        yield
        return

    def interrupt(*_: object) -> None:
        raise _Overtime

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def find_agent(spec: str) -> Any | None:
    """The agent of a text: an installed one by its name, or ``module:attribute``.

    What follows the colon behind an installed one's name is handed to it. None if it is neither;
    OptionsError if it is one but cannot be had.
    """
    name, colon, rest = spec.partition(":")
    for point in metadata.entry_points(group=GROUP, name=name):
        return _make(spec, _load(spec, point.load), *([rest] if colon else []))
    if all(part.isidentifier() for part in (*name.split("."), *rest.split("."))):
        return _make(spec, _load(spec, lambda: _import(name, rest)))
    return None


def list_agents() -> list[str]:
    """The names of all that are installed."""
    return sorted({point.name for point in metadata.entry_points(group=GROUP)})


def _import(module: str, attribute: str) -> Any:
    """An attribute of a module, which may also lie in the folder where we are."""
    here = os.getcwd()
    sys.path.append(here)
    try:
        found = import_module(module)
    finally:
        sys.path.remove(here)
    for part in attribute.split("."):
        found = getattr(found, part)
    return found


def _load(spec: str, load: Any) -> Any:
    try:
        return load()
    except Exception as error:  # of whoever wrote it
        raise OptionsError(f"there is no player {shorten(spec)}: {error}") from None


def _make(spec: str, found: Any, *arguments: str) -> Any:
    """An object with ``choose``: what was found, or what it makes when it is called."""
    if isinstance(found, type) or arguments or not hasattr(found, "choose"):
        if not callable(found):
            raise OptionsError(f"{shorten(spec)} is no player: it has no choose(state)")
        try:
            found = found(*arguments)
        except Exception as error:  # of whoever wrote it
            raise OptionsError(f"{shorten(spec)} cannot be made: {error}") from None
    check_agent(spec, found)
    return found


def check_agent(name: str, agent: Any) -> None:
    """OptionsError for what cannot choose moves."""
    if not callable(getattr(agent, "choose", None)):
        raise OptionsError(f"{shorten(name)} is no player: it has no choose(state)")
