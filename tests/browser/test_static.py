"""Static files and templates by themselves: small, layered, and without knowledge of any game."""

import re
from pathlib import Path

import skerry
from skerry.games import kind
from skerry.server.web.templates import FOLDERS, HERE, list_imports, list_modules, static_files

MOST_LINES = 300
MODULES = [name for name in static_files() if name.endswith(".js")]
PAGES = [name for name in MODULES if Path(name).parent.name == "pages"]
# Each layer may import from those after it.
LAYERS = ["pages", "board", "lib"]
WRITTEN = [
    *(
        path
        for folder in FOLDERS
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".js", ".ts", ".css")
    ),
    *sorted((HERE / "templates").iterdir()),
]


def test_modules_are_small() -> None:
    long = {name: static_files()[name].read_text(encoding="utf-8").count("\n") for name in MODULES}
    assert {name: lines for name, lines in long.items() if lines > MOST_LINES} == {}


def layer_of(name: str) -> str:
    return name.partition("/")[0]


def test_imports_point_down_only() -> None:
    for name in MODULES:
        layer = LAYERS.index(layer_of(name))
        for imported in list_imports(name):
            assert imported in MODULES, f"{name} imports {imported}"
            assert LAYERS.index(layer_of(imported)) >= layer, f"{name} imports {imported}"


def test_a_page_knows_no_other_page() -> None:
    for name in PAGES:
        own = name.removesuffix(".js")
        pages = [module for module in list_modules(name) if module.startswith("pages/")]
        others = [module for module in pages if not module.startswith(f"{own}/")]
        assert others == [], f"{name} imports them"


def test_every_module_belongs_to_a_page() -> None:
    assert {module for page in PAGES for module in (page, *list_modules(page))} == set(MODULES)


def test_types_are_not_served() -> None:
    assert not [name for name in static_files() if name.endswith(".ts")]


def words_of_games() -> set[str]:
    """What games and their pieces are called."""
    games = [skerry.make(name) for name in skerry.GAMES]
    pieces = {game.piece(letter).kind for game in games for letter in game.letters}
    return pieces | {word for name in skerry.GAMES for word in (name, kind(name).title)}


def test_no_game_is_known_by_name_or_piece() -> None:
    # A name of one letter may be a coordinate: as a game it would stand in quotes or a path.
    words = [
        rf"[\"'/]{word}[\"'/]" if len(word) == 1 else rf"\b{word}s?\b" for word in words_of_games()
    ]
    for path in WRITTEN:
        found = re.search("|".join(words), path.read_text(encoding="utf-8"))
        assert not found, f"{path.name} knows {found[0]}"
