"""The domain: whatever people do in whatever order, a table stays a lawful game."""

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import skerry
from server.serving import TINY
from skerry.core.errors import SkerryError
from skerry.records import read, write_text
from skerry.server.play import deeds
from skerry.server.play.actions import ACTIONS, CLAIMS, list_possible
from skerry.server.play.clocks import GRACE, Clock
from skerry.server.play.deeds import (
    answer,
    end,
    expect,
    flag,
    join,
    move,
    rematch,
    sit,
    want_rematch,
)
from skerry.server.play.table import (
    DRAW,
    MAY_SWAP,
    OPEN,
    PERSON,
    SWAPPED,
    TAKEBACK,
    Declined,
    Held,
    Seat,
    Table,
    record,
)
from skerry.server.web.errors import Forbidden, Refusal, Stale

LATER = 1000


@cache
def game_of(name: str) -> skerry.Game:
    return skerry.make(name, **TINY[name])


def table_of(name: str, kinds: tuple[str, ...] | None = None, clock: Clock | None = None) -> Table:
    game = game_of(name)
    kinds = kinds or (PERSON,) * game.num_seats
    seats = tuple(Seat(kind, kind, claimed=True) for kind in kinds)
    seed = 3 if game.has_chance else None
    start = game.initial(seed or 0)
    return Table("id", start, seats, 0, 0, 0, seed=seed, clock=clock, admin=0, began=0)


def everybody(table: Table) -> Held:
    return table.persons


def play(table: Table, count: int = 1, now: int = 0) -> Table:
    """So many first legal moves, by whoever is to move."""
    for _ in range(count):
        text = str(table.state.legal_moves()[0])
        seat = table.to_move
        assert seat is not None
        if table.thinker:
            table = answer(table, int(table.state.parse(text)), now)
        else:
            table = move(table, frozenset({seat}), text, now)
    return table


@st.composite
def tables(draw: st.DrawFn) -> Table:
    name = draw(st.sampled_from(sorted(TINY)))
    kinds = draw(
        st.tuples(*[st.sampled_from([PERSON, PERSON, "level:1"])] * game_of(name).num_seats)
    )
    clock = draw(st.sampled_from([None, Clock("move", 5), Clock("total", 20, 2)]))
    table = table_of(name, kinds, clock)
    swap = len(kinds) == 2 and draw(st.booleans())
    return replace(table, swap=MAY_SWAP if swap else None)


DEEDS = st.lists(
    st.tuples(
        st.sampled_from(["move"] * 6 + ["answer"] * 4 + ["flag", *ACTIONS, *CLAIMS]),
        st.frozensets(st.integers(0, 2), max_size=3),
        st.integers(0, 200),
        st.sampled_from([0, 3000, GRACE]),
    ),
    max_size=40,
)


def attempt(table: Table, deed: str, held: Held, choice: int, now: int) -> Table:
    if deed == "flag":
        return flag(table, now)
    if deed in ACTIONS:
        return ACTIONS[deed](table, held, now)
    if deed in CLAIMS:
        return CLAIMS[deed](table, held, now, table.persons)
    moves = table.state.legal_moves()
    text = str(moves[choice % len(moves)]) if moves else "a1"
    if deed == "answer":
        return answer(table, table.state.parse(text).action if moves else 0, now)
    return move(table, held, text, now)


@given(table=tables(), deeds=DEEDS)
def test_any_order_of_deeds_keeps_a_table_lawful(
    table: Table, deeds: list[tuple[str, frozenset[int], int, int]]
) -> None:
    now = 0
    for deed, seats, choice, wait in deeds:
        now += wait
        held = seats & table.persons
        before = table
        try:
            table = attempt(before, deed, held, choice, now)
        except SkerryError as error:
            assert str(error)
            assert table is before
            continue
        if table is before:
            assert deed == "flag"
            continue
        assert not before.is_over
        assert table.version == before.version + 1
        assert table.revision == before.revision + 1
        if deed == "move":
            assert before.to_move in held
        if deed == "answer":
            assert before.to_move not in before.persons
        if deed in CLAIMS:
            assert before.to_move not in held
        check(table, now)


