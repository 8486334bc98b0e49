"""Players that are programs: ``cmd:./mybot --fast``."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar
from weakref import finalize

import numpy as np

from skerry.agents.dialogue import Dialogue, Question, begin_dialogue
from skerry.agents.loop import finish, run
from skerry.agents.program import Program, read_command
from skerry.agents.python import TIMEOUT
from skerry.core.errors import EngineError, Forfeit, OptionsError, SkerryError, shorten
from skerry.core.state import Move, State

START = 60.0  # seconds until a program is ready
SETTING = re.compile(r"(timeout|start|seconds|simulations|threads)=([0-9]{1,9}(?:\.[0-9]{1,6})?),")
WHOLE = ("simulations", "threads")
Found = TypeVar("Found")


@dataclass(eq=False)
class CommandPlayer:
    """A program that chooses moves. It is started when it is first asked, and ended by ``close``.

    ``timeout`` is how many seconds it has for a move, and ``start`` until it is ready;
    ``simulations`` and ``seconds`` tell an engine how much to think. Whatever goes wrong is a
    ``Forfeit``: the program is ended then, and started again when it is asked again.
    """

    name: str
    command: tuple[str, ...]
    timeout: float = TIMEOUT
    start: float = START
    simulations: int | None = None
    seconds: float | None = None
    threads: int = 1
    _talk: "_Talk | None" = field(default=None, repr=False)
    _began: State | None = field(default=None, repr=False)  # where the game began
    _moves: list[str] = field(default_factory=list, repr=False)  # played since then
    _at: State | None = field(default=None, repr=False)  # where they lead

    def choose(self, state: State, seed: int | None = None) -> Move:
        if state.is_over:
            raise OptionsError("the game is over: there is no move to choose")
        answer = self._ask(state, seed, lambda talk, question: talk.choose(question))
        try:
            return state.parse(answer)
        except SkerryError as error:
            self._abandon()
            raise Forfeit(f"illegal move {shorten(answer)}: {error}") from None

    def follow(self, state: State, move: Move, after: State | None = None) -> None:
        if self._at is None or self._at != state:
            self._begin(state)
        self._moves.append(str(move))
        self._at = state.play(move) if after is None else after

    def appraise(self, state: State, seed: int | None = None) -> tuple[float, ...]:
        """What an engine says; any opinion is as good as another where it says nothing."""
        if state.outcome:
            return state.outcome.returns
        found = self._ask(state, seed, lambda talk, question: talk.appraise(question))
        if found is not None:
            return found
        return tuple(np.random.default_rng(seed).uniform(-1, 1, state.game.num_seats).tolist())

    def close(self) -> None:
        """Let the program go; one that does not leave is ended."""
        talk, self._talk = self._talk, None
        if talk is not None:
            talk.let_go.detach()
            run(talk.dialogue.quit())

    def __getstate__(self) -> dict[str, Any]:
        # Another process starts a program of its own.
        return {**self.__dict__, "_talk": None, "_began": None, "_moves": [], "_at": None}

    def _begin(self, state: State) -> None:
        self._began, self._moves, self._at = state, [], state
        if self._talk is not None:
            self._talk.knows_game = False

    def _ask(
        self,
        state: State,
        seed: int | None,
        how: Callable[[Dialogue, Question], Awaitable[Found]],
    ) -> Found:
        if self._at is None or self._at != state or self._began is None:
            self._begin(state)
        try:
            if self._talk is None:
                self._talk = self._open()
            question = Question(
                state,
                self._began or state,
                tuple(self._moves),
                not self._talk.knows_game,
                self.timeout,
                seed,
            )
            answer = run(_within(how(self._talk.dialogue, question), self.timeout))
            self._talk.knows_game = True
            return answer
        except Forfeit as error:
            raise Forfeit(str(error), self._abandon() or error.detail) from None
        except EngineError as error:
            raise Forfeit(str(error), self._abandon()) from None
        except BaseException:  # such as Ctrl-C: what it answers now is not what is asked next
            self._abandon()
            raise

    def _open(self) -> "_Talk":
        program, dialogue = run(_open(self.command, self.start, self.simulations, self.seconds))
        return _Talk(program, dialogue, finalize(self, finish, program.kill))

    def _abandon(self) -> str:
        """End the program at once; returns what it complained of."""
        talk, self._talk = self._talk, None
        if talk is None:
            return ""
        talk.let_go.detach()
        run(talk.program.kill())
        return talk.program.last_words


@dataclass(eq=False)
class _Talk:
    """A program that runs, and how to speak to it."""

    program: Program
    dialogue: Dialogue
    let_go: "finalize[Any, Any]"  # ends it when its player is forgotten
    knows_game: bool = False


async def _open(
    command: tuple[str, ...], patience: float, simulations: int | None, seconds: float | None
) -> tuple[Program, Dialogue]:
    program = await Program.start(command)
    try:
        async with asyncio.timeout(patience):
            return program, await begin_dialogue(program, simulations, seconds)
    except TimeoutError:
        await program.kill()
        raise Forfeit(f"it was not ready within {patience:g} s", program.last_words) from None
    except EngineError as error:
        await program.kill()
        raise Forfeit(str(error), program.last_words) from None
    except BaseException:
        await program.kill()
        raise


async def _within(answer: Awaitable[Found], seconds: float) -> Found:
    try:
        async with asyncio.timeout(seconds):
            return await answer
    except TimeoutError:
        raise EngineError(f"no answer within {seconds:g} s") from None


def read_command_player(spec: str, text: str) -> CommandPlayer:
    """The player of ``cmd:timeout=10,./mybot --fast``, of which ``text`` is all but ``cmd:``."""
    settings: dict[str, Any] = {}
    rest = text.strip()
    while found := SETTING.match(rest):
        name, value = found[1], float(found[2])
        if name in settings:
            raise OptionsError(f"{shorten(spec)} sets {name} twice")
        if value <= 0 or (name in WHOLE and not value.is_integer()):
            raise OptionsError(f"{name}={found[2]} is not understood in {shorten(spec)}")
        settings[name] = int(value) if name in WHOLE else value
        rest = rest[found.end() :].lstrip()
    return CommandPlayer(spec, read_command(rest), **settings)
