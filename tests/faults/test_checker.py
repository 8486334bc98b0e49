"""The checker finds what is wrong with made-up histories, and nothing in those that are right."""

from dataclasses import replace

import pytest

from faults import checker
from faults.checker import check
from faults.history import LOOK, MOVE, SAVE, SAY, Deed, History, Place, Sight

GAME = Place("game", ("a", "b"), seats=2)
STUDY = Place("study", ("s",), is_study=True)
OVER = Sight(3, ("a", "b", "c"), over=True)


def move(base: int, text: str, status: int | None = 200, *moves: str) -> Deed:
    """A move that takes a second, which begins at a time that is its version."""
    sight = Sight(base + 1, moves) if moves else None
    return Deed(MOVE, "game", base, base + 0.9, status, base, text, sight)


def tell(*deeds: Deed, place: Place = GAME) -> History:
    history = History({place.id: place})
    for deed in deeds:
        history.note(deed)
    return history


THREE = (move(0, "a", 200, "a"), move(1, "b", 200, "a", "b"), move(2, "c", 200, "a", "b", "c"))


def find(history: History, end: Sight | None) -> list[str]:
    return [flaw.kind for flaw in check(history, dict.fromkeys(history.places, end))]


def test_what_was_acknowledged_is_there() -> None:
    assert find(tell(*THREE), Sight(3, ("a", "b", "c"))) == []


@pytest.mark.parametrize("end", [Sight(2, ("a", "b")), Sight(3, ("a", "b", "c"))])
def test_what_nobody_knows_may_be_there_or_not(end: Sight) -> None:
    for status in (None, 503):
        assert find(tell(*THREE[:2], move(2, "c", status)), end) == []
    refused = find(tell(*THREE[:2], move(2, "c", 409)), end)
    assert refused == ([] if end.version == 2 else [checker.UNEXPLAINED])


def test_a_chain_of_what_nobody_knows() -> None:
    """Nobody saw the versions between, and still only one line leads to the last."""
    deeds = (move(0, "a", None), move(0, "b", None), move(1, "c", None), move(2, "d", None))
    assert find(tell(*deeds), Sight(3, ("b", "c", "d"))) == []
    assert find(tell(*deeds), Sight(3, ("a", "b", "d"))) == [checker.UNEXPLAINED]
    assert find(tell(*deeds[:3]), Sight(3, ("b", "c", "d"))) == [checker.UNEXPLAINED]


@pytest.mark.parametrize(
    ("end", "flaw"),
    [
        (Sight(2, ("a", "b")), checker.LOST),  # with all that came after
        (Sight(3, ("a", "b")), checker.TORN),  # what was shown of it is something else
        (Sight(3, ("a", "b", "c", "c")), checker.TORN),
        (Sight(3, ("b", "a", "c")), checker.TORN),
        (Sight(4, ("a", "b", "c", "c")), checker.UNEXPLAINED),
    ],
)
def test_an_end_that_is_another_than_was_shown(end: Sight, flaw: str) -> None:
    found = find(tell(*THREE), end)
    assert found[:1] == [flaw]


@pytest.mark.parametrize(
    ("end", "flaw"),
    [
        (Sight(3, ("a", "b")), checker.LOST),
        (Sight(3, ("a", "b", "x")), checker.LOST),
        (Sight(3, ("a", "b", "c", "c")), checker.DOUBLED),
        (Sight(3, ("a", "c", "b")), checker.REORDERED),
    ],
)
def test_an_acknowledged_move_that_is_not_in_its_place(end: Sight, flaw: str) -> None:
    """Its answer did not show the game."""
    assert find(tell(*THREE[:2], replace(THREE[2], sight=None)), end) == [flaw]


def test_two_acknowledged_for_one_version() -> None:
    assert find(tell(*THREE[:2], move(1, "x")), Sight(2, ("a", "b"))) == [checker.DOUBLED]


def test_a_move_after_the_end() -> None:
    deeds = (*THREE[:2], replace(THREE[2], sight=OVER))
    assert find(tell(*deeds), OVER) == []
    after = find(tell(*deeds, move(3, "d", 200)), Sight(4, ("a", "b", "c", "d"), over=True))
    assert after == [checker.AFTER_END]


def test_an_end_that_nobody_brought_about() -> None:
    """Such as a flag that fell when a clock was set."""
    assert find(tell(*THREE[:2]), Sight(3, ("a", "b"), over=True)) == [checker.UNEXPLAINED]
    resigned = Deed("resign", "game", 2, 2.5, None, 2)
    assert find(tell(*THREE[:2], resigned), Sight(3, ("a", "b"), over=True)) == []
    offered = replace(resigned, kind="decline-draw")
    assert find(tell(*THREE[:2], offered), Sight(3, ("a", "b"), over=True)) != []


