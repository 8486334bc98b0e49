"""Tables of pages that scripts write: each stands behind a comment with its name."""

import re
from collections.abc import Iterable, Sequence


def put_table(page: str, name: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """The page with these rows in its table of that name."""
    lines = [head, ["---"] * len(head), *rows]
    table = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    place = re.compile(rf"(<!-- table: {name} -->\n)(?:\|[^\n]*\n)*")
    return place.sub(lambda found: found[1] + table, page)
