"""What is said to a program that plays, in the line protocol or in that of engines.

Whichever it speaks is known by its first answer: one that begins with ``{`` is an engine's.
"""

from dataclasses import dataclass
from typing import Protocol

from skerry.agents.engine import AsyncEngine, SearchLimits
from skerry.agents.opinions import Opinion
from skerry.agents.program import Program
from skerry.core.errors import EngineError, Forfeit, shorten
from skerry.core.options import write_options
from skerry.core.state import State

GREETING, READY, FAREWELL = "skerry 1", "ready", "quit"
RESIGN, ERROR = "resign", "error"
REMARK = "#"  # begins a line that nobody has to read


@dataclass(frozen=True)
class Question:
    """What to play in a state: where its game began, and what has been played since."""

    state: State
    start: State
    moves: tuple[str, ...]
    is_new: bool  # whether this game was not spoken of before
    seconds: float  # until the answer has to be there
    seed: int | None


class Dialogue(Protocol):
    """How a program is asked."""

    async def choose(self, question: Question) -> str:
        """What it plays."""

    async def appraise(self, question: Question) -> tuple[float, ...] | None:
        """What each seat can expect, None if it cannot say."""

    async def quit(self) -> None:
        """Let it go."""


async def begin_dialogue(
    program: Program, simulations: int | None, seconds: float | None
) -> Dialogue:
    """Greet a program, and speak as it does; the limits are for engines."""
    await program.send(GREETING)
    answer = await _receive(program)
    if answer.startswith("{"):
        return EngineDialogue(AsyncEngine(program), simulations, seconds)
    if answer.split()[:1] != [READY]:
        raise EngineError(f"it answered {shorten(answer)} to {GREETING!r} instead of {READY!r}")
    return LineDialogue(program)


def write_question(question: Question) -> list[str]:
    """A question in the line protocol."""
    state = question.state
    limits = [f"seat={state.turn}", f"seconds={question.seconds:g}"]
    if question.seed is not None:
        limits.append(f"seed={question.seed}")
    opening = [
        f"game {state.game.name} {write_options(state.game.options)}".rstrip(),
        f"start {question.start.position}",
    ]
    return [
        *(opening if question.is_new else []),
        " ".join(["moves", *question.moves]),
        f"position {state.position}",
        " ".join(["legal", *map(str, state.legal_moves())]),
        " ".join(["go", *limits]),
    ]


class LineDialogue:
    """The line protocol: some lines that say it all, and a move in return."""

    def __init__(self, program: Program) -> None:
        self._program = program

    async def choose(self, question: Question) -> str:
        await self._program.send(*write_question(question))
        answer = await _receive(self._program)
        word, _, rest = answer.partition(" ")
        if answer == RESIGN:
            raise Forfeit("it resigned")
        if word == ERROR:
            raise EngineError(f"it said: {shorten(rest.strip())}")
        return answer

    async def appraise(self, question: Question) -> tuple[float, ...] | None:
        return None

    async def quit(self) -> None:
        await self._program.quit(FAREWELL)


class EngineDialogue:
    """The engine protocol: an analysis, of which the best move is played."""

    def __init__(self, engine: AsyncEngine, simulations: int | None, seconds: float | None) -> None:
        self._engine = engine
        self._limits: SearchLimits = {"top": 1}
        if simulations is not None:
            self._limits["simulations"] = simulations
        if seconds is not None:
            self._limits["seconds"] = seconds

    async def choose(self, question: Question) -> str:
        best = (await self._ask(question)).best
        if best is None:
            raise EngineError("it has no best move")
        return str(best)

    async def appraise(self, question: Question) -> tuple[float, ...] | None:
        values = (await self._ask(question)).values
        return values if len(values) == question.state.game.num_seats else None

    async def _ask(self, question: Question) -> Opinion:
        limits = self._limits
        if question.seed is not None:
            limits = {**limits, "seed": question.seed}
        return await self._engine.ask(question.state, **limits)

    async def quit(self) -> None:
        await self._engine.quit()


async def _receive(program: Program) -> str:
    """The next line that is meant for us."""
    while True:
        line = (await program.receive()).strip()
        if line and not line.startswith(REMARK):
            return line