def check(table: Table, now: int) -> None:
    """What always holds."""
    # The line is that of the plies, whichever way it was come by.
    again = replace(table)
    assert again.line.states == table.line.states
    assert again.state == table.state
    assert again.deadline == table.deadline
    if table.is_over:
        assert table.to_move is table.thinker is table.deadline is None
        assert table.draw is table.takeback is None
        assert table.outcome is not None
        assert sum(table.outcome.returns) == pytest.approx(0)
    if table.draw is not None:
        assert len(table.seats) == 2
        assert table.draw in table.persons
    if table.takeback is not None:
        assert table.takeback.seat not in table.takeback.waiting
        assert table.takeback.waiting
    for seat in range(len(table.seats)):
        left = table.time_left(seat, now)
        assert (left is None) == (table.clock is None or seat not in table.persons)
    assert table.void is (table.result == "void")
    # Whatever is said to be possible is.
    for held in [frozenset({seat}) for seat in range(len(table.seats))]:
        for action in set(list_possible(table, held, now)) & set(ACTIONS):
            ACTIONS[action](table, held, now)
    # A record of it can be written and read.
    found = read(write_text(record(table)))
    assert found.moves() == tuple(state_move for state_move in _moves(table))


def _moves(table: Table) -> list[skerry.Move]:
    state, moves = table.start, []
    for ply in table.plies:
        moves.append(state.move(ply.action))
        state = state.play(ply.action)
    return moves


@pytest.mark.parametrize("name", sorted(TINY))
class TestTurns:
    def test_nobody_moves_out_of_turn(self, name: str) -> None:
        table = table_of(name)
        text = str(table.state.legal_moves()[0])
        assert table.to_move == 0
        with pytest.raises(Forbidden, match="turn"):
            move(table, table.persons - {0}, text, 0)

    def test_a_spectator_does_nothing(self, name: str) -> None:
        table = play(table_of(name))
        for action in ACTIONS.values():
            with pytest.raises(Forbidden, match="watch"):
                action(table, frozenset(), 0)

    def test_an_illegal_move_says_why(self, name: str) -> None:
        with pytest.raises((skerry.InvalidMove, skerry.IllegalMove)):
            move(table_of(name), frozenset({0}), "z99", 0)

    def test_a_finished_game_stays_as_it_is(self, name: str) -> None:
        table = table_of(name)
        while not table.is_over:
            table = play(table)
        assert table.outcome == table.state.outcome
        for action in ACTIONS.values():
            with pytest.raises(Refusal, match="over"):
                action(table, everybody(table), 0)

    def test_an_old_version_is_refused(self, name: str) -> None:
        table = play(table_of(name))
        expect(table, 1)
        for version in (0, 2, -1):
            with pytest.raises(Stale):
                expect(table, version)

    def test_takeback_at_one_screen_is_immediate_and_exact(self, name: str) -> None:
        tables = [table_of(name)]
        for _ in range(3):
            tables.append(play(tables[-1]))
        table = tables[-1]
        while table.plies:
            count = len(table.plies) - len(table.line.last_turn.moves)
            table = ACTIONS["ask-takeback"](table, everybody(table), 0)
            assert table.state == tables[count].state
        with pytest.raises(Refusal, match="no move"):
            ACTIONS["ask-takeback"](table, everybody(table), 0)

    def test_a_rematch_moves_everybody_one_seat_on(self, name: str) -> None:
        table = table_of(name)
        table = replace(
            table, seats=tuple(replace(s, name=f"p{n}") for n, s in enumerate(table.seats))
        )
        table = end(table, 5, 0, "an end")
        for seat in range(len(table.seats)):
            with pytest.raises(Refusal, match="takes everybody"):
                rematch(table, "new", table.start, table.seed, 6)
            table = want_rematch(table, frozenset({seat}), 6)
            with pytest.raises(Refusal, match="have asked"):
                want_rematch(table, frozenset({seat}), 6)
        after = rematch(table, "new", table.start, table.seed, 6)
        assert after.wanting == frozenset()
        names = [seat.name for seat in after.seats]
        assert names == [names[0], *[f"p{n}" for n in range(len(names) - 1)]]
        assert names[0] == f"p{len(names) - 1}"
        assert after.admin == 1
        assert after.version == 0


