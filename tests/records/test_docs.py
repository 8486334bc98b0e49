"""The examples of docs/library/records.md work, and its text examples are canonical."""

import re
from pathlib import Path

import pytest

from skerry import State, records
from skerry.records import read, read_all, write_text

PAGE = Path(__file__).parents[2] / "docs" / "library" / "records.md"
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def blocks(language: str) -> list[str]:
    return [block for found, block in BLOCKS if found == language]


@pytest.mark.parametrize("text", blocks("skr"))
def test_text_examples(text: str) -> None:
    # Default options are spelled out on writing and left out on the page.
    options = "" if "[Options" in text else '[Options "side=5 pegs=24"]\n'
    assert write_text(read_all(text)) == text.replace('"]\n', f'"]\n{options}', 1)


@pytest.mark.parametrize("text", blocks("json"))
def test_json_examples(text: str) -> None:
    assert read(text).line.plies


@pytest.mark.parametrize("code", blocks("python"))
def test_python_examples(code: str) -> None:
    exec(code, {})  # noqa: S102  # our own page


def test_every_call_on_the_page_exists() -> None:
    page = PAGE.read_text("utf-8")
    table = page.partition("| call | gives |")[2].partition("\n\n")[0]
    calls = re.findall(r"`(State\.)?(\w+)\(", table)
    assert len(calls) > 12
    for on_state, name in calls:
        assert hasattr(State if on_state else records, name), name


def test_every_kind_of_example_is_there() -> None:
    assert {language for language, _ in BLOCKS} == {"skr", "json", "python"}
