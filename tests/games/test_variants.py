"""Variants of the rules, which are ours: every clause that they change, worked out by hand.

Without them nothing changes: the tests by clause of every game are about the rule sheets.
"""

import pytest

import skerry
from skerry.games import kind
from skerry.nets.shipped import shipped_net
from skerry.nets.sight import look_at
from skerry.records import Record, read, write_text
from support.diagrams import position

TIED = """
        . . .
       . . . .
      . D * a .
       . . . .
        . . .
"""
FIVE = {"width": 5, "height": 5, "gods": 4, "kings": 3, "serfs": 3, "suns": 0}
FIRST, SECOND, DRAWN = (1.0, -1.0), (-1.0, 1.0), (0.0, 0.0)


def list_variants() -> list[skerry.Game]:
    names = [name for name in skerry.GAMES if kind(name).variants]
    return [skerry.make(name, **options) for name in names for options in kind(name).variants]


def outcome(state: skerry.State) -> skerry.Outcome:
    assert state.outcome is not None
    return state.outcome


@pytest.mark.clause("skew.2 extra")
def test_first_has_a_peg_more_and_places_the_last_one() -> None:
    game = skerry.make("skew", side=2, pegs=2, extra=1)
    state = game.initial()
    for hole in ("a1", "a2", "b1", "b3"):
        state = state.play(f"{hole}-e")
    assert state.to_move == 0
    assert state.play("c1-e").is_over
    assert "2 pegs, and First 1 peg more" in game.list_clauses()["skew.2"]
    assert game.position("DD/D*1/2 1").to_move == 1
    with pytest.raises(skerry.PositionError, match="Second has 3 pegs on the board, but only 2"):
        game.position("dd/d*1/2 0")


@pytest.mark.clause("skew.7 bonus")
@pytest.mark.parametrize(
    ("bonus", "returns", "reason"),
    [
        (0, DRAWN, "1-1 is a tie; with the pegs around the black peg leaned at it, still 1-1"),
        (1, FIRST, "First wins: 1.5-1 with the 0.5 of First"),
        (2, FIRST, "First wins: 2-1 with the 1 of First"),
    ],
)
def test_half_a_point_breaks_a_tie(bonus: int, returns: tuple[float, ...], reason: str) -> None:
    game = skerry.make("skew", side=3, pegs=1, bonus=bonus)
    ended = outcome(position(game, TIED, 0))
    assert (ended.returns, ended.score) == (returns, (1, 1))
    assert ended.reason.startswith(reason)


@pytest.mark.clause("skew.7 bonus")
@pytest.mark.parametrize(
    ("bonus", "returns", "reason"),
    [
        (1, SECOND, "Second wins: 0.5-1 with the 0.5 of First"),
        (2, FIRST, "First wins: 2-1 with the 1 of First, after the tie-break"),
        (3, FIRST, "First wins: 1.5-1 with the 1.5 of First"),
    ],
)
def test_a_bonus_counts_against_what_second_has_more(
    bonus: int, returns: tuple[float, ...], reason: str
) -> None:
    """A whole point makes it a tie, and First's peg is leaned at the black peg (skew.8)."""
    game = skerry.make("skew", side=3, pegs=1, bonus=bonus)
    ended = outcome(position(game, TIED.replace("D", "W"), 0))
    assert (ended.score, ended.returns, ended.reason) == ((0, 1), returns, reason)
    assert f"First is given {bonus} half point" in game.list_clauses()["skew.7"]


QUIET = """
    . . . . .
    . . k . .
    . . . . .
    G . . G .
    . . . . .
"""


@pytest.mark.clause("skaane.7 quiet_end=1", "skaane.7 quiet_end=2", "skaane.7 quiet_end=3")
@pytest.mark.parametrize(
    ("end", "returns", "reason"),
    [
        (0, DRAWN, "draw: 4 moves in a row without an attack"),
        (1, SECOND, "after 4 moves without an attack Dark wins, who attacked last"),
        (2, FIRST, "after 4 moves without an attack Light wins, who has more pawns"),
        (3, FIRST, "after 4 moves without an attack Light wins, who is nearer to the far row"),
    ],
)
def test_who_wins_at_the_quiet_limit(end: int, returns: tuple[float, ...], reason: str) -> None:
    """Dark took a pawn three moves ago, and Light steps to the third row; Dark's king is on the
    fourth of five, which is as near to its goal as a pawn of Light on the second."""
    game = skerry.make("skaane", **FIVE, quiet_limit=4, quiet_end=end)
    state = position(game, QUIET, "w", 2).play("a2-a3").play("c4-b4")
    assert outcome(state).returns == returns
    assert outcome(state).reason == reason


