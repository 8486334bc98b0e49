"""Every registered game has all that a game needs; a missing piece fails here by name."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import skerry
from skerry.core import rules
from skerry.core.kernels import IMPLEMENTATIONS
from skerry.games import kind
from support.order import LONGEST_FIRST, TESTS
from support.sizes import SIZES, split

ROOT = Path(__file__).resolve().parent.parent
REQUIRED = [rules.play, rules.restore]  # all other generics have defaults


def sources(name: str) -> list[Path]:
    """Where the rules of a game are: its module, or of a package the rules and the class."""
    place = ROOT / "src" / "skerry" / "games" / name
    return [place / "rules.py", place / "__init__.py"] if place.is_dir() else [Path(f"{place}.py")]


@cache
def clauses_in_tests() -> set[str]:
    """Every id that stands in a ``pytest.mark.clause`` of a test that every run has."""
    found = set()
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        source = path.read_text(encoding="utf-8")
        if "pytest.mark.clause" in source:
            found |= list_clauses(ast.parse(source))
    return found


def list_clauses(tree: ast.AST) -> set[str]:
    """The ids below a node, but for those of tests that are left to ``make soak``."""
    marks = {ast.unparse(mark) for mark in getattr(tree, "decorator_list", ())}
    if "pytest.mark.soak" in marks:
        return set()
    if isinstance(tree, ast.Call) and ast.unparse(tree.func) == "pytest.mark.clause":
        return {ast.literal_eval(argument) for argument in tree.args}
    return {clause for node in ast.iter_child_nodes(tree) for clause in list_clauses(node)}


def test_what_is_left_to_soak_covers_no_clause() -> None:
    marked = "@pytest.mark.soak\n@pytest.mark.clause('a.1', 'a.2')\ndef test(): pass\n"
    assert list_clauses(ast.parse(marked)) == set()
    assert list_clauses(ast.parse(marked.partition("\n")[2])) == {"a.1", "a.2"}


def test_files_that_come_first_are_there() -> None:
    assert [name for name in LONGEST_FIRST if not (TESTS / name).exists()] == []


def test_no_test_names_an_unknown_clause() -> None:
    known = {clause for name in skerry.GAMES for clause in kind(name).clauses}
    known |= {clause for name in skerry.GAMES for clause in kind(name).varied_clauses}
    assert clauses_in_tests() <= known


@pytest.mark.parametrize("name", skerry.GAMES)
class TestGame:
    def test_implements_all_generics(self, name: str) -> None:
        kind(name)
        assert [
            generic.__name__ for generic in REQUIRED if name not in IMPLEMENTATIONS[generic]
        ] == []

    def test_says_who_it_is(self, name: str) -> None:
        game = kind(name)
        assert game.name == name
        assert game.title
        assert game.credit
        assert game.summary
        assert len(game.seats) == len(set(game.seats)) == len(game.seat_letters)

    def test_has_an_independent_reference(self, name: str) -> None:
        source = (ROOT / "tests" / "reference" / f"{name}.py").read_text(encoding="utf-8")
        assert f"class {kind(name).title}" in source
        assert "import skerry" not in source
        assert "from skerry" not in source

    def test_is_compared_at_several_sizes(self, name: str) -> None:
        """Two thousand games altogether, a hundred of them in every run."""
        assert len(SIZES[name]) >= 5
        base, soak = (sum(len(split(count)[part]) for _, count in SIZES[name]) for part in range(2))
        assert base >= 100
        assert base + soak >= 2000

    def test_sizes_are_valid_and_grow(self, name: str) -> None:
        boards = [len(skerry.make(name, **options).board) for options in kind(name).sizes]
        assert boards == sorted(set(boards))
        assert len(skerry.make(name).board) in boards

    def test_every_clause_has_a_test(self, name: str) -> None:
        clauses = {*kind(name).clauses, *kind(name).varied_clauses}
        assert clauses - clauses_in_tests() == set()

    def test_every_clause_stands_in_the_code(self, name: str) -> None:
        """Beside the code that carries it out: the rules, or the board that the options come to."""
        code = "".join(source.read_text(encoding="utf-8") for source in sources(name))
        for clause, text in kind(name).clauses.items():
            assert text.endswith("."), f"{clause} is no sentence"
            beside = re.findall(rf"{re.escape(clause)}(?![\d\"])", code)
            assert beside, f"{clause} is not where it is implemented"

    def test_every_clause_has_a_section_on_the_rules_page(self, name: str) -> None:
        page = (ROOT / "docs" / "rules" / f"{name}.md").read_text(encoding="utf-8")
        assert re.findall(r'<a id="([^"]+)"></a>', page) == list(kind(name).clauses)
        assert f"({name}.md)" in (ROOT / "docs" / "rules" / "README.md").read_text(encoding="utf-8")
