"""How many moves a review marks: ``python tools/reviews.py x random level:1``.

Each player plays some games against itself, of which the beginnings are reviewed without a net and
with the one that comes with the game. With it they are reviewed again by another seed: what is
marked but once is what the search is in doubt about.
"""

import sys

import skerry
from skerry.nets.shipped import shipped_net
from skerry.records import Record
from skerry.search.players import player
from skerry.search.review import Review

GAMES = (1, 2)  # seeds
MOVES = 40
ALONE, GUIDED = 4_000, 128  # simulations a position


def play(game: skerry.Game, spec: str, seed: int) -> Record:
    """The beginning of a game of somebody against themselves."""
    state, moves = game.initial(seed), []
    chooser = player(spec)
    while not state.is_over and len(moves) < MOVES:
        moves.append(int(chooser.choose(state, 1000 * seed + len(moves))))
        state = state.play(moves[-1])
    return Record.from_moves(game, game.initial(seed), moves)


def list_marked(review: Review) -> set[int]:
    return {number for number, move in enumerate(review.moves) if move.mark}


def main(name: str, specs: list[str]) -> None:
    game = skerry.make(name)
    net = shipped_net(game)
    print(
        f"of {MOVES} moves\nplayer                  alone  with the net  of them ? or ??  in doubt"
    )
    for spec in specs:
        for seed in GAMES:
            record = play(game, spec, seed)
            alone = list_marked(skerry.review(record, simulations=ALONE))
            first, second = (
                skerry.review(record, simulations=GUIDED, net=net, seed=again) for again in (0, 1)
            )
            serious = sum(move.mark in ("?", "??") for move in first.moves)
            doubt = len(list_marked(first) ^ list_marked(second))
            print(
                f"{spec:24}{len(alone):5}{len(list_marked(first)):14}{serious:16}{doubt:10}",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
