"""Small boards, every single case."""

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

import skerry
from reference.x import X as ReferenceX
from skerry.core import bits
from skerry.core.kernels import kernel
from skerry.games.skirt import rules as skirt
from skerry.games.x import rules as x
from support.repeating import some_of

X_SEATS, X_CORNERS = 3, 4


@kernel
def owners_by_flood(t, s, owners):  # type: ignore[no-untyped-def]
    """Who owns each corner of a full board; how many corners have no or more than one owner."""
    for base in range(2):
        for seat in range(X_SEATS):
            x.flood_stones(t, s, base, seat)
    ambiguous = 0
    for corner in range(X_CORNERS):
        owners[corner], farthest = x.outermost(t, s, corner)
        count = 0
        for seat in range(X_SEATS):
            row = x.BY_STONES + x.base_of(corner) * X_SEATS + seat
            count += x.reach(t, s, corner, row) == farthest
        ambiguous += count != 1 or farthest == 0
    return ambiguous


@kernel
def check_fillings(tables, states, size, cells):  # type: ignore[no-untyped-def]
    """The number of fillings, and of those with a corner or a game that has not one owner."""
    t, s = tables[0], states[0]
    total = X_SEATS**cells
    bad = 0
    owners = np.zeros(X_CORNERS, np.int64)
    for filling in range(total):
        for seat in range(X_SEATS):
            for w in range(s.stones.shape[1]):
                s.stones[seat, w] = bits.NONE
        rest = filling
        for cell in range(cells):
            bits.add(s.stones[rest % X_SEATS], bits.signed(t.place[cell]))
            rest //= X_SEATS
        ambiguous = owners_by_flood(t, s, owners)
        score = [0, 0, 0]
        for corner in range(X_CORNERS):
            score[owners[corner]] += 1
            s.owner[corner] = owners[corner]
        winners = 0
        for seat in range(X_SEATS):
            best = True
            unique = score[seat] not in (score[(seat + 1) % 3], score[(seat + 2) % 3])
            for other in range(X_SEATS):
                alone = score[other] not in (score[(other + 1) % 3], score[(other + 2) % 3])
                best = best and not (alone and score[other] > score[seat])
            if unique and best:
                winners += 1
                ambiguous += x.winning_seat(s) != seat
        bad += ambiguous > 0 or winners != 1
    return total, bad


@pytest.mark.clause("x.3", "x.5", "x.6")
@pytest.mark.parametrize(
    "size", [2, 3, pytest.param(4, marks=pytest.mark.soak)], ids="{0}x{0}".format
)
def test_every_full_x_board_has_one_owner_per_corner_and_one_winner(size: int) -> None:
    game = skerry.make("x", size=size)
    total, bad = check_fillings(game.tables, np.zeros(1, game.dtype), size, size * size)
    assert total == 3 ** (size * size)
    assert bad == 0


@pytest.mark.clause("x.3")
@pytest.mark.parametrize("size", some_of([2, 3], [2]))
def test_owners_of_full_x_boards_agree_with_the_reference(size: int) -> None:
    """The reference also checks that both sides of a corner name the same owner."""
    game = skerry.make("x", size=size)
    reference = ReferenceX(size=size)
    names = game.board.names
    rows = [names[row.start : row.stop] for row in reversed(game.board.rows)]
    for filling in itertools.product("ryg", repeat=size * size):
        cells = dict(zip(names, filling, strict=True))
        text = "/".join("".join(cells[name] for name in row) for row in rows)
        state = game.position(f"{text} r")
        owners = state.raw["owner"].tolist()
        assert owners == [reference.owner(cells, corner) for corner in reference.corners]


@kernel
def settle_everywhere(tables, states, cells, settled):  # type: ignore[no-untyped-def]
    """For every position (base 4: empty or a seat) the settled owner of every corner, or OPEN."""
    t, s = tables[0], states[0]
    for position in range(4**cells):
        for seat in range(X_SEATS):
            s.stones[seat, 0] = bits.NONE
        s.empty[0] = t.board[0]
        for cell in range(cells):
            stone = (position >> (2 * cell)) & 3
            if stone > 0:
                x.put(s, stone - 1, bits.signed(t.place[cell]))
        for corner in range(X_CORNERS):
            settled[position, corner] = x.settled_owner(t, s, corner)


