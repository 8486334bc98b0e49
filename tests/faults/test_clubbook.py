"""The club's checker finds what is wrong with made-up clubs, and nothing in one that is right."""

from copy import deepcopy
from typing import Any

import pytest

from faults import checker
from faults.clubbook import (
    OPENED,
    BoutSeen,
    ClubBook,
    ClubSeen,
    EventSeen,
    TableSeen,
    check_club,
)

TOLD = ClubBook(
    accounts={"Ann": "a", "Bob": "b"},
    games={"one": ("Ann", "Bob"), "two": ("Bob", "Ann")},
    ended={"one"},
    entered={"cup": {"Ann", "Bob"}},
    begun={"cup"},
    decided=[("rude", 204), ("loud", None), ("no", 403)],
    mailed={"ann@example.org"},
)
SEEN = ClubSeen(
    people={"Ann": "a", "Bob": "b"},
    rated={"Ann": [("one", 1)], "Bob": [("one", 1)]},
    counted={"Ann": 1, "Bob": 1},
    tables={
        "one": TableSeen(("a", "b"), True, True, yours={"Ann": (0,), "Bob": (1,), "": ()}),
        "two": TableSeen(("b", "a"), False, True),
        "bout": TableSeen(("a", "b"), True, False),
    },
    events={"cup": EventSeen("over", ("a", "b"), (BoutSeen(("a", "b"), "bout", (0,)),))},
    reasons=["rude"],
    letters={"ann@example.org"},
)
BOUT = BoutSeen(("a", "b"), "bout", (0,))


def find(**changed: Any) -> set[str]:
    seen = deepcopy(SEEN)
    for name, value in changed.items():
        setattr(seen, name, value)
    return {flaw.kind for flaw in check_club(TOLD, seen)}


def test_a_club_that_is_right() -> None:
    assert find() == set()
    assert find(reasons=["loud", "rude"]) == set(), "nobody knows whether it was done"


@pytest.mark.parametrize(
    ("changed", "flaw"),
    [
        ({"people": {"Ann": "a", "Bob": None}}, checker.GONE),
        ({"people": {"Ann": "a", "Bob": "c"}}, checker.GONE),
        ({"opened": ["token"]}, OPENED),
        ({"rated": {"Ann": [("one", 1)]}}, checker.LOST),
        ({"rated": {"Ann": [("one", 1), ("one", 2)]}}, checker.DOUBLED),
        ({"counted": {"Ann": 2, "Bob": 1}}, checker.WRONG),
        ({"rated": {"Ann": [("one", 1), ("two", 2)]}}, checker.UNEXPLAINED),
        ({"reasons": []}, checker.LOST),
        ({"reasons": ["rude", "rude"]}, checker.DOUBLED),
        ({"reasons": ["rude", "no"]}, checker.UNEXPLAINED),
        ({"reasons": ["rude", "why"]}, checker.UNEXPLAINED),
        ({"letters": set()}, checker.LOST),
    ],
)
def test_what_is_wrong_with_a_club(changed: dict[str, Any], flaw: str) -> None:
    assert flaw in find(**changed)


@pytest.mark.parametrize(
    ("table", "flaw"),
    [
        (None, checker.GONE),
        (TableSeen(("a", "b"), False, True), checker.LOST),
        (TableSeen(("a", "c"), True, True), checker.WRONG),
        (TableSeen(("a", "b"), True, True, yours={"": (0,)}), OPENED),
        (TableSeen(("a", "b"), True, True, yours={"Ann": (0, 1)}), OPENED),
        (TableSeen(("a", "b"), True, True, yours={"Ann": ()}), checker.LOST),
    ],
)
def test_what_is_wrong_with_a_game(table: TableSeen | None, flaw: str) -> None:
    others = {id: each for id, each in SEEN.tables.items() if id != "one"}
    assert flaw in find(tables=others if table is None else {**others, "one": table})


@pytest.mark.parametrize(
    ("event", "flaw"),
    [
        (EventSeen("playing", ("a",), ()), checker.LOST),
        (EventSeen("gathering", ("a", "b"), ()), checker.LOST),
        (EventSeen("playing", ("a", "b", "a"), (BOUT,)), checker.DOUBLED),
        (EventSeen("playing", ("a", "b"), (BOUT, BOUT)), checker.DOUBLED),
        (EventSeen("over", ("a", "b"), ()), checker.LOST),
        (EventSeen("over", ("a", "b"), (BoutSeen(("a", "b"), "bout", None),)), checker.LOST),
        (EventSeen("playing", ("a", "b"), (BoutSeen(("a", "c"), "bout", None),)), checker.WRONG),
        (
            EventSeen("playing", ("a", "b"), (BoutSeen(("a", "b"), "two", (0,)),)),
            checker.UNEXPLAINED,
        ),
    ],
)
def test_what_is_wrong_with_a_tournament(event: EventSeen, flaw: str) -> None:
    assert flaw in find(events={"cup": event})