def test_moves_that_are_taken_back() -> None:
    asked, accepted = (
        Deed(kind, "game", base, base + 0.5, 200, base)
        for base, kind in ((2, "ask-takeback"), (3, "accept-takeback"))
    )
    assert find(tell(*THREE[:2], asked, accepted), Sight(4, ("a",))) == []
    assert find(tell(*THREE[:2], asked, accepted), Sight(4, ("b",))) == [checker.LOST]


def test_engines_move_by_themselves() -> None:
    history = tell(*THREE[:2], place=replace(GAME, engines=True))
    assert find(history, Sight(3, ("a", "b", "e"))) == []
    assert find(history, Sight(3, ("a", "e"))) == [checker.UNEXPLAINED]
    left = Deed("resign", "game", 2, 2.5, 200, 2, sight=Sight(3, ("a", "b")))
    three = replace(GAME, seats=3)
    assert find(tell(*THREE[:2], left, place=three), Sight(4, ("a", "b", "e"))) == []
    assert find(tell(*THREE[:2], left), Sight(4, ("a", "b", "e"))) == [checker.UNEXPLAINED]


def test_what_is_gone() -> None:
    assert find(tell(*THREE), None) == [checker.GONE]
    assert find(tell(place=STUDY), None) == [checker.GONE]


def test_a_study_has_what_was_saved_last() -> None:
    saved = [
        Deed(SAVE, "study", base, base + 0.5, status, base, f"text {base}")
        for base, status in enumerate((200, 200, None))
    ]
    history = tell(*saved, place=STUDY)
    assert find(history, Sight(3, ("text 2",))) == []
    assert find(history, Sight(2, ("text 1",))) == []
    assert find(history, Sight(2, ("text 0",))) == [checker.LOST]
    assert find(history, Sight(1, ("text 0",))) == [checker.LOST]
    assert find(history, Sight(4, ("text 1",))) == [checker.UNEXPLAINED]


def test_remarks_are_there_once_and_in_order() -> None:
    said = [
        Deed(SAY, "game", at, at + 0.5, status, content=text)
        for at, (text, status) in enumerate(
            [("hi", 200), ("ho", None), ("he", 200), ("no", 422), ("ha", 503)]
        )
    ]
    history = tell(*said)

    def chat(*remarks: str) -> list[str]:
        return find(history, Sight(0, chat=remarks))

    assert chat("hi", "he") == chat("hi", "ho", "he", "ha") == []
    assert chat("hi", "ho") == [checker.LOST]
    assert chat("hi", "he", "ho", "ho") == [checker.DOUBLED]
    assert chat("he", "hi") == [checker.REORDERED]
    assert chat("hi", "he", "no") == chat("hi", "he", "hu") == [checker.UNEXPLAINED]


def test_a_viewer_that_never_heard() -> None:
    end = Sight(3, ("a", "b", "c"), chat=("hi",))
    history = tell(*THREE, Deed(SAY, "game", 3, 4, 200, content="hi"))
    history.heard["game 1"] = [("game", THREE[0].sight or OVER), ("game", end)]
    assert find(history, end) == []
    for heard in ([], [THREE[1].sight], [replace(end, chat=())]):
        history.heard["game 2"] = [("game", sight) for sight in heard if sight is not None]
        assert find(history, end) == [checker.UNHEARD]


def test_a_viewer_that_was_shown_what_never_was() -> None:
    history = tell(*THREE)
    end = Sight(3, ("a", "b", "c"))
    history.heard["game 1"] = [("game", Sight(2, ("a", "x"))), ("game", end)]
    assert find(history, end) == [checker.TORN]


def test_a_look_that_came_too_late() -> None:
    def look(at: float) -> Deed:
        return Deed(LOOK, "game", at, at + 0.1, 200, sight=Sight(1, ("a",)))

    end = Sight(3, ("a", "b", "c"))
    assert find(tell(*THREE, look(1.5)), end) == []  # while the second move was being made
    assert find(tell(*THREE, look(1.95)), end) == [checker.STALE]


@pytest.mark.parametrize(("status", "is_right"), [(503, True), (500, False), (404, False)])
def test_answers_that_nobody_should_get(status: int, is_right: bool) -> None:
    looked = Deed(LOOK, "game", 5, 6, status)
    found = find(tell(*THREE, looked), Sight(3, ("a", "b", "c")))
    assert found == ([] if is_right else [checker.WRONG])