@pytest.mark.clause("skaane.7 quiet_end=2", "skaane.7 quiet_end=3")
@pytest.mark.parametrize("end", [2, 3])
def test_a_quiet_game_without_a_leader_is_a_draw(end: int) -> None:
    game = skerry.make("skaane", **FIVE, quiet_limit=4, quiet_end=end)
    state = position(game, QUIET.replace("G . . G", ". . . G"), "w", 3).play("d2-e2")
    assert outcome(state).returns == DRAWN
    assert "it is a draw" in game.list_clauses()["skaane.7"]


@pytest.mark.clause("skaane.7 quiet_end=1")
def test_whoever_attacked_last_is_known_by_the_count() -> None:
    """Light has just moved: the attack was one of its own an even number of moves ago."""
    for quiet, winner in ((3, 0), (4, 1), (5, 0)):
        game = skerry.make("skaane", **FIVE, quiet_limit=quiet, quiet_end=1)
        state = position(game, QUIET, "w", quiet - 1).play("a2-a3")
        assert outcome(state).winner == 1 - winner
    whole = skerry.make("skaane", **FIVE, quiet_limit=2, quiet_end=1).initial(1)
    for _ in range(2):
        whole = whole.play(whole.legal_moves()[0])
    assert outcome(whole).reason.endswith("Dark wins, who did not have to attack")


@pytest.mark.clause("skirt.4 jumps=0")
def test_lines_end_at_the_first_piece() -> None:
    jumping, plain = (skerry.make("skirt", side=3, jumps=jumps) for jumps in (1, 0))
    reach = [
        {str(move) for move in game.position("3/4/wb3/4/3 w - 0").legal_moves()}
        for game in (jumping, plain)
    ]
    assert reach[0] - reach[1] == {"c3", "c4"}
    assert "not jumped" in plain.list_clauses()["skirt.4"]


@pytest.mark.clause("skirt.7 alternate=0")
def test_three_alternate_sides_do_not_win() -> None:
    star, line = "3/wwww/2w2/1w2/1w1 b - 0", "1w1/1w2/2w2/1w2/1w1 b - 0"
    with_them, without = (skerry.make("skirt", side=3, alternate=n) for n in (1, 0))
    assert (
        outcome(with_them.position(star)).reason == "White connects three alternate sides and wins"
    )
    assert not without.position(star).is_over
    assert outcome(without.position(line)).reason == "White connects two opposite sides and wins"
    assert "do not win" in without.list_clauses()["skirt.7"]


@pytest.mark.parametrize("name", skerry.GAMES)
def test_variants_are_marked_as_ours_and_unsaid_by_default(name: str) -> None:
    specs, game = kind(name).option_specs, skerry.make(name)
    ours = [spec for spec in specs if spec.ours]
    assert all("our variant, not the rule sheet's" in spec.meaning for spec in ours)
    assert set(game.options) == {spec.name for spec in specs if not spec.ours}
    chosen = skerry.make(name, **{spec.name: spec.default for spec in specs})
    assert chosen == game
    assert repr(chosen) == repr(game)
    changed = {key.split()[1].partition("=")[0] for key in game.varied_clauses}
    assert changed == {spec.name for spec in ours}
    assert all("our variant" in text.replace("\n", " ") for text in game.varied_clauses.values())


def test_x_has_no_variants() -> None:
    """Its designer asks that the rules stay as they are."""
    assert not kind("x").variants
    assert not any(spec.ours for spec in kind("x").option_specs)


@pytest.mark.parametrize("game", list_variants(), ids=repr)
def test_nets_and_records_take_variants(game: skerry.Game) -> None:
    usual = type(game)()
    assert look_at(game).facts == look_at(usual).facts
    assert shipped_net(game) is shipped_net(usual)
    record = Record.from_moves(game, moves=[game.initial(1).legal_moves()[0]], seed=1)
    assert read(write_text([record])) == record
    assert record.game == game
