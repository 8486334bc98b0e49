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