class TestTakeback:
    def test_against_engines_it_is_immediate_and_goes_back_to_the_own_turn(self) -> None:
        table = table_of("x", (PERSON, "level:1", "level:1"))
        table = play(table, 3)
        assert table.to_move == 0
        back = ACTIONS["ask-takeback"](table, frozenset({0}), 0)
        assert len(back.plies) == 0
        # Even while an engine thinks.
        thinking = play(table_of("skew", (PERSON, "random")))
        back = ACTIONS["ask-takeback"](thinking, frozenset({0}), 0)
        assert back.to_move == 0

    @pytest.mark.parametrize("clock", [Clock("move", 60), Clock("total", 60)])
    def test_an_unfinished_turn_gives_no_time_back(self, clock: Clock) -> None:
        table = play(table_of("skirt", clock=clock), now=0)
        while table.line.movers[-1] != table.to_move:  # until somebody is amid a turn
            table = play(table, now=table.updated + 10_000)
        seat = table.to_move
        assert seat is not None
        later = table.updated + 7_000
        left = table.time_left(seat, later)
        back = ACTIONS["ask-takeback"](table, frozenset({seat}), later)
        assert back.to_move == seat
        assert len(back.plies) < len(table.plies)
        assert back.time_left(seat, later) == left
        # At one screen there is nobody to mind: a turn that has a time of its own begins anew.
        alone = ACTIONS["ask-takeback"](table, everybody(table), later)
        assert alone.time_left(seat, later) == (left if clock.kind == "total" else 60_000)

    def test_with_others_online_all_of_them_agree(self) -> None:
        table = play(table_of("x"), 2)
        asked = ACTIONS["ask-takeback"](table, frozenset({0}), 0)
        assert len(asked.plies) == 2
        with pytest.raises(Forbidden):
            ACTIONS["accept-takeback"](asked, frozenset({0}), 0)
        half = ACTIONS["accept-takeback"](asked, frozenset({2}), 0)
        assert len(half.plies) == 2
        with pytest.raises(Forbidden):
            ACTIONS["accept-takeback"](half, frozenset({2}), 0)
        assert ACTIONS["accept-takeback"](half, frozenset({1}), 0).plies == ()
        declined = ACTIONS["decline-takeback"](half, frozenset({1}), 0)
        assert declined.takeback is None
        assert declined.plies == table.plies

    def test_a_move_ends_the_question(self) -> None:
        asked = ACTIONS["ask-takeback"](play(table_of("skew")), frozenset({0}), 0)
        assert play(asked).takeback is None

    def test_an_unfinished_turn_needs_no_consent(self) -> None:
        table = play(table_of("skirt"), 2)
        assert table.to_move == table.line.movers[-1] == 1
        back = ACTIONS["ask-takeback"](table, frozenset({1}), 0)
        assert len(back.plies) == 1

    def test_time_that_was_spent_stays_spent(self) -> None:
        table = play(table_of("skew", clock=Clock("total", 60)))
        table = play(table, now=GRACE + 20_000)
        assert table.time_left(1, 20_000) == 40_000
        now = GRACE + 30_000
        back = ACTIONS["ask-takeback"](table, everybody(table), now)
        assert len(back.plies) == 1
        # The other has thought for ten seconds meanwhile.
        assert [back.time_left(seat, now) for seat in (0, 1)] == [50_000, 40_000]
        assert back.deadline == now + GRACE + 40_000
        again = play(back, now=now)
        assert again.time_left(1, now) == 40_000

    def test_an_increment_is_earned_once(self) -> None:
        table = play(table_of("skew", clock=Clock("total", 60, 5)), 3)
        for _ in range(3):
            table = play(ACTIONS["ask-takeback"](table, everybody(table), 0))
        assert table.time_left(0, 0) == 70_000


