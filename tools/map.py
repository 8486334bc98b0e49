"""Write docs/map.md: all modules in the order in which they build on each other.

Run ``python tools/map.py``. What a module is for is the first line of its docstring. Packages are
sorted so that each imports only those above it, and modules within a package likewise.
"""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "skerry"
PAGE = ROOT / "docs" / "map.md"
LEFT_OUT = ("migrations",)
HEAD = """# A map of the modules

In the order in which they build on each other: a module imports only what stands above it, but for
imports that wait until they are needed. Made by `python tools/map.py` from the first line of each
docstring.
"""


def list_modules() -> dict[str, Path]:
    """All modules by their dotted names."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        if not set(parts) & set(LEFT_OUT):
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def list_imports(tree: ast.Module, modules: dict[str, Path]) -> set[str]:
    """The modules that one imports when it is imported itself."""
    found = set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            inner = {f"{node.module}.{alias.name}" for alias in node.names} & set(modules)
            found |= inner or ({node.module} & set(modules))
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names} & set(modules)
    return found


def sort(graph: dict[str, set[str]]) -> list[str]:
    """Names so that each comes after those that it needs, and else by the alphabet."""
    sorter = TopologicalSorter({name: needs & set(graph) for name, needs in graph.items()})
    try:
        sorter.prepare()
    except CycleError:  # packages whose modules need each other
        return sorted(graph)
    ready: list[str] = []
    result = []
    while sorter.is_active():
        ready = sorted([*ready, *sorter.get_ready()])
        name = ready.pop(0)
        result.append(name)
        sorter.done(name)
    return result


def folder_of(name: str, modules: dict[str, Path]) -> str:
    """The package that a module stands in; a package stands in itself."""
    return name if modules[name].name == "__init__.py" else name.rpartition(".")[0]


def layer_of(name: str, modules: dict[str, Path]) -> str:
    """The package below the root that a module belongs to, or the root itself."""
    return ".".join(folder_of(name, modules).split(".")[:2])


def write() -> str:
    """The page."""
    modules = list_modules()
    trees = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in modules.items()}
    imports = {name: list_imports(tree, modules) - {name} for name, tree in trees.items()}
    layers: dict[str, set[str]] = {}
    for name, needs in imports.items():
        layer = layer_of(name, modules)
        theirs = {layer_of(need, modules) for need in needs}
        layers.setdefault(layer, set()).update(theirs - {layer})
    lines = [HEAD]
    for layer in sort({name: needs for name, needs in layers.items() if name != "skerry"}):
        inner = {name for name in modules if layer_of(name, modules) == layer}
        folders: dict[str, set[str]] = {}
        for name in sorted(inner):
            needs = {folder_of(need, modules) for need in imports[name]}
            folder = folder_of(name, modules)
            folders.setdefault(folder, set()).update(needs - {folder})
        for folder in sort(folders):
            members = {n: imports[n] for n in inner if folder_of(n, modules) == folder}
            title = folder.removeprefix("skerry.").replace(".", "/")
            lines.append(f"## {title}\n\n{summarise(trees[folder])}\n")
            for name in sort({n: needs for n, needs in members.items() if n != folder}):
                lines.append(f"- `{name.rpartition('.')[2]}`: {summarise(trees[name])}")
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def summarise(tree: ast.Module) -> str:
    """The first line of a docstring, or all lines of its first paragraph."""
    said = (ast.get_docstring(tree) or "").split("\n\n")[0]
    return " ".join(said.split()).replace("``", "`")


if __name__ == "__main__":
    PAGE.write_text(write(), encoding="utf-8")
