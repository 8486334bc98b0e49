"""How games went, as an engine saw them: who led, who came back, and when it was clear."""

from typing import Any

LEAD = 0.1  # what a chance must be ahead by for the lead to have changed hands


def find_winner(answer: dict[str, Any]) -> int | None:
    """The seat that won a reviewed game, None if nobody did or if it was forfeited."""
    game = answer["games"][0]
    is_won = 1.0 in game["shares"] and "forfeit" not in game
    return game["shares"].index(1.0) if is_won else None


def find_known(answer: dict[str, Any]) -> float | None:
    """After which share of the game its winner led for good; None if nobody won."""
    winner = find_winner(answer)
    if winner is None:
        return None
    chances = answer["chances"]
    plies = len(chances) - 1
    behind = [ply for ply, each in enumerate(chances) if max(each) > each[winner]]
    return (max(behind) + 1) / plies if behind else 0.0


def count_lead_changes(answer: dict[str, Any]) -> int:
    """How often another seat took the lead, by a clear margin."""
    leader, changes = None, 0
    for each in answer["chances"]:
        first, second, *_ = sorted(each, reverse=True)
        if first - second < LEAD:
            continue
        seat = each.index(first)
        changes += leader is not None and seat != leader
        leader = seat
    return changes


def find_lowest(answer: dict[str, Any]) -> float | None:
    """The smallest chance that the winner ever had."""
    winner = find_winner(answer)
    if winner is None:
        return None
    return min(float(each[winner]) for each in answer["chances"])


def follow_winner(answer: dict[str, Any], winner: int, steps: int) -> list[float]:
    """The winner's chance after equal parts of the game, from the start to the end."""
    chances = answer["chances"]
    last = len(chances) - 1
    return [float(chances[round(step * last / steps)][winner]) for step in range(steps + 1)]