class TestRecordedClocks:
    def times(self, table: Table) -> list[tuple[int | None, int | None]]:
        found = read(write_text(record(table)))
        return [(ply.left, ply.spent) for ply in found.line.plies]

    def test_all_turns_with_an_increment(self) -> None:
        table = play(table_of("skew", clock=Clock("total", 60, 5)))
        table = play(play(table, now=GRACE + 7_000), now=GRACE + 7_250)
        assert self.times(table) == [(65_000, 0), (58_000, 7_000), (69_750, 250)]
        assert [table.time_left(seat, 0) for seat in (0, 1)] == [69_750, 58_000]
        assert record(table).headers["TimeControl"] == "60+5"

    def test_a_turn_of_two_placements_earns_its_increment_at_its_end(self) -> None:
        table = play(table_of("skirt", clock=Clock("total", 60, 5)))
        table = play(table, now=GRACE + 7_000)
        table = play(table, now=GRACE + 10_000)
        assert self.times(table) == [(65_000, 0), (53_000, 7_000), (55_000, 3_000)]

    def test_time_for_every_turn(self) -> None:
        table = play(table_of("skew", clock=Clock("move", 60)))
        table = play(table, now=GRACE + 7_000)
        assert self.times(table) == [(60_000, 0), (53_000, 7_000)]
        assert record(table).headers["TimeControl"] == "1/60"
        assert record(table_of("skew", clock=Clock("total", 60))).headers["TimeControl"] == "60"

    def test_what_nobody_knows_is_not_said(self) -> None:
        assert self.times(play(table_of("skew"), 2)) == [(None, None)] * 2
        assert "TimeControl" not in record(table_of("skew")).headers
        table = play(table_of("skew", (PERSON, "level:1"), Clock("total", 60)), 2)
        assert self.times(table) == [(60_000, 0), (None, None)]
        table = play(play(table_of("skew", clock=Clock("total", 60))), now=GRACE + 20_000)
        table = play(ACTIONS["ask-takeback"](table, everybody(table), GRACE + 20_000))
        assert self.times(table) == [(60_000, 0), (None, 0)], (
            "it is not known when it was taken back"
        )


class TestDraw:
    def test_offer_and_answer(self) -> None:
        offered = ACTIONS["offer-draw"](table_of("skew"), frozenset({0}), 0)
        assert offered.draw == 0
        with pytest.raises(Forbidden, match="yourself"):
            ACTIONS["accept-draw"](offered, frozenset({0}), 0)
        agreed = ACTIONS["accept-draw"](offered, frozenset({1}), 0)
        assert agreed.outcome is not None
        assert agreed.outcome.winner is None
        assert agreed.outcome.returns == (0, 0)
        assert ACTIONS["decline-draw"](offered, frozenset({1}), 0).draw is None

    def test_two_offers_are_an_agreement(self) -> None:
        offered = ACTIONS["offer-draw"](table_of("skew"), frozenset({0}), 0)
        assert ACTIONS["offer-draw"](offered, frozenset({1}), 0).is_over

    def test_it_lasts_until_the_other_moves(self) -> None:
        offered = ACTIONS["offer-draw"](table_of("skew"), frozenset({0}), 0)
        assert play(offered).draw == 0
        assert play(offered, 2).draw is None

    def test_who_agrees_to_none(self) -> None:
        for table in (table_of("x"), table_of("skew", (PERSON, "level:1"))):
            with pytest.raises(Refusal):
                ACTIONS["offer-draw"](table, frozenset({0}), 0)

    @pytest.mark.parametrize("answered", ["accept", "decline"])
    @pytest.mark.parametrize("what", ["draw", "takeback"])
    def test_nothing_to_answer(self, answered: str, what: str) -> None:
        with pytest.raises(Refusal, match="nobody"):
            ACTIONS[f"{answered}-{what}"](table_of("skew"), frozenset({1}), 0)


class TestEnds:
    def test_resigning(self) -> None:
        over = ACTIONS["resign"](table_of("skew"), frozenset({1}), 0)
        assert over.outcome is not None
        assert over.outcome.winner == 0
        assert over.outcome.reason == "Second resigned: First wins"

    def test_no_flag_before_the_first_move(self) -> None:
        table = table_of("skew", clock=Clock("move", 5))
        assert table.deadline is None
        assert flag(table, 10**9) is table

    def test_the_flag_falls_on_the_very_millisecond(self) -> None:
        table = play(table_of("skew", clock=Clock("move", 5)), 2, now=LATER)
        assert table.deadline == LATER + 5000
        assert flag(table, LATER + 4999) is table
        over = flag(table, LATER + 5000)
        assert over.outcome is not None
        assert over.outcome.winner == 1
        assert "First ran out of time" in over.outcome.reason
        assert over.time_left(0, LATER + 60_000) == 0, "its clock stands still there"

    def test_a_turn_of_several_actions_has_one_time(self) -> None:
        table = play(table_of("skirt", clock=Clock("move", 5)), now=0)
        table = play(table, now=GRACE + 2000)
        assert table.to_move == 1
        assert table.deadline == GRACE + 5000

    def test_engines_have_all_the_time(self) -> None:
        table = play(table_of("skew", (PERSON, "level:1"), Clock("move", 5)), now=0)
        assert table.deadline is None
        table = play(table, now=60_000)
        assert table.deadline == 65_000
        assert table.time_left(1, 60_000) is None


