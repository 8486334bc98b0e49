"""What puzzles are about: how long the win takes, and what rules it makes use of."""

from collections import Counter
from functools import cache

from skerry.core.playthrough import Playthrough
from skerry.core.texts import N_
from skerry.study.puzzles import Puzzle, count_turns, load


@cache
def list_motifs(name: str) -> tuple[tuple[str, ...], ...]:
    """The motifs of all puzzles of a game, in their order; what they all share tells nothing."""
    found = [_find_motifs(puzzle) for puzzle in load(name)]
    counts = Counter(motif for motifs in found for motif in motifs)
    return tuple(tuple(motif for motif in motifs if counts[motif] < len(found)) for motifs in found)


def explain_motifs(name: str) -> dict[str, str]:
    """What the motifs of a game mean, the lengths of wins first."""
    view = load(name)[0].game.view
    known = {happening.name: happening.text for happening in view.happening_table}
    lengths = sorted({puzzle.turns for puzzle in load(name)})
    meant = {_name_length(turns): N_("as few turns as the win takes") for turns in lengths} | known
    used = {motif for motifs in list_motifs(name) for motif in motifs}
    return {motif: text for motif, text in meant.items() if motif in used}


def _find_motifs(puzzle: Puzzle) -> tuple[str, ...]:
    """The length of the win, and what rules bring about in the turns of whoever wins."""
    line = Playthrough(puzzle.state).follow(puzzle.line)
    view = puzzle.game.view
    found = [_name_length(puzzle.turns)]
    for point in line.points:
        before = point.before
        if before is None or point.move is None or before.state.to_move != puzzle.seat:
            continue
        found += view.happenings(before.state, int(point.move), point.state)
    return tuple(dict.fromkeys(found))


def _name_length(turns: int) -> str:
    return N_(f"win in {count_turns(turns)}")