@pytest.fixture(scope="session")
def settled_3x3() -> NDArray[np.int8]:
    game = skerry.make("x", size=3)
    settled = np.zeros((4**9, X_CORNERS), np.int8)
    settle_everywhere(game.tables, np.zeros(1, game.dtype), 9, settled)
    return settled


@pytest.mark.clause("x.4")
def test_settled_corners_never_change_in_any_continuation(
    settled_3x3: NDArray[np.int8],
) -> None:
    """Exhaustive on 3x3: no stone of any seat on any empty cell unsettles or moves a corner."""
    positions = np.arange(4**9)
    for cell in range(9):
        empty = positions[(positions >> (2 * cell)) & 3 == 0]
        before = settled_3x3[empty]
        for stone in range(1, 4):
            after = settled_3x3[empty | stone << (2 * cell)]
            assert np.all((before == x.OPEN) | (before == after))


@pytest.mark.clause("x.4")
def test_settled_means_that_every_completion_agrees(settled_3x3: NDArray[np.int8]) -> None:
    """Exhaustive on 3x3: a corner is settled exactly if all ways to fill the board agree on it."""
    possible = np.zeros((4**9, X_CORNERS), np.uint8)  # a bit per seat
    positions = np.arange(4**9)
    empties = sum(((positions >> (2 * cell)) & 3 == 0).astype(int) for cell in range(9))
    full = positions[empties == 0]
    possible[full] = 1 << settled_3x3[full]
    for count in range(1, 10):
        for position in positions[empties == count].tolist():
            cell = next(c for c in range(9) if not position >> (2 * c) & 3)
            children = [position | stone << (2 * cell) for stone in (1, 2, 3)]
            possible[position] = np.bitwise_or.reduce(possible[children])
    alone = {1: 0, 2: 1, 4: 2}
    expected = np.full(8, x.OPEN, np.int8)
    for mask, seat in alone.items():
        expected[mask] = seat
    assert np.array_equal(expected[possible], settled_3x3)


@kernel
def count_connected(tables, blank, states, cells, tally):  # type: ignore[no-untyped-def]
    """Over all fillings of a Skirt board: how many have no, one and two connected colours."""
    t, s = tables[0], states[0]
    codes = np.zeros(cells, np.uint8)
    for filling in range(1 << cells):
        states[0] = blank[0]
        for cell in range(cells):
            codes[cell] = 1 + ((filling >> cell) & 1)
        possible = skirt.restore(t, s, codes, 0)
        tally[0 if s.over == 0 else (1 if possible else 2)] += 1


@pytest.mark.clause("skirt.6", "skirt.7")
@pytest.mark.parametrize(("side", "both"), [(2, 24), (3, 112_332)])
def test_every_full_skirt_board_connects_a_colour(side: int, both: int) -> None:
    """Both colours may be connected, along opposite rims; in play the first one has won by then."""
    game = skerry.make("skirt", side=side)
    cells = len(game.board)
    tally = np.zeros(3, np.int64)
    blank = np.zeros(1, game.dtype)
    count_connected(game.tables, blank, blank.copy(), cells, tally)
    assert tally.tolist() == [0, 2**cells - both, both]


def find_longest(state: skerry.State, known: dict[skerry.State, int]) -> int:
    """How many actions a game may still have."""
    if state not in known:
        after = [find_longest(state.play(int(a)), known) for a in state.legal_actions()]
        known[state] = 1 + max(after) if after else 0
    return known[state]


TINY_SKAANE = {"width": 2, "height": 4, "gods": 1, "kings": 1, "serfs": 1, "suns": 1}


@pytest.mark.parametrize(
    ("name", "options", "longest"),
    [
        ("x", {"size": 2}, 4),
        ("skirt", {"side": 2}, 7),
        ("skew", {"side": 2, "pegs": 1}, 2),
        ("skaane", {**TINY_SKAANE, "quiet_limit": 1}, 5),
        ("skaane", {**TINY_SKAANE, "quiet_limit": 2}, 12),
    ],
)
def test_no_game_exceeds_its_most_actions(name: str, options: dict[str, int], longest: int) -> None:
    game = skerry.make(name, **options)
    known: dict[skerry.State, int] = {}
    assert max(find_longest(game.initial(deal), known) for deal in range(3)) == longest
    assert longest <= game.most_actions <= 2 * longest + 3
