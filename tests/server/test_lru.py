"""The LRU cache: what was used last stays."""

from skerry.server.web.lru import Recent


def test_what_was_used_longest_ago_goes_first() -> None:
    recent: Recent[str, int] = Recent(2)
    recent["a"], recent["b"] = 1, 2
    assert recent.get("a") == 1
    recent["c"] = 3
    assert "b" not in recent
    assert recent.get("b") is None
    assert list(recent.items()) == [("a", 1), ("c", 3)]
    assert recent.pop("a") == 1
    assert recent.pop("a") is None
    assert len(recent) == 1
    recent.clear()
    assert list(recent.values()) == []


def test_what_weighs_much_takes_the_place_of_several() -> None:
    recent: Recent[str, bytes] = Recent(10, weigh=len)
    recent["a"], recent["b"], recent["c"] = b"1234", b"1234", b"12"
    assert recent.weight == 10
    recent["b"] = b"1"  # in the place of the one before
    assert recent.weight == 7
    recent["d"] = b"123456"
    assert [key for key, _ in recent.items()] == ["c", "b", "d"]
    recent["e"] = b"more than there is room for"
    assert (len(recent), recent.weight) == (0, 0)