class TestBeginning:
    """Nobody can lose before everybody has come and moved."""

    def waiting(self) -> Table:
        """Somebody has sent a link, and moved; the other has not come yet."""
        table = table_of("skew", clock=Clock("move", 5))
        seats = (table.seats[0], replace(table.seats[1], claimed=False))
        return play(replace(table, seats=seats, began=None))

    def test_no_time_runs_before_everybody_is_there(self) -> None:
        table = self.waiting()
        assert table.deadline is table.running is None
        assert flag(table, 10**9) is table
        came = sit(table, frozenset({1}), "Bea", 10**9)
        assert [seat.name for seat in came.seats] == [PERSON, "Bea"]
        assert came.began == came.since == 10**9
        assert came.deadline == 10**9 + GRACE + 5000

    def test_to_move_is_to_sit_down(self) -> None:
        table = play(self.waiting(), now=70)
        assert table.is_full
        assert table.began == 70
        assert table.deadline == 5070

    def test_whoever_comes_back_does_not_start_the_clock_anew(self) -> None:
        table = sit(self.waiting(), frozenset({1}), "Bea", 10)
        assert sit(table, frozenset({1}), "Bo", 99).deadline == table.deadline

    def test_an_open_seat_that_is_taken_begins_the_game(self) -> None:
        table = table_of("skew", (PERSON, OPEN), Clock("move", 5))
        table = replace(table, seats=(table.seats[0], Seat(OPEN, "")), began=None)
        assert join(table, 1, Seat("bot", "b", claimed=True), 30).began == 30

    @pytest.mark.parametrize("clock", [Clock("move", 60), Clock("total", 60, 5)])
    def test_the_first_move_of_every_seat_has_a_grace(self, clock: Clock) -> None:
        table = play(table_of("skew", clock=clock))
        assert table.time_left(1, GRACE) == 60_000
        assert table.time_left(1, GRACE + 7) == 59_993
        second = play(table, now=GRACE + 7)
        assert second.plies[-1].spent == 7
        assert second.deadline == GRACE + 7 + 60_000 + 1000 * clock.increment
        assert play(table, now=GRACE).plies[-1].spent == 0

    def test_a_flag_before_everybody_has_moved_is_no_loss(self) -> None:
        for name, moves in (("skew", 1), ("x", 2)):
            table = play(table_of(name, clock=Clock("move", 5)), moves)
            over = flag(replace(table, rated=True), GRACE + 5000)
            assert over.result == "void"
            assert not over.rated
            assert over.outcome is not None
            assert not any(over.outcome.returns)
            assert record(over).result == "*"

    def test_a_game_is_called_off_before_everybody_has_moved(self) -> None:
        for name, seats in (("skew", 2), ("x", 3)):
            for moves in range(seats):
                table = play(table_of(name), moves)
                assert "abort" in list_possible(table, frozenset({seats - 1}), 0)
                over = ACTIONS["abort"](table, frozenset({0}), 9)
                assert (over.result, over.finished) == ("void", 9)
                assert over.outcome is not None
                assert over.outcome.reason == f"{over.name_of(0)} called the game off"
            begun = play(table_of(name), seats)
            assert "abort" not in list_possible(begun, everybody(begun), 0)
            with pytest.raises(Refusal, match="resign"):
                ACTIONS["abort"](begun, everybody(begun), 0)

    def test_only_those_who_play_can_do_anything(self) -> None:
        assert list_possible(play(table_of("skew")), frozenset(), 0) == []


