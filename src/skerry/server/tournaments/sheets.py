"""What the page of a tournament shows: rounds, a cross-table or a bracket, and words for it all."""

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from skerry.core.texts import N_
from skerry.lab.contest.pairing.contest import ARENA, KNOCKOUT, ROUND_ROBIN, TWO
from skerry.lab.contest.pairing.knockout import count_rounds, list_slots
from skerry.lab.contest.pairing.ranking import REACHED, TITLES, WINS
from skerry.server.languages.choice import gettext
from skerry.server.languages.figures import call, titled, write_clock
from skerry.server.languages.sentences import translate
from skerry.server.tournaments.course import MOST_MISSED
from skerry.server.tournaments.event import CALLED_OFF, GATHERING, OVER, PLAYING, Event
from skerry.server.tournaments.service import SYSTEM_TITLES
from skerry.server.web.kinds import say_board

WIDEST_CROSS = 16  # entrants for whom a cross-table fits on a page
STATES = {
    "gathering": N_("Open"),
    "playing": N_("Playing"),
    "over": N_("Over"),
    "off": N_("Called off"),
}
FINALS = {1: N_("Final"), 2: N_("Semi-finals"), 4: N_("Quarter-finals")}


def make_sheet(event: Event, shown: Mapping[str, Any]) -> dict[str, Any]:
    """Everything that a page shows beyond the document."""
    columns = [n for n, name in enumerate(shown["tie_breaks"]) if name != WINS]
    return {
        "facts": list_facts(shown),
        "state": translate(STATES[event.state]),
        "criteria": [titled(translate(TITLES[shown["tie_breaks"][n]])) for n in columns],
        "columns": columns,
        "decided_by": [translate(TITLES[name]) for name in shown["tie_breaks"] if name != REACHED],
        "waits": _is_waiting(event, shown),
        "has_points": event.state != GATHERING,
        "rounds": _list_rounds(event, shown),
        "cross": _cross(event, shown),
        "bracket": _bracket(event),
        "winners": _winners(event, shown),
        "most_missed": 1 if event.terms.system == ARENA else MOST_MISSED,
    }


def list_facts(shown: Mapping[str, Any]) -> list[str]:
    """What is played, in a few words."""
    game = shown["game_title"]
    board = say_board(shown["game"], shown["options"]) if shown["setup"] else ""
    length = N_(f"{shown['minutes']} min") if shown["minutes"] else ""
    if shown["rounds"] and shown["system"] != KNOCKOUT:
        length = N_(f"{shown['rounds']} round{'' if shown['rounds'] == 1 else 's'}")
    found = [
        f"{game} ({board})" if board else game,
        translate(SYSTEM_TITLES[shown["system"]]),
        translate(length),
        write_clock(shown["clock"]),
        gettext("rated") if shown["rated"] else "",
    ]
    return [part for part in found if part]


def write_points(value: float) -> str:
    """Points without zeros that say nothing."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _is_waiting(event: Event, shown: Mapping[str, Any]) -> bool:
    """Whether whoever looks is to be paired again."""
    if event.state != PLAYING or "leave" not in shown["can"]:
        return False
    return event.terms.system != KNOCKOUT or shown["you"] in list_slots(event.contest)[-1]


def _list_rounds(event: Event, shown: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What was paired, the latest round first; of an arena, what goes on and what has ended."""
    if event.terms.system == ARENA:
        now = [bout for bout in shown["bouts"] if bout["winners"] is None]
        ended = [bout for bout in shown["bouts"] if bout["winners"] is not None][::-1]
        groups = [(N_("Playing"), now), (N_("Latest games"), ended)]
    else:
        found = groupby(shown["bouts"], lambda bout: bout["round"])
        groups = [(_name_round(event, n), list(bouts)) for n, bouts in found][::-1]
    return [
        {"title": translate(t), "bouts": [_line(b) for b in bouts]} for t, bouts in groups if bouts
    ]


def _name_round(event: Event, number: int) -> str:
    if event.terms.system == KNOCKOUT:
        left = 2 ** (count_rounds(len(event.entries)) - number)
        return FINALS.get(left, N_(f"Round {number}"))
    return N_(f"Round {number}")


def _line(bout: Mapping[str, Any]) -> dict[str, Any]:
    """A bout with what everybody made of it."""
    winners = bout["winners"]
    share = write_points(1 / len(winners)).replace("0.5", "½") if winners else "0"
    return {
        **bout,
        "players": [
            {
                **player,
                "won": winners is not None and len(winners) == 1 and seat in winners,
                "points": "" if winners is None else share if seat in winners else "0",
                "absent": seat in bout["absent"],
            }
            for seat, player in enumerate(bout["players"])
        ],
    }


def _cross(event: Event, shown: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Who made what against whom, in the order of places."""
    terms = event.terms
    is_small = 2 < len(event.entries) <= WIDEST_CROSS
    if terms.system != ROUND_ROBIN or terms.seats != TWO or not event.bouts or not is_small:
        return None
    order = [standing["entrant"] for standing in shown["standings"]]
    cells: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for bout in (_line(bout) for bout in shown["bouts"]):
        if len(bout["players"]) == TWO:
            one, other = bout["players"]
            for player, against in ((one, other), (other, one)):
                made = {"points": player["points"] or "·", "url": bout["url"]}
                cells.setdefault((player["entrant"], against["entrant"]), []).append(made)
    return [
        {
            **standing,
            "cells": [
                None
                if other == standing["entrant"]
                else cells.get((standing["entrant"], other), [])
                for other in order
            ],
        }
        for standing in shown["standings"]
    ]


def _bracket(event: Event) -> list[dict[str, Any]] | None:
    """The rounds of a knock-out with all their pairs, also those to come."""
    if event.terms.system != KNOCKOUT or event.state in (GATHERING, CALLED_OFF):
        return None
    contest = event.contest
    known = list_slots(contest)
    total = count_rounds(len(event.entries))
    size = len(known[0])
    rounds = []
    for number in range(total):
        width = size >> number
        slots = known[number] if number < len(known) else [None] * width
        following = known[number + 1] if number + 1 < len(known) else [None] * (width // 2)
        bouts = [bout for bout in event.bouts if bout.round == number and not bout.is_bye]
        pairs = []
        for place, two in enumerate(zip(slots[::2], slots[1::2], strict=True)):
            games = [b for b in bouts if {*b.players} == {*two}]
            pairs.append(
                {
                    "players": [
                        {
                            "name": "" if name is None else event.names[name],
                            "won": name is not None and name == following[place],
                        }
                        for name in two
                    ],
                    "games": [f"/g/{bout.game}" for bout in games if bout.game],
                    "is_bye": number == 0 and None in two,
                }
            )
        rounds.append({"title": translate(_name_round(event, number + 1)), "pairs": pairs})
    return rounds


def _winners(event: Event, shown: Mapping[str, Any]) -> list[str]:
    """Who has won, once it is over and somebody has points."""
    if event.state != OVER or not event.bouts:
        return []
    return [call(one["name"]) for one in shown["standings"] if one["place"] == 1 and one["points"]]
