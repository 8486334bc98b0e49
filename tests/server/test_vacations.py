"""Vacations: clocks by days stand still, and nobody wins or loses time by them."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from server.serving import LocalServer
from server.storing import make_store, open_database
from server.test_backup import make_rows
from server.test_moderation import take_seats
from server.test_table import play, table_of
from skerry.server.correspondence.vacations import YEAR, Vacations, leave
from skerry.server.db.durations import DAY
from skerry.server.db.schema import accounts
from skerry.server.play import clocks
from skerry.server.play.clocks import GRACE, Clock
from skerry.server.play.deeds import flag
from skerry.server.play.flags import Deadlines
from skerry.server.play.table import Table
from skerry.server.web.errors import NotFound, Refusal
from skerry.server.web.metrics import Metrics
from skerry.server.web.secrets import Signed

BY_DAYS = Clock("days", 3 * clocks.A_DAY)


def begun(clock: Clock = BY_DAYS) -> Table:
    """A game in which everybody has moved, and the first seat is to move since 0."""
    return replace(play(table_of("skew", clock=clock), 2, now=0), since=0)


class TestTable:
    def test_a_turn_that_goes_on_stands_still(self) -> None:
        table = begun()
        assert (table.to_move, table.deadline) == (0, 3 * DAY)
        away = leave(table, 0, until=DAY + 5 * DAY, now=DAY)
        assert away.deadline == 3 * DAY + 5 * DAY
        for now in (DAY, 2 * DAY, 6 * DAY):
            assert away.time_left(0, now) == 2 * DAY
        assert away.time_left(0, 7 * DAY) == DAY
        assert flag(away, 8 * DAY - 1) is away
        assert flag(away, 8 * DAY).is_over

    def test_who_comes_back_early_has_what_was_left(self) -> None:
        away = leave(begun(), 0, until=11 * DAY, now=DAY)
        back = leave(away, 0, until=4 * DAY, now=4 * DAY)
        assert back.seats[0].away is None
        assert back.time_left(0, 4 * DAY) == 2 * DAY
        assert back.deadline == 6 * DAY

    def test_a_turn_that_begins_meanwhile_starts_afterwards(self) -> None:
        away = leave(begun(), 1, until=10 * DAY, now=0)  # the other one is to move
        assert away.deadline == 3 * DAY
        moved = play(away, now=DAY)
        assert (moved.to_move, moved.deadline) == (1, 13 * DAY)
        assert moved.time_left(1, 5 * DAY) == 3 * DAY
        early = play(moved, now=2 * DAY)  # nobody is kept from moving
        assert (early.plies[-1].spent, early.deadline) == (0, 5 * DAY)
        back = leave(moved, 1, until=4 * DAY, now=4 * DAY)
        assert back.deadline == 7 * DAY

    def test_what_was_used_before_is_not_won_back_by_moving(self) -> None:
        away = leave(begun(), 0, until=6 * DAY, now=DAY)
        assert play(away, now=2 * DAY).plies[-1].spent == DAY

    def test_other_clocks_run_on(self) -> None:
        table = begun(Clock("total", 300, 3))
        away = leave(table, 0, until=10 * DAY, now=1000)
        assert away.deadline == table.deadline
        assert away.resting == 0
        first = table_of("skew", clock=BY_DAYS)
        unbegun = leave(first, 0, until=5 * DAY, now=0)
        assert unbegun.deadline is None
        # The first move of a seat has its grace, before a vacation and after it.
        second = leave(play(first, now=0), 1, until=GRACE // 2, now=0)
        assert second.deadline == GRACE // 2 + GRACE + 3 * DAY


def test_days_are_counted_over_twelve_months(tmp_path: Path) -> None:
    time = [YEAR * 50]

    async def run() -> None:
        async with open_database(str(tmp_path / "a.db")) as database:
            async with database.transact() as connection:
                await connection.execute(accounts.insert(), make_rows(accounts, 1))
            ann = Signed(make_rows(accounts, 1)[0]["id"], "Ann", "member")
            store = make_store(database)
            deadlines = Deadlines(store, Metrics(), lambda: time[0])
            vacations = Vacations(database, store, deadlines, 21, lambda: time[0])
            assert await vacations.show(ann) == {"until": None, "left": 21, "year": 21}
            late, fresh = (
                replace(
                    begun(),
                    id=id,
                    since=time[0] - passed,
                    seats=tuple(replace(seat, account=ann.id) for seat in begun().seats),
                )
                for id, passed in (("late", 3 * DAY), ("fresh", 3 * DAY - 1))
            )
            for table in (late, fresh):
                await store.create(table)
            with pytest.raises(NotFound):
                await vacations.end(ann)
            with pytest.raises(Refusal, match="21 of 21"):
                await vacations.take(ann, 22)
            taken = await vacations.take(ann, 14)
            assert taken == {"until": time[0] + 14 * DAY, "left": 7, "year": 21}
            # Nobody stalls a game by a vacation when the flag is due.
            assert (await store.find("late")).is_over
            assert (await store.find("fresh")).deadline == time[0] + 14 * DAY + 1
            with pytest.raises(Refusal, match="you are on vacation"):
                await vacations.take(ann, 1)
            time[0] += 2 * DAY + 1
            assert (await vacations.end(ann))["left"] == 18  # a day that has begun is used
            for left in (17, 16):  # to come and go at once costs a day each time
                await vacations.take(ann, 1)
                time[0] += 1
                assert (await vacations.end(ann))["left"] == left
            both = await asyncio.gather(
                *(vacations.take(ann, 10) for _ in range(2)), return_exceptions=True
            )
            assert sum(isinstance(one, Refusal) for one in both) == 1
            time[0] += YEAR + 10 * DAY
            assert (await vacations.show(ann))["left"] == 21

    asyncio.run(run())


def test_all_players_see_it_and_games_by_days_wait(tmp_path: Path) -> None:
    with LocalServer(tmp_path) as server:
        ann, ben = server.sign_up("Ann"), server.sign_up("Ben")
        days = take_seats(server, ann, ben, clock={"kind": "days", "days": 2})
        quick = take_seats(server, ann, ben, clock={"kind": "total", "seconds": 300})
        for game in (days, quick):
            for _ in range(2):
                game.play()
        assert server.client.get("/api/me/vacation").status_code == 401
        assert ann.client.post("/api/me/vacation", json={"days": 0}).status_code == 422
        taken = ann.client.post("/api/me/vacation", json={"days": 5})
        assert taken.status_code == 201, taken.text
        until = taken.json()["until"]
        seen = days.look()
        assert [seat["away"] for seat in seen["seats"]] == [until, None]
        assert 2 * DAY - 60_000 < seen["clock"]["remaining"][0] <= 2 * DAY
        assert seen["clock"]["grace"] > 4 * DAY
        assert [seat["away"] for seat in quick.look()["seats"]] == [None, None]
        days.play()  # Ann moves all the same, and so does Ben
        days.play()
        assert days.look()["clock"]["grace"] > 4 * DAY
        back = ann.client.delete("/api/me/vacation").json()
        assert (back["until"], back["left"]) == (None, 20)
        seen = days.look()
        assert [seat["away"] for seat in seen["seats"]] == [None, None]
        assert 2 * DAY - 60_000 < seen["clock"]["remaining"][0] <= 2 * DAY
        assert ann.client.delete("/api/me/vacation").status_code == 404
