"""docs/library/engine.md is true: its session is held, its program runs, its tables are whole."""

import re
from pathlib import Path

import pytest

from skerry.protocol.queries import ACTIONS, LONGEST_LINE, QUERY_FIELDS
from support.repeating import some_of
from support.session import Session

PAGE = (Path(__file__).parents[2] / "docs" / "library" / "engine.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def test_the_session() -> None:
    """Each answer that the page tells comes; reports may come more often than it tells."""
    with Session("--workers", "2") as engine:
        pending: list[str] = []
        (session,) = blocks("session")
        for line in session.splitlines():
            side, text = line[:2], line[2:]
            if side == "> ":
                engine.send_bytes(text.encode() + b"\n")
                continue
            pattern = ".*".join(map(re.escape, text.split("...")))
            while not (match := next((a for a in pending if re.fullmatch(pattern, a)), None)):
                assert engine.process.stdout is not None
                answer = engine.process.stdout.readline().decode().rstrip("\n")
                assert answer, f"no answer like {text}"
                pending.append(answer)
            pending.remove(match)
        assert engine.process.wait() == 0
        assert all('"final": false' in answer for answer in pending), pending


@pytest.mark.parametrize("code", some_of(blocks("python"), blocks("python")[:1]))
def test_the_programs(code: str) -> None:
    exec(code, {})  # noqa: S102  # our own page


def test_the_tables() -> None:
    def first_column(section: str) -> str:
        rows = PAGE.partition(f"\n## {section}\n")[2].partition("\n## ")[0].splitlines()
        return "\n".join(row.split("|")[1] for row in rows if row.startswith("| `"))

    assert re.findall(r"`(\w+)`", first_column("Queries")) == list(QUERY_FIELDS)
    assert re.findall(r"^ `(\w+)`", first_column("Actions"), re.MULTILINE) == list(ACTIONS)
    assert f"{LONGEST_LINE:,} bytes" in PAGE
