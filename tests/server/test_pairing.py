"""Who is paired with whom, and who counts as gone: functions of challenges and the time."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from server.lobbying import FIVE, SLOW
from server.storing import open_database
from skerry.server.db.durations import SECOND
from skerry.server.lobby import challenge as deeds
from skerry.server.lobby.challenge import GONE, LIVE_AGE, Caller, Challenge, Terms
from skerry.server.lobby.pairing import find_partner, fits, list_pairs
from skerry.server.lobby.service import LobbyService
from skerry.server.lobby.store import ChallengeStore
from skerry.server.web.errors import Stale

SKEW = Terms("skew", {"side": 5}, 2, usual=True, clock=FIVE, quick=True)


def wait(name: str, rating: int | None = None, at: int = 0, terms: Terms = SKEW) -> Challenge:
    """Somebody who waits to be paired."""
    entrant = None if rating is None else f"person:{name}"
    caller = Caller(name, f"secret of {name}", entrant=entrant, rating=rating, visitor=name)
    return deeds.make(name, terms, caller, at)


def name_pairs(waiting: list[Challenge], now: int) -> list[set[str]]:
    return [{one.id, other.id} for one, other in list_pairs(waiting, now)]


class TestPairing:
    def test_the_nearest_are_paired_first(self) -> None:
        waiting = [wait("ann", 1500), wait("ben", 1590), wait("cleo", 1520), wait("dora", 1600)]
        assert name_pairs(waiting, 0) == [{"ben", "dora"}, {"ann", "cleo"}]
        partner = find_partner(wait("eve", 1580), waiting, 0)
        assert partner is not None
        assert partner.id == "ben"

    def test_others_after_a_while(self) -> None:
        weak, strong = wait("weak", 1200), wait("strong", 1700, at=5 * SECOND)
        assert not fits(weak, strong, 19 * SECOND)
        assert fits(weak, strong, 20 * SECOND)  # 100, and 20 a second of whoever has waited longer

    def test_whoever_has_no_rating_plays_with_anybody(self) -> None:
        assert fits(wait("guest"), wait("strong", 2400), 0)

    @pytest.mark.parametrize(
        "changes",
        [
            {"game": "skirt"},
            {"clock": SLOW},
            {"options": {"side": 4}},
            {"rated": True},
            {"addressee": "person:x"},
        ],
    )
    def test_only_those_who_want_the_same(self, changes: dict[str, Any]) -> None:
        other = replace(wait("other"), terms=replace(SKEW, **changes))
        assert name_pairs([wait("one"), other], 0) == []

    def test_nobody_is_paired_who_made_a_challenge_with_another_who_did(self) -> None:
        open_terms = replace(SKEW, quick=False)
        listed = [wait(name, terms=open_terms) for name in ("one", "other")]
        assert name_pairs(listed, 0) == []
        assert name_pairs([*listed, wait("quick", at=1)], 1) == [{"one", "quick"}]
        picky = wait("picky", 2000, terms=replace(open_terms, low=1900))
        assert name_pairs([picky, wait("quick")], 0) == []
        assert name_pairs([picky, wait("quick", 1950)], 0) == [{"picky", "quick"}]

    def test_nobody_meets_themselves(self) -> None:
        twice = [wait("ann", 1500), replace(wait("ann", 1500), id="again")]
        assert name_pairs(twice, 0) == []

    def test_three_are_gathered_where_most_wait(self) -> None:
        terms = replace(SKEW, game="x", seats=3)
        two = deeds.merge(wait("ann", terms=terms), [wait("ben", terms=terms)])
        partner = find_partner(wait("eve", terms=terms), [wait("cy", terms=terms), two], 0)
        assert partner is two
        assert not fits(two, replace(two, id="others"), 0)  # they would be four


def test_whoever_is_not_connected_counts_as_gone(tmp_path: Path) -> None:
    """But not where moves may take days; and what is too old ends in any case."""

    async def sweep() -> dict[str, set[str]]:
        async with open_database(str(tmp_path / "skerry.db")) as database:
            store = ChallengeStore(database)
            await store.open()
            lobby = LobbyService(store, None, None, None, None, None, lambda: now)  # type: ignore[arg-type]
            three = replace(SKEW, game="x", seats=3)
            both = deeds.merge(wait("stays", terms=three), [wait("goes", terms=three)])
            slow = wait("slow", terms=replace(SKEW, clock=SLOW))
            for one in (wait("gone"), wait("here"), slow, both):
                await store.create(one, "visitor", 0)
            found = {}
            for now in (GONE, 2 * GONE, LIVE_AGE + GONE):
                await store.touch(["secret of here"], ["person:x"], now)
                await store.touch(["secret of stays"], [], now)
                await lobby.end_old()
                found[str(now)] = {
                    f"{one.id}: {' '.join(who.name for who in one.joined)}"
                    for one in await store.list_open()
                }
            assert await store.count_people() == 1
            # What has changed meanwhile is not changed again.
            with pytest.raises(Stale):
                await store.replace([both], None)
            return found

    found = asyncio.run(sweep())
    slow = "slow: slow"
    assert found == {
        str(GONE): {"gone: gone", "here: here", slow, "stays: stays goes"},
        str(2 * GONE): {"here: here", slow, "stays: stays"},
        str(LIVE_AGE + GONE): {slow},
    }