class TestLeaving:
    """With two seats somebody who leaves has lost; of three the others play on."""

    def three(self) -> Table:
        table = table_of("x", clock=Clock("move", 5))
        names = ("Ann", "Bea", "Cy")
        seats = [replace(s, name=n, secret=n) for s, n in zip(table.seats, names, strict=True)]
        return play(replace(table, seats=tuple(seats), rated=True, stand_in="level:2"), 3)

    def test_an_engine_takes_the_seat_of_whoever_leaves_three(self) -> None:
        table = self.three()
        assert table.to_move == 0
        ways = {
            "resign": (ACTIONS["resign"](table, frozenset({0}), 1), 0),
            "later": (ACTIONS["resign"](table, frozenset({2}), 1), 2),
            "flag": (flag(table, 5000), 0),
            "claim": (CLAIMS["claim"](table, frozenset({1}), 1, frozenset({0})), 0),
        }
        for after, seat in ways.values():
            assert not after.is_over
            name = table.seats[seat].name
            assert after.seats[seat] == Seat(
                "level:2", f"Level 2 for {name}", None, False, 0, name, 3
            )
            assert after.persons == table.persons - {seat}
            assert not after.rated
            assert after.thinker == ("level:2" if seat == 0 else None)
            headers = record(after).headers
            assert headers["Left"] == f"{table.name_of(seat)}: {name} after 3 plies"
            assert headers[table.name_of(seat)] == f"Level 2 for {name}"
        # It goes on to its end, and begins anew with the engine.
        table = ways["resign"][0]
        while not table.is_over:
            table = play(table)
        # Whoever left is not asked, and not seated.
        wanted = want_rematch(want_rematch(table, frozenset({1}), 8), frozenset({2}), 8)
        again = rematch(wanted, "new", table.start, None, 9)
        assert again.seats[1] == Seat("level:2", "Level 2")

    def test_the_last_person_among_engines_ends_the_game(self) -> None:
        table = ACTIONS["resign"](self.three(), frozenset({0}), 1)
        table = ACTIONS["resign"](table, frozenset({1}), 1)
        assert not table.is_over
        over = ACTIONS["resign"](table, frozenset({2}), 1)
        assert over.outcome is not None
        assert over.outcome.returns == (0.5, 0.5, -1)

    def test_a_win_or_a_draw_is_claimed_from_somebody_who_has_left(self) -> None:
        table = play(table_of("skew"), 2)
        claim = {"held": frozenset({1}), "now": 1, "absent": frozenset({0})}
        assert {"claim", "claim-draw"} <= set(list_possible(table, frozenset({1}), 1, {0}))
        won = CLAIMS["claim"](table, *claim.values())
        assert won.outcome is not None
        assert won.outcome.reason == "First left: Second wins"
        assert CLAIMS["claim-draw"](table, *claim.values()).result == "draw"

    def test_nobody_claims_too_early_or_for_nothing(self) -> None:
        table = play(table_of("skew"), 2)
        for held, absent, begun in [
            ({1}, set(), table),  # who is to move is here
            ({1}, {1}, table),
            ({0}, {0}, table),  # oneself
            ({1}, {0}, table_of("skew")),  # nothing counts yet
        ]:
            for action in CLAIMS.values():
                with pytest.raises(Refusal):
                    action(begun, frozenset(held), 1, frozenset(absent))
        with pytest.raises(Forbidden):
            CLAIMS["claim"](table, frozenset(), 1, frozenset({0}))
        with pytest.raises(Refusal, match="play on"):
            CLAIMS["claim-draw"](self.three(), frozenset({1}), 1, frozenset({0}))


class TestDeclined:
    """Whoever asks is told of a refusal, and asks again only after a move."""

    @pytest.mark.parametrize(
        ("ask", "what"), [("offer-draw", DRAW), ("ask-takeback", TAKEBACK)], ids=[DRAW, TAKEBACK]
    )
    def test_a_refusal_is_told_and_holds_until_a_move(self, ask: str, what: str) -> None:
        table = play(table_of("skew"))
        asked = ACTIONS[ask](table, frozenset({0}), 0)
        assert asked.declined == ()
        declined = ACTIONS[f"decline-{what}"](asked, frozenset({1}), 0)
        assert declined.declined == (Declined(what, 0, 1),)
        assert ask not in list_possible(declined, frozenset({0}), 0)
        with pytest.raises(Refusal, match="after a move"):
            ACTIONS[ask](declined, frozenset({0}), 0)
        moved = play(declined)
        assert moved.declined == ()
        assert ask in list_possible(moved, frozenset({0}), 0)

    def test_to_play_on_is_to_decline(self) -> None:
        table = play(table_of("skew"))
        for action in ("offer-draw", "ask-takeback"):
            table = ACTIONS[action](table, frozenset({0}), 0)
        told = play(table)
        assert told.declined == (Declined(DRAW, 0, 1), Declined(TAKEBACK, 0, 1))
        assert (told.draw, told.takeback) == (None, None)
        assert play(told).declined == ()

    def test_the_other_may_still_ask(self) -> None:
        table = ACTIONS["offer-draw"](table_of("skew"), frozenset({0}), 0)
        table = ACTIONS["decline-draw"](table, frozenset({1}), 0)
        assert ACTIONS["offer-draw"](table, frozenset({1}), 0).draw == 1


