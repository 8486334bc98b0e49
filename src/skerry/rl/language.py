"""The face for language models: positions as prompts, replies as moves, and a measure of strength.

>>> import skerry
>>> state = skerry.make("x", size=3).initial()
>>> str(read_reply(state, "The centre touches everything. Move: b2"))
'b2'
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from skerry.core.errors import IllegalMove, InvalidMove, OptionsError
from skerry.core.game import Game
from skerry.core.options import whole_number
from skerry.core.state import Move, State
from skerry.lab.stats.ratings import Rating, rate
from skerry.lab.stats.results import Block, Played
from skerry.search.players import SEEDS, player

Ask = Callable[[str], str]  # takes a prompt, returns a reply

ANSWER = re.compile(r"move\W*:\W*([\w-]+)", re.IGNORECASE)
WORD = re.compile(r"[\w-]+")
TRIES = 3


def rules_of(game: Game) -> str:
    """The rules in short, clause by clause, for the board that is played on."""
    clauses = "\n".join(f"{id}  {text}" for id, text in game.list_clauses().items())
    return f"{game.title}: {game.summary}\n\n{clauses}"


def write_prompt(state: State) -> str:
    """All there is to know to choose a move: rules, board, whose turn it is, and legal moves."""
    game = state.game
    if state.to_move is None:
        raise OptionsError("the game is over: there is nothing to ask")
    options = ", ".join(f"{name} = {value}" for name, value in game.options.items())
    moves = " ".join(str(move) for move in state.legal_moves())
    return "\n\n".join(
        [
            f"You are playing {game.title}. These are its rules ({options}):",
            rules_of(game),
            f"The board (pieces: {_legend(game)}):",
            state.text(),
            f"Position: {state.position}",
            f"You are {game.seats[state.to_move]}, and it is your turn. Your legal moves are:",
            moves,
            "Think as long as you like. Then end with a line like this, with the move you choose:\n"
            f"Move: {state.legal_moves()[0]}",
        ]
    )


def _legend(game: Game) -> str:
    """What the letters of the position stand for."""
    pieces = ((letter, game.piece(letter)) for letter in game.letters)
    return ", ".join(f"{letter} = {piece.in_words(game.seats)}" for letter, piece in pieces)


def read_reply(state: State, reply: str) -> Move:
    """The move that a reply chooses: what stands behind the last ``Move:``, or else the only legal
    move that it names. InvalidMove or IllegalMove say what is wrong, for another try.
    """
    answers = ANSWER.findall(reply)
    if answers:
        return state.parse(answers[-1].strip("-").lower())
    legal = {str(move): move for move in state.legal_moves()}
    named = {word for word in WORD.findall(reply.lower()) if word in legal}
    if len(named) == 1:
        return legal[named.pop()]
    example = next(iter(legal))
    if named:
        several = ", ".join(sorted(named)[:5])
        raise InvalidMove(
            f"the reply names several legal moves ({several}): "
            f"end with one, such as Move: {example}"
        )
    raise InvalidMove(f"the reply names no legal move: end with a line such as Move: {example}")


@dataclass(frozen=True)
class Evaluation:
    """How somebody did: games per opponent, points made of them, and Elo beside the opponents."""

    games: dict[str, int]
    points: dict[str, float]  # wins, with draws shared
    ratings: tuple[Rating, ...]  # the best first; the first opponent stands at 0
    replies: int
    unreadable: int  # replies that were no legal move
    forfeits: int  # games lost by replies that never became a legal move

    def __str__(self) -> str:
        lines = [f"{name}: {self.points[name]:g} of {n} games" for name, n in self.games.items()]
        lines += [f"{r.player}: {r.elo:+.0f} Elo (± {r.margin:.0f})" for r in self.ratings]
        lines.append(
            f"{self.unreadable} of {self.replies} replies were no legal move, "
            f"{self.forfeits} games were lost by it"
        )
        return "\n".join(lines)


class _Respondent:
    """Somebody who is asked in words, and asked again with the reason when that was no move."""

    def __init__(self, ask: Ask, tries: int) -> None:
        self.ask, self.tries = ask, tries
        self.replies = self.unreadable = 0

    def choose(self, state: State) -> Move | None:
        prompt = question = write_prompt(state)
        for _ in range(self.tries):
            self.replies += 1
            try:
                return read_reply(state, self.ask(question))
            except (InvalidMove, IllegalMove) as error:
                self.unreadable += 1
                question = f"{prompt}\n\nYour last reply did not work: {error}."
        return None


def evaluate(
    ask: Ask,
    game: Game,
    opponents: Sequence[str] = ("random", "level:1"),
    rounds: int = 2,
    seed: int = 0,
    tries: int = TRIES,
    name: str = "model",
) -> Evaluation:
    """Play anything that answers prompts against engines, once on every seat in every round.

    Whoever gives no legal move in ``tries`` replies loses the game.
    """
    rounds = whole_number("rounds", rounds, 10**6, least=1)
    tries = whole_number("tries", tries, 100, least=1)
    if not opponents or name in opponents:
        raise OptionsError(f"name at least one opponent, and none of them {name!r}")
    somebody = _Respondent(ask, tries)
    blocks: list[Block] = []
    games, points = dict.fromkeys(opponents, 0), dict.fromkeys(opponents, 0.0)
    forfeits = 0
    for opponent in opponents:
        for number in range(rounds):
            block = []
            for seat in range(game.num_seats):
                returns = _play(somebody, game, opponent, seat, f"{seed} {opponent} {number}")
                forfeits += returns is None
                if returns is None:
                    shared = 1 / (game.num_seats - 1)
                    returns = tuple(-1.0 if k == seat else shared for k in range(game.num_seats))
                chairs = tuple(name if k == seat else opponent for k in range(game.num_seats))
                block.append(Played(chairs, returns))
            blocks.append(tuple(block))
            games[opponent] += len(block)
            points[opponent] += sum(played.won_by(name) for played in block)
    table = rate(blocks).table(anchor=opponents[0])
    return Evaluation(games, points, tuple(table), somebody.replies, somebody.unreadable, forfeits)


def _play(
    somebody: _Respondent, game: Game, opponent: str, seat: int, seed: str
) -> tuple[float, ...] | None:
    """The returns of one game; None if the one who is asked gave it up."""
    chooser = Random(seed)  # the same deal on every seat
    state = game.initial(chooser.randrange(SEEDS))
    engine = player(opponent)
    while state.to_move is not None:
        if state.to_move == seat:
            move = somebody.choose(state)
            if move is None:
                return None
        else:
            move = engine.choose(state, chooser.randrange(SEEDS))
        state = state.play(move)
    assert state.outcome is not None  # noqa: S101  # it is over
    return state.outcome.returns
