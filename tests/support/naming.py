"""Kernels that tests declare are kept in a folder named by the files that declare them.

Skerry would name it by all of tests/, as it does with any other package: then every edit of a test
would have all of them compiled again, which takes a quarter of a minute.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from skerry.core.kernels.storage import FOREIGN, hash_sources
from support.order import TESTS

DECLARATION = re.compile(r"^\s*@(?:kernel|generic|implements)\b", re.MULTILINE)
IMPORTS = re.compile(
    r"^\s*(?:from|import)\s+([\w.]+)(?:\s+import\s+(\([^)]*\)|[^\n]*))?", re.MULTILINE
)


def name_kernels() -> None:
    """Before any of them is declared."""
    FOREIGN["tests"] = FOREIGN["support"] = hash_sources(list_declaring(), TESTS)


def list_declaring() -> list[Path]:
    """Whatever declares kernels, and all of tests/ that it imports."""
    texts = {path: path.read_text("utf-8") for path in TESTS.rglob("*.py")}
    found: set[Path] = set()
    wanted = [path for path, text in texts.items() if DECLARATION.search(text)]
    while wanted:
        path = wanted.pop()
        if path not in found:
            found.add(path)
            wanted += [other for other in _list_imports(texts[path]) if other in texts]
    return sorted(found)


def _list_imports(text: str) -> Iterator[Path]:
    """Where imported modules would be if they were of tests/."""
    for module, names in IMPORTS.findall(text):
        for name in (module, *(f"{module}.{name}" for name in re.findall(r"\w+", names))):
            place = TESTS.joinpath(*name.split("."))
            yield place.with_suffix(".py")
            yield place / "__init__.py"
