"""What visitors get to see of tournaments."""

from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any

from skerry.games import GAMES, kind
from skerry.lab.contest.pairing.contest import ARENA
from skerry.lab.contest.pairing.ranking import ORDER, POINTS, WINS, Standing, rank
from skerry.lab.contest.pairing.systems import count_rounds
from skerry.server.tournaments import event as deeds
from skerry.server.tournaments.course import has_enough
from skerry.server.tournaments.event import GATHERING, UNFINISHED, Entry, Event, HeldBout
from skerry.server.tournaments.service import Participant
from skerry.server.web.errors import Refusal
from skerry.server.web.kinds import describe_board
from skerry.server.web.lru import Recent

LATEST = 40  # bouts of an arena that are over and still shown
KEPT = 2_000_000  # bytes, roughly, of documents
WEIGHT = 300  # of a standing or a bout

_documents: Recent[tuple[object, ...], dict[str, Any]] = Recent(
    KEPT,
    weigh=lambda shown: WEIGHT * (2 + len(shown["standings"]) + len(shown["bouts"])),
)


def list_event(row: Mapping[str, Any]) -> dict[str, Any]:
    """A tournament in a list, from its row and the number of its entrants."""
    game, options = row["game"], row["options"]
    is_known = game in GAMES
    return {
        "id": row["id"],
        "url": f"/tournaments/{row['id']}",
        "title": row["title"],
        "game": game,
        "game_title": kind(game).title if is_known else game,
        "options": dict(options),
        "setup": describe_board(game, options) if is_known else "",
        "clock": row["clock"],
        "entrants": row["count"],
        **{
            name: row[name]
            for name in (
                "system", "rounds", "minutes", "rated", "state", "starts", "quorum", "made_by",
                "created", "began", "ends", "finished",
            )
        },
    }  # fmt: skip


def show_event(event: Event, who: Participant | None, now: int) -> dict[str, Any]:
    """The document of a tournament for whoever asks."""
    # Whoever deletes their account changes a name without another version.
    key = (event.id, event.version, event.made_by, *event.names.values())
    shown = _documents.get(key)
    if shown is None:
        shown = _documents[key] = _describe(event)
    own = None if who is None else who.entrant
    game = None if own is None else event.game_of(own)
    return {
        **shown,
        "you": own,
        "your_game": None if game is None else f"/g/{game}",
        "can": [] if who is None else list_possible(event, who, now),
    }


def list_possible(event: Event, who: Participant, now: int) -> list[str]:
    """What somebody could do: whatever is not refused, and would change something."""
    found = []
    entry = event.find(who.entrant)
    if entry is None or entry.left is not None:
        with suppress(Refusal):
            deeds.join(event, Entry(who.entrant, who.name, now), now)
            found.append("join")
    elif event.state in UNFINISHED:
        found.append("leave")
    if (who.entrant == event.maker or who.is_moderator) and event.state in UNFINISHED:
        if event.state == GATHERING and has_enough(event):
            found.append("start")
        found.append("call-off")
    return found


def _describe(event: Event) -> dict[str, Any]:
    """The part of a document that is the same for everybody."""
    terms, contest = event.terms, event.contest
    row = {
        **vars(terms),
        **{
            name: getattr(event, name)
            for name in ("id", "state", "made_by", "created", "began", "ends", "finished")
        },
        "count": len(event.entries),
    }
    criteria = [name for name in ORDER[terms.system] if name != POINTS]
    length = None if event.state == GATHERING or terms.system == ARENA else count_rounds(contest)
    ratings = {entry.entrant: entry.rating for entry in event.entries}
    return {
        **list_event(row),
        "rounds": terms.rounds or length,
        "version": event.version,
        "round": len(contest.rounds),
        "tie_breaks": criteria,
        "standings": [
            {
                "place": standing.place,
                "entrant": standing.player,
                "name": event.names[standing.player],
                "points": _number(standing.points),
                "tie_breaks": [_number(_criterion(standing, name)) for name in criteria],
                "won": standing.won,
                "drawn": standing.drawn,
                "lost": standing.lost,
                "byes": standing.byes,
                "rating": ratings[standing.player],
                "left": standing.is_gone,
            }
            for standing in rank(contest)
        ],
        "bouts": [_show_bout(event, bout) for bout in list_shown(event)],
    }


def _criterion(standing: Standing, name: str) -> Fraction:
    return Fraction(standing.won if name == WINS else getattr(standing, name))


def _number(value: Fraction) -> float:
    return round(float(value), 2)


def list_shown(event: Event) -> list[HeldBout]:
    """The bouts that are shown: of an arena not all."""
    if event.terms.system != ARENA:
        return list(event.bouts)
    over = [bout for bout in event.bouts if not bout.is_open]
    return [*over[-LATEST:], *(bout for bout in event.bouts if bout.is_open)]


def _show_bout(event: Event, bout: HeldBout) -> dict[str, Any]:
    return {
        "round": bout.round + 1,
        "number": bout.number,
        "players": [{"entrant": p, "name": event.names[p]} for p in bout.players],
        "url": bout.game and f"/g/{bout.game}",
        "winners": None if bout.winners is None or bout.is_bye else list(bout.winners),
        "absent": list(bout.absent),
    }
