"""Whether what a server has in the end agrees with all that it ever said.

Every change names the version that it was meant for, and makes the next one. So the versions of a
game are a chain, and each step of it has to be somebody's deed: the one that was acknowledged for
it, or one of those whose fate nobody knows, or a move of an engine. Whatever was shown of a version
by anybody must be the same. Nothing here asks a server.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from faults.history import LOOK, MOVE, SAVE, SAY, Deed, Fate, History, Place, Sight

LOST, DOUBLED, REORDERED = "lost", "doubled", "reordered"
AFTER_END = "after the end"
GONE = "gone"  # all of it
UNHEARD = "unheard"
STALE = "stale"  # shown after something newer was acknowledged
UNEXPLAINED = "unexplained"  # nobody asked for it
TORN = "torn"  # two were shown different things as the same version
WRONG = "wrong answer"
TAKING = ("ask-takeback", "accept-takeback")
ENDING = ("resign", "offer-draw", "accept-draw")
SAID = {200, 201, 409, 422, 503}  # what an honest client may be answered
Final = Mapping[str, Sight | None]  # what there is in the end, by id; None where there is nothing


@dataclass(frozen=True)
class Flaw:
    """A promise that was not kept."""

    kind: str
    place: str
    words: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.place}: {self.words}"


def check(history: History, final: Final) -> list[Flaw]:
    """All that is wrong, place by place."""
    deeds: defaultdict[str, list[Deed]] = defaultdict(list)
    for deed in history.deeds:
        deeds[deed.place].append(deed)
    heard: defaultdict[str, list[Sight]] = defaultdict(list)
    for sights in history.heard.values():
        for id, sight in sights:
            heard[id].append(sight)
    flaws = [*_check_answers(history.deeds), *_check_viewers(history, final)]
    for id, place in history.places.items():
        end = final[id]
        if end is None:
            flaws.append(Flaw(GONE, id, "it was acknowledged, and is not there any more"))
            continue
        shown = [deed.sight for deed in deeds[id] if deed.sight is not None]
        flaws += _check_chain(place, deeds[id], [*shown, *heard[id]], end)
        flaws += _check_chat(id, [deed for deed in deeds[id] if deed.kind == SAY], end)
        flaws += _check_looks(id, deeds[id])
    return flaws


def _check_answers(deeds: Iterable[Deed]) -> Iterable[Flaw]:
    for deed in deeds:
        if deed.status is not None and deed.status not in SAID:
            yield Flaw(WRONG, deed.place, f"{deed.kind} was answered with {deed.status}")


def _check_viewers(history: History, final: Final) -> Iterable[Flaw]:
    """Whoever looks on must in the end see what there is."""
    for viewer, sights in history.heard.items():
        place = viewer.partition(" ")[0]
        end = final[place]
        last = sights[-1][1] if sights else Sight(-1)
        if end is not None and (last.version < end.version or not {*end.chat} <= {*last.chat}):
            seen = f"version {last.version} and {len(last.chat)} remarks"
            there = f"version {end.version} and {len(end.chat)}"
            yield Flaw(UNHEARD, place, f"a viewer saw {seen}, and there is {there}")


def _check_looks(id: str, deeds: Sequence[Deed]) -> Iterable[Flaw]:
    """Whoever looks sees all that was acknowledged before."""
    done = sorted(
        (deed.answered, deed.base + 1)
        for deed in deeds
        if deed.fate is Fate.ACKNOWLEDGED and deed.base is not None
    )
    times = [when for when, _ in done]
    newest = list(accumulate((version for _, version in done), max))
    for deed in deeds:
        before = bisect_left(times, deed.asked)
        if deed.kind == LOOK and deed.sight is not None and before:
            wanted = newest[before - 1]
            if deed.sight.version < wanted:
                words = f"version {deed.sight.version} was shown after {wanted} was acknowledged"
                yield Flaw(STALE, id, words)


def _check_chat(id: str, said: Sequence[Deed], end: Sight) -> Iterable[Flaw]:
    """Remarks are there once, in the order in which they were made."""
    there = Counter(end.chat)
    for deed in said:
        count = there.pop(deed.content, 0)
        if count > 1:
            yield Flaw(DOUBLED, id, f"the remark {deed.content}")
        if count == 0 and deed.fate is Fate.ACKNOWLEDGED:
            yield Flaw(LOST, id, f"the remark {deed.content}")
        if count and deed.fate is Fate.REFUSED:
            yield Flaw(UNEXPLAINED, id, f"the remark {deed.content} was refused, and is there")
    for text in there:
        yield Flaw(UNEXPLAINED, id, f"nobody made the remark {text}")
    made = {deed.content: deed for deed in said}
    for one, other in pairwise(text for text in end.chat if text in made):
        if made[other].answered < made[one].asked and made[other].fate is Fate.ACKNOWLEDGED:
            yield Flaw(REORDERED, id, f"the remarks {one} and {other}")


def _check_chain(
    place: Place, deeds: Sequence[Deed], shown: Iterable[Sight], end: Sight
) -> Iterable[Flaw]:
    known = {0: Sight(0)}
    for sight in (*shown, end):
        other = known.setdefault(sight.version, sight)
        if (other.moves, other.over) != (sight.moves, sight.over):
            words = f"version {sight.version} was shown as {_tell(other)} and {_tell(sight)}"
            yield Flaw(TORN, place.id, words)
            return
    newest = max(known)
    if newest > end.version:
        words = f"version {newest} was shown, and there are {end.version} now"
        yield Flaw(LOST, place.id, words)
    made = _list_made(deeds)
    for base, chosen in sorted(made.items()):
        sure = [deed for deed in chosen if deed.fate is Fate.ACKNOWLEDGED]
        if len(sure) > 1:
            both = " and ".join(f"{deed.kind} {deed.content}".strip() for deed in sure)
            yield Flaw(DOUBLED, place.id, f"{both} were acknowledged for version {base}")
            return
        if sure and base >= end.version:
            yield Flaw(LOST, place.id, f"{sure[0].kind} {sure[0].content} for version {base}")
            return
        if sure:
            made[base] = sure
    yield from _walk(place, made, known, end)


def _list_made(deeds: Iterable[Deed]) -> dict[int, list[Deed]]:
    """What may have been done, by the version that it was meant for."""
    made: dict[int, list[Deed]] = {}
    for deed in deeds:
        if deed.base is not None and deed.fate is not Fate.REFUSED:
            made.setdefault(deed.base, []).append(deed)
    return made


def _walk(
    place: Place, made: Mapping[int, list[Deed]], known: Mapping[int, Sight], end: Sight
) -> Iterable[Flaw]:
    """Every version must come from the one before by something that somebody did."""
    resigned = any(deed.kind == "resign" for chosen in made.values() for deed in chosen)
    engines = place.engines or (resigned and place.seats > 2)  # one plays on for who leaves
    possible: list[Sight] | None = [known[0]]  # None is anything
    for version in range(end.version):
        chosen, after = made.get(version, []), known.get(version + 1)
        if after is None:
            if not chosen and not engines:
                words = f"nobody has made version {version + 1}"
                yield Flaw(UNEXPLAINED, place.id, words)
                return
            possible = None if engines or possible is None else _predict(possible, chosen)
            continue
        if possible is not None and not any(
            _explains(deed, before, after) for before in possible for deed in chosen
        ):
            by_engine = engines and any(_is_longer(before, after, None) for before in possible)
            sure = [deed for deed in chosen if deed.fate is Fate.ACKNOWLEDGED]
            if sure or not by_engine:
                yield _name(place.id, possible[0] if possible else Sight(-1), chosen, after)
                return
        possible = [after]


def _predict(possible: Iterable[Sight], chosen: Iterable[Deed]) -> list[Sight]:
    """What there may have been after one of these deeds."""
    after = []
    for before in possible:
        for deed in chosen:
            moves = {MOVE: (*before.moves, deed.content), SAVE: (deed.content,)}
            made = moves.get(deed.kind, before.moves)
            fewest = 0 if deed.kind in TAKING else len(made)
            after += [
                Sight(before.version + 1, made[:count]) for count in range(fewest, len(made) + 1)
            ]
    return after


def _explains(deed: Deed, before: Sight, after: Sight) -> bool:
    """Whether something that was done leads from one version to the next."""
    if deed.kind == MOVE:
        return _is_longer(before, after, deed.content)
    if deed.kind == SAVE:
        return after.moves == (deed.content,)
    if before.over or (after.over and deed.kind not in ENDING):
        return False
    if deed.kind in TAKING:
        return before.moves[: len(after.moves)] == after.moves
    return before.moves == after.moves


def _is_longer(before: Sight, after: Sight, move: str | None) -> bool:
    """Whether one move was made, this one if it is given."""
    is_this = move is None or after.moves[-1:] == (move,)
    return not before.over and after.moves[:-1] == before.moves and is_this and bool(after.moves)


def _name(id: str, before: Sight, chosen: Sequence[Deed], after: Sight) -> Flaw:
    """What is wrong with a step that nothing explains."""
    asked = ", ".join(f"{deed.kind} {deed.content}".strip() for deed in chosen) or "nothing"
    words = f"from {_tell(before)} to {_tell(after)}, where {asked} was asked for"
    added = after.moves[len(before.moves) :]
    is_longer = after.moves[: len(before.moves)] == before.moves
    wanted = [sorted((*before.moves, deed.content)) for deed in chosen if deed.kind == MOVE]
    if before.over and after.moves != before.moves:
        return Flaw(AFTER_END, id, words)
    if is_longer and len(added) > 1:
        return Flaw(DOUBLED, id, words)
    if sorted(after.moves) in wanted:
        return Flaw(REORDERED, id, words)
    is_sure = any(deed.fate is Fate.ACKNOWLEDGED for deed in chosen)
    return Flaw(LOST if is_sure else UNEXPLAINED, id, words)


def _tell(sight: Sight) -> str:
    ended = ", over" if sight.over else ""
    return f"{sight.version} ({len(sight.moves)} moves: ... {' '.join(sight.moves[-3:])}{ended})"