class TestSwap:
    """Who sits where is settled after the first turn; the game itself stays as it is."""

    def opened(self, clock: Clock | None = None) -> Table:
        table = table_of("skew", clock=clock)
        seats = tuple(
            replace(seat, name=name, secret=name)
            for seat, name in zip(table.seats, ("Ann", "Bea"), strict=True)
        )
        return play(replace(table, seats=seats, swap=MAY_SWAP))

    def test_the_second_takes_over_the_first_seat(self) -> None:
        table = self.opened()
        assert "swap" in list_possible(table, frozenset({1}), 0)
        after = ACTIONS["swap"](table, frozenset({1}), 5)
        assert [seat.name for seat in after.seats] == ["Bea", "Ann"]
        assert [seat.secret for seat in after.seats] == ["Bea", "Ann"]
        assert after.plies == table.plies
        assert after.to_move == 1
        assert (after.admin, after.swap) == (1, SWAPPED)
        assert record(after).players == ("Bea", "Ann")

    def test_it_is_for_the_second_alone_and_once(self) -> None:
        table = self.opened()
        with pytest.raises(Forbidden, match="decide"):
            ACTIONS["swap"](table, frozenset({0}), 0)
        swapped = ACTIONS["swap"](table, frozenset({1}), 0)
        early = replace(table_of("skew"), swap=MAY_SWAP)
        without = play(table_of("skew"))
        for other in (swapped, early, without, play(table), play(swapped)):
            assert not other.can_swap
            with pytest.raises(Refusal, match="after the first turn"):
                ACTIONS["swap"](other, everybody(other), 0)

    def test_the_first_turn_stays_once_seats_are_swapped(self) -> None:
        swapped = ACTIONS["swap"](self.opened(), frozenset({1}), 0)
        for held in (frozenset({0}), frozenset({0, 1})):
            with pytest.raises(Refusal, match="swapped"):
                ACTIONS["ask-takeback"](swapped, held, 0)
        assert ACTIONS["ask-takeback"](self.opened(), everybody(swapped), 0).plies == ()

    def test_clocks_follow_the_persons(self) -> None:
        table = self.opened(Clock("total", 60, 5))
        table = replace(table, plies=(replace(table.plies[0], spent=7000),))
        now = GRACE + 2000
        ann, bea = table.time_left(0, now), table.time_left(1, now)
        assert (ann, bea) == (58_000, 58_000)
        table = replace(table, plies=(replace(table.plies[0], spent=9000),))
        ann = table.time_left(0, now)
        after = ACTIONS["swap"](table, frozenset({1}), now)
        assert (after.time_left(1, now), after.time_left(0, now)) == (ann, bea)

    def test_a_rematch_has_the_rule_again(self) -> None:
        over = ACTIONS["resign"](ACTIONS["swap"](self.opened(), frozenset({1}), 0), {0}, 0)
        again = rematch(want_rematch(over, everybody(over), 9), "new", over.start, None, 9)
        assert again.swap == MAY_SWAP


def test_a_game_without_an_end_is_a_draw_at_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deeds, "LONGEST_GAME", 3)
    table = play(table_of("skew"), 2)
    assert not table.is_over
    table = play(table, 1, now=LATER)
    assert (table.result, table.finished) == ("draw", LATER)
    assert "3 plies were played" in record(table).headers["Termination"]
    assert read(write_text(record(table))).result == "1/2-1/2"
    whole = table_of("skaane")  # one that the rules end with the last ply is decided by them
    while not (after := play(whole)).is_over:
        monkeypatch.setattr(deeds, "LONGEST_GAME", len(after.plies) + 2)
        whole = after
    monkeypatch.setattr(deeds, "LONGEST_GAME", len(after.plies))
    assert play(whole).ending is None


def test_what_stays_when_moves_are_taken_back_is_not_played_again() -> None:
    table = play(table_of("skew"), 3)
    back = ACTIONS["ask-takeback"](table, everybody(table), LATER)
    assert len(back.plies) == 2
    assert back.line is table.line.before
    early = play(table_of("skirt"), 2)  # the first of two placements
    assert early.to_move == 1
    held = frozenset({1})
    assert ACTIONS["ask-takeback"](early, held, LATER).line is early.line.before
