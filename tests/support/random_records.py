"""Random records of every game, on boards small enough for games to end."""

from functools import cache
from typing import Any

from hypothesis import strategies as st

import skerry
from skerry.records import MARKS, Line, Ply, Record, find_result, list_results
from skerry.records.annotations import LONGEST_TIME

# A game without a row here is played with its default options.
SMALL: dict[str, dict[str, Any]] = {
    "skew": {"side": 2, "pegs": 3},
    "skirt": {"side": 3},
    "x": {"size": 3},
    "skaane": {"width": 2, "height": 4, "gods": 1, "kings": 1, "serfs": 1, "quiet_limit": 6},
}
DEEPEST_DRAWN = 3
LONGEST_DRAWN = 12

# What could upset a reader, mixed with all that Unicode has.
AWKWARD = st.sampled_from(list("{}()[];\\\" \n\r\t\0\x1b*.-'1a%u\u2028\x85\ufeff"))
LETTERS = AWKWARD | st.characters(exclude_categories=["Cs"])
TEXTS = st.text(LETTERS, max_size=30) | st.text(st.sampled_from("ab {}\\"), max_size=120)
COMMENTS = st.just(()) | st.lists(TEXTS, min_size=1, max_size=2).map(tuple)
TIMES = st.none() | st.integers(0, 200_000) | st.integers(0, LONGEST_TIME)
ANNOTATIONS = st.tuples(st.sampled_from(["", *MARKS]), TIMES, TIMES)
KEYS = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,9}", fullmatch=True).filter(
    lambda key: key.capitalize() not in ("Game", "Options", "Seed", "Position", "Result")
)


@cache
def small_game(name: str) -> skerry.Game:
    return skerry.make(name, **SMALL.get(name, {}))


@st.composite
def lines(draw: st.DrawFn, state: skerry.State, least: int = 0, depth: int = 0) -> Line:
    plies: list[Ply] = []
    comments = draw(COMMENTS)
    length = draw(st.integers(least, max(least, LONGEST_DRAWN // (depth + 1))))
    while len(plies) < length and not state.is_over:
        actions = state.legal_actions().tolist()
        # One draw decides everything about most plies, which keeps examples small.
        choice = draw(st.integers(0, 8 * len(actions) - 1))
        action, extras = actions[choice % len(actions)], choice // len(actions)
        said = draw(COMMENTS) if extras & 1 else ()
        varied = extras & 2 and depth < DEEPEST_DRAWN
        variations = draw(st.lists(lines(state, 1, depth + 1), max_size=2)) if varied else []
        marked = draw(ANNOTATIONS) if extras & 4 else ("", None, None)
        plies.append(Ply(action, said, tuple(variations), *marked))
        state = state.play(action)
    return Line(tuple(plies), comments)


@st.composite
def records(draw: st.DrawFn, name: str) -> Record:
    game = small_game(name)
    seed = draw(st.none() | st.integers(0, 2**63 - 1))
    start = game.initial(seed or 0)
    if seed is None:
        for _ in range(draw(st.integers(0, 3))):
            if not start.is_over:
                start = start.play(draw(st.sampled_from(start.legal_actions().tolist())))
    line = draw(lines(start))
    end = start
    for ply in line.plies:
        end = end.play(ply.action)
    result = find_result(end) if end.is_over else draw(st.sampled_from(list_results(game)))
    headers = draw(st.dictionaries(KEYS, TEXTS, max_size=3))
    return Record(start, line, result, headers, seed)
