"""Matchings: pairs of neighbours in a graph, so that everybody is in one at most.

Maximum matchings are found with Edmonds' blossoms. With them at hand, a pairing that somebody
prefers is made only if the rest can still be paired: if there is a legal one, one is found.
"""

from collections import deque
from collections.abc import Callable, Sequence

Graph = Sequence[Sequence[int]]  # the neighbours of everybody, the best first
FREE = -1


def match_most(graph: Graph) -> list[int]:
    """A partner for as many as possible, or ``FREE``; those in front are left over last."""
    mates = [FREE] * len(graph)
    for root in range(len(graph)):
        if mates[root] == FREE:
            augment(graph, mates, root, [True] * len(graph))
    return mates


def augment(graph: Graph, mates: list[int], root: int, alive: Sequence[bool]) -> bool:
    """Find a partner for somebody who has none, by re-pairing others; whether that was possible.

    Nobody who has a partner loses it for none. Only those ``alive`` may be touched.
    """
    size = len(graph)
    parent, base = [FREE] * size, list(range(size))
    outer = [False] * size
    outer[root] = True
    queue = deque([root])

    def common(a: int, b: int) -> int:
        """Where the ways of two to the root meet."""
        seen = set()
        while True:
            a = base[a]
            seen.add(a)
            if mates[a] == FREE:
                break
            a = parent[mates[a]]
        b = base[b]
        while b not in seen:
            b = base[parent[mates[b]]]
        return b

    def mark(vertex: int, stem: int, child: int, blossom: set[int]) -> None:
        """Note the way from a vertex to the stem of a blossom."""
        while base[vertex] != stem:
            blossom |= {base[vertex], base[mates[vertex]]}
            parent[vertex] = child
            child = mates[vertex]
            vertex = parent[child]

    while queue:
        vertex = queue.popleft()
        for other in graph[vertex]:
            if not alive[other] or base[vertex] == base[other] or mates[vertex] == other:
                continue
            if other == root or (mates[other] != FREE and parent[mates[other]] != FREE):
                stem = common(vertex, other)  # an odd circle, which is shrunk to its stem
                blossom: set[int] = set()
                mark(vertex, stem, other, blossom)
                mark(other, stem, vertex, blossom)
                for inner in range(size):
                    if base[inner] in blossom:
                        base[inner] = stem
                        if not outer[inner]:
                            outer[inner] = True
                            queue.append(inner)
            elif parent[other] == FREE:
                parent[other] = vertex
                if mates[other] == FREE:
                    _flip(mates, parent, other)
                    return True
                outer[mates[other]] = True
                queue.append(mates[other])
    return False


def _flip(mates: list[int], parent: Sequence[int], end: int) -> None:
    """Exchange the pairs along a way to the root for those between."""
    while end != FREE:
        before = parent[end]
        following = mates[before]
        mates[end], mates[before] = before, end
        end = following


def match_all(graph: Graph) -> list[int] | None:
    """A partner for everybody: in turn, each gets the best one that leaves the rest a way out.

    None if there is no such matching at all.
    """
    mates = match_most(graph)
    if FREE in mates:
        return None
    alive = [True] * len(graph)
    for vertex in range(len(graph)):
        if not alive[vertex]:
            continue
        alive[vertex] = False
        for other in graph[vertex]:
            if not alive[other]:
                continue
            alive[other] = False
            rest = _exchange(graph, mates, vertex, other, alive)
            if rest is not None:
                mates = rest
                break
            alive[other] = True
    return mates


def _exchange(
    graph: Graph, mates: list[int], one: int, other: int, alive: Sequence[bool]
) -> list[int] | None:
    """The matching with a certain pair, if those that it parts find each other a way."""
    if mates[one] == other:
        return mates
    trial = list(mates)
    left, right = trial[one], trial[other]
    trial[one], trial[other] = other, one
    trial[left] = trial[right] = FREE
    return trial if augment(graph, trial, left, alive) else None


def improve(mates: Sequence[int], cost: Callable[[int, int], float]) -> list[int]:
    """A matching in which no two pairs would be better off with exchanged partners.

    ``cost`` is infinite for pairs that are not allowed.
    """
    mates = list(mates)
    better = True
    while better:
        better = False
        pairs = [(a, b) for a, b in enumerate(mates) if a < b]
        for n, first in enumerate(pairs):
            for second in pairs[n + 1 :]:
                a, b = first[0], mates[first[0]]
                c, d = second[0], mates[second[0]]
                if len({a, b, c, d}) < 4:
                    continue
                now = cost(a, b) + cost(c, d)
                ways = [(cost(a, c) + cost(b, d), c, d), (cost(a, d) + cost(b, c), d, c)]
                least, x, y = min(ways)
                if least < now - 1e-9:
                    mates[a], mates[x], mates[b], mates[y] = x, a, y, b
                    better = True
    return mates
