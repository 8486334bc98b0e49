"""What the solver found, in few rows: deals that came to the same are told together."""

from collections.abc import Sequence
from dataclasses import dataclass

from skerry.lab.report.page.texts import say_options
from skerry.lab.report.result.findings import Fact


@dataclass(frozen=True)
class Proof:
    """A row of the table: a board, its deals if it has any, and what was found."""

    board: str
    deals: str
    text: str
    nodes: int
    this_board: bool


def list_proofs(facts: Sequence[Fact]) -> list[Proof]:
    """The facts by board and outcome; boards are named by the options that differ among them."""
    first = facts[0].options if facts else {}
    varied = [name for name in first if any(fact.options[name] != first[name] for fact in facts)]
    groups: dict[tuple[str, str], list[Fact]] = {}
    for fact in facts:
        board = say_options({name: fact.options[name] for name in varied or first})
        groups.setdefault((board, fact.text), []).append(fact)
    return [
        Proof(
            board=board,
            deals=", ".join(str(fact.deal) for fact in alike if fact.deal is not None),
            text=text,
            nodes=sum(fact.nodes for fact in alike),
            this_board=alike[0].this_board,
        )
        for (board, text), alike in groups.items()
    ]
