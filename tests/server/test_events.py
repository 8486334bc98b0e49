"""The domain of tournaments: whatever happens in whatever order, an event comes to its end."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.test_table import everybody, table_of
from skerry.core.errors import OptionsError
from skerry.server.db.durations import DAY, MINUTE, SECOND
from skerry.server.play.actions import act, list_possible
from skerry.server.play.clocks import A_DAY, ARRIVAL, GRACE, Clock
from skerry.server.play.deeds import answer, flag, move, resign
from skerry.server.play.table import Table
from skerry.server.tournaments.course import MOST_MISSED, BoutEnding, begin, judge, proceed
from skerry.server.tournaments.event import (
    CALLED_OFF,
    GATHERING,
    OVER,
    PATIENCE,
    PLAYING,
    Entry,
    Event,
    EventTerms,
    call_off,
    join,
    leave,
)
from skerry.server.web.errors import Refusal, Taken

FAST = {"kind": "total", "seconds": 300, "increment": 3}
NOBODY = frozenset[int]()


def event_of(system: str = "swiss", people: int = 4, seats: int = 2, **terms: object) -> Event:
    minutes = 10 if system == "arena" else None
    chosen = EventTerms("Cup", "skew", {}, seats, FAST, system, **{"minutes": minutes, **terms})  # type: ignore[arg-type]
    chosen.check(0)
    event = Event("id", chosen, "person:p0", "p0", 0, 7)
    for number in range(people):
        event = join(event, Entry(f"person:p{number}", f"p{number}", 0), 0)
    return event


def give_games(event: Event) -> Event:
    """The event with a game for every bout, as the director makes them."""
    bouts = tuple(
        replace(b, game=f"g{b.round}-{b.number}") if b.is_open and b.game is None else b
        for b in event.bouts
    )
    return replace(event, bouts=bouts)


def draw_endings(event: Event, lots: Random, absent: float = 0.0) -> dict[str, BoutEnding]:
    """How some of the games that go on have ended, one of them at least."""
    going = [bout for bout in event.bouts if bout.is_open]
    chosen = lots.sample(going, lots.randint(1, len(going))) if going else []
    endings = {}
    for bout in chosen:
        seats = range(len(bout.players))
        winner = lots.choice(seats)
        missing = tuple(s for s in seats if s != winner)[:1] if lots.random() < absent else ()
        is_drawn = not missing and lots.random() < 0.3
        winners = tuple(seats) if is_drawn else (winner,)
        endings[bout.game or ""] = BoutEnding(winners, missing)
    return endings


@settings(max_examples=120)
@given(
    st.sampled_from([("round-robin", 2), ("round-robin", 3), ("swiss", 2), ("swiss", 3)])
    | st.sampled_from([("knockout", 2), ("arena", 2)]),
    st.integers(3, 9),
    st.integers(0, 10**9),
)
def test_whatever_happens_it_comes_to_an_end(kind: tuple[str, int], people: int, seed: int) -> None:
    system, seats = kind
    lots, now = Random(seed), 0
    event = begin(event_of(system, people, seats), now)
    for _ in range(600):
        now += MINUTE // 2
        after = give_games(proceed(event, draw_endings(event, lots, absent=0.1), now))
        again = proceed(after, {}, now)
        assert again is after or system == "arena"  # looking twice pairs nothing twice
        if lots.random() < 0.05 and after.active:
            after = leave(after, lots.choice(after.active).entrant, now)
        assert len({(b.round, b.number) for b in after.bouts}) == len(after.bouts)
        for number, players in Counter(
            (b.round, p) for b in after.bouts for p in b.players if system != "arena"
        ).items():
            assert players == 1 or system == "knockout", number
        busy = [p for b in after.bouts if b.is_open for p in b.players]
        assert len(busy) == len(set(busy))
        event = after
        if event.state == OVER:
            break
    assert event.state == OVER
    assert all(bout.winners is not None for bout in event.bouts)


def test_it_begins_with_enough_people_at_its_time_or_by_hand() -> None:
    crowd = event_of("swiss", 3, quorum=4)
    assert proceed(crowd, {}, MINUTE) is crowd
    full = proceed(join(crowd, Entry("level:1", "Level 1", 0), 0), {}, MINUTE)
    assert full.state == PLAYING
    assert len(full.bouts) == 2
    timed = event_of("swiss", 3, starts=MINUTE)
    assert proceed(timed, {}, MINUTE - 1) is timed
    assert proceed(timed, {}, MINUTE).state == PLAYING
    lonely = proceed(event_of("swiss", 1, starts=MINUTE), {}, MINUTE)
    assert (lonely.state, lonely.finished) == (CALLED_OFF, MINUTE)
    forgotten = event_of("swiss", 5)
    assert proceed(forgotten, {}, PATIENCE - 1) is forgotten
    assert proceed(forgotten, {}, PATIENCE).state == CALLED_OFF


def test_seeds_are_by_rating_and_then_as_people_joined() -> None:
    event = event_of("knockout", 4)
    rated = [None, 1500, None, 1700]
    event = replace(
        event,
        entries=tuple(replace(e, rating=r) for e, r in zip(event.entries, rated, strict=True)),
    )
    order = [entry.entrant[-1] for entry in begin(event, 0).entries]
    assert order == ["3", "1", "0", "2"]


@pytest.mark.parametrize(("system", "most"), [("swiss", MOST_MISSED), ("arena", 1)])
def test_whoever_stays_away_is_dropped_and_may_come_back(system: str, most: int) -> None:
    event = give_games(proceed(begin(event_of(system, 4), 0), {}, 0))
    away = "person:p2"
    for count in range(1, most + 1):
        endings = {}
        for bout in (bout for bout in event.bouts if bout.is_open):
            seat = bout.players.index(away) if away in bout.players else None
            ending = BoutEnding((0,)) if seat is None else BoutEnding((1 - seat,), (seat,))
            endings[bout.game or ""] = ending
        event = give_games(proceed(event, endings, MINUTE * count))
        entry = event.find(away)
        assert entry is not None
        assert (entry.left is None) == (count < most)
    assert not any(bout.is_open and away in bout.players for bout in event.bouts)
    back = join(event, Entry(away, "p2", 0), 0)
    assert away in {entry.entrant for entry in back.active}


def test_an_arena_ends_by_the_clock_once_all_games_are_over() -> None:
    event = give_games(proceed(begin(event_of("arena", 5), 0), {}, 0))
    assert event.ends == 10 * MINUTE
    late = proceed(event, {}, 10 * MINUTE)
    assert late is event
    with pytest.raises(Refusal, match="about to end"):
        join(event, Entry("person:late", "late", 0), 10 * MINUTE)
    endings = {bout.game or "": BoutEnding((0,)) for bout in event.bouts}
    assert proceed(event, endings, 11 * MINUTE).state == OVER


def test_levels_of_an_arena_do_not_play_each_other() -> None:
    event = event_of("arena", 1)
    for level in range(1, 5):
        event = join(event, Entry(f"level:{level}", f"Level {level}", 0), 0)
    event = proceed(begin(event, 0), {}, 0)
    assert [sorted(bout.players)[-1] for bout in event.bouts] == ["person:p0"]


@pytest.mark.parametrize(
    ("terms", "complaint"),
    [
        ({"system": "ladder"}, "not 'ladder'"),
        ({"system": "knockout", "seats": 3}, "for games of two"),
        ({"system": "arena", "minutes": None}, "number of minutes"),
        ({"system": "swiss", "minutes": 5}, "number of minutes"),
        ({"system": "knockout", "rounds": 3}, "rounds are chosen"),
        ({"system": "swiss", "starts": 10**15}, "next 60 days"),
        ({"system": "swiss", "quorum": 1}, "quorum is from 2 to 128"),
        ({"system": "round-robin", "quorum": 33}, "quorum is from 2 to 32"),
    ],
)
def test_what_cannot_be_held_is_refused(terms: dict[str, object], complaint: str) -> None:
    with pytest.raises((Refusal, OptionsError), match=complaint):
        event_of(**terms)  # type: ignore[arg-type]


def test_who_may_come_and_go() -> None:
    event = event_of("round-robin", 4)
    assert join(event, Entry("person:p1", "p1", 0), 0) is event
    gone = leave(event, "person:p1", 0)
    assert [entry.number for entry in gone.entries] == [0, 1, 2]
    with pytest.raises(Refusal, match="you do not take part"):
        leave(gone, "person:p1", 0)
    begun = begin(event, 0)
    with pytest.raises(Refusal, match="has begun"):
        join(begun, Entry("person:late", "late", 0), 0)
    with pytest.raises(Taken, match="32 take part"):
        join(event_of("round-robin", 32), Entry("person:late", "late", 0), 0)
    off = call_off(event, MINUTE)
    assert off.state == CALLED_OFF
    assert proceed(off, {}, MINUTE) is off
    for deed in (lambda: call_off(off, 0), lambda: join(off, Entry("person:x", "x", 0), 0)):
        with pytest.raises(Refusal, match="over"):
            deed()
    assert event.state == GATHERING


# Games of a tournament


def bound(name: str, clock: Clock, kinds: tuple[str, ...] | None = None) -> Table:
    return replace(table_of(name, kinds, clock), event="id")


def play_first(table: Table, now: int) -> Table:
    return move(table, everybody(table), str(table.state.legal_moves()[0]), now)


@pytest.mark.parametrize(
    ("clock", "due"),
    [
        (Clock("total", 600), ARRIVAL),
        (Clock("total", 60), GRACE + 60 * SECOND),
        (Clock("days", 2 * A_DAY), GRACE + 2 * DAY),
    ],
)
def test_whoever_does_not_come_in_time_has_lost(clock: Clock, due: int) -> None:
    table = replace(bound("skew", clock), rated=True)
    assert table.deadline == due
    assert flag(table, due - 1) is table
    over = flag(table, due)
    assert (over.result, over.void, over.rated) == ("1", False, False)
    assert judge(over) == BoutEnding((1,), (0,))
    later = play_first(table, SECOND)
    assert later.deadline == SECOND + due
    assert judge(flag(later, SECOND + due)) == BoutEnding((0,), (1,))


def test_a_game_of_a_tournament_counts_from_its_beginning() -> None:
    table = bound("skew", Clock("total", 600))
    for action in ("abort", "ask-takeback"):
        assert action not in list_possible(table, everybody(table), 0)
    with pytest.raises(Refusal, match="games of a tournament count"):
        act(table, everybody(table), "abort", 0, NOBODY)
    later = play_first(table, SECOND)
    with pytest.raises(Refusal, match="games of a tournament count"):
        act(later, everybody(later), "ask-takeback", SECOND, NOBODY)
    over = resign(later, frozenset({0}), SECOND)
    assert judge(over) == BoutEnding((1,))
    assert "rematch" not in list_possible(over, everybody(over), SECOND)
    assert judge(later) is None


def test_in_a_game_of_three_an_engine_wins_nothing_for_whoever_left() -> None:
    table = bound("x", Clock("total", 600))
    away = flag(table, ARRIVAL)
    assert away.seats[0].left is not None
    assert not away.is_over
    now = ARRIVAL
    while not away.is_over:
        now += SECOND
        action = away.state.legal_moves()[0]
        held = everybody(away)
        seat = away.to_move
        if seat in held and away.seats[seat].is_person:
            away = move(away, held, str(action), now)
        else:
            away = answer(away, int(action), now)
    ending = judge(away)
    assert ending is not None
    assert ending.absent == (0,)
    winner = away.outcome.winner if away.outcome else None
    assert ending.winners == (() if winner == 0 else (winner,))
