"""The texts of the site for those who translate them: ``python tools/texts.py``, or ``make texts``.

All messages are gathered from templates, scripts and modules, and the catalogues of every language
are brought up to date: new messages are added with nothing beside them, and what is said no more is
dropped. ``python tools/texts.py fr`` begins a new language. Nothing here is needed to run the site.
"""

import ast
import sys
from collections.abc import Iterator
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

from skerry.games import GAMES, make

SOURCE = Path(__file__).resolve().parent.parent / "src" / "skerry"
SERVER = SOURCE / "server"
LOCALE = SERVER / "languages" / "locale"
# The subjects, each with a file of its own, and where their messages are stated.
SUBJECTS = {
    "pages": ("server/templates/*.html", "server/**/*.py"),
    "scripts": ("server/static/**/*.js",),
    "games": (
        "core/*.py", "board/*.py", "games/**/*.py", "render/*.py", "records/*.py", "search/*.py",
        "study/*.py", "lab/contest/pairing/*.py",
    ),
    "courses": ("study/courses/*.py",),
}  # fmt: skip
# What only those see who run servers or write programs, and the manual for the latter.
UNSEEN = {
    SOURCE / name
    for name in (
        "core/plugins.py", "records/files.py", "render/boardreader.py", "render/raster.py",
        "render/svg.py",
        "search/overlay.py", "search/players.py", "search/review.py", "search/analysis.py",
        "server/db/engine.py", "server/db/file.py", "server/db/migrate.py", "server/settings.py",
        "server/run.py", "server/templates/api.html", "study/forcing.py", "study/mining.py",
    )
}  # fmt: skip
MARKS = {"_": None, "gettext": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2)}
SCRIPTED = {"t": None, "tn": (1, 2)}
# What is raised for a person to read.
REFUSED = {
    "Away", "Busy", "Forbidden", "IllegalMove", "InvalidMove", "NotFound", "OptionsError",
    "PositionError", "RecordError", "Refusal", "SolveLimit", "Stale", "Taken", "TooMany",
    "Unauthorised",
}  # fmt: skip
# Where data is text: arguments of calls by place or name, and what classes and modules are given.
STATED: dict[str, tuple[int | str, ...]] = {
    "Course": ("welcome", "farewell"),
    "CourseStep": ("title", "text", "task", "right", "hint", "hints"),
    "Happening": (0, 2),
    "Option": (4,),
}
GIVEN = {"CLAUSES", "VARIED_CLAUSES", "counting", "credit", "goal", "impossible"}
GIVEN |= {"seats", "signs", "summary"}
JINJA = "jinja2.ext:babel_extract"
OPTIONS = {"encoding": "utf-8", "trimmed": "true", "parse_template_string": "true"}
WIDTH = 100  # characters of a line of a catalogue
Stated = tuple[Any, str | None]  # a message, or two for one and for many, and its context


def gather(subject: str) -> Catalog:
    """All messages of a subject, with where they are stated."""
    found = Catalog()
    for pattern in SUBJECTS[subject]:
        for path in sorted({*SOURCE.glob(pattern)} - UNSEEN):
            place = (path.relative_to(SOURCE).as_posix(), 1)
            for message, context in _read(path):
                found.add(message, None, [place], context=context)
    for word in sorted(list_words() if subject == "games" else list_pieces()):
        if subject in ("games", "scripts"):
            found.add(word, None, [("games", 1)])
    return found


def list_pieces() -> set[str]:
    """What kinds of pieces games have."""
    return {piece.kind for name in GAMES for piece in make(name).pieces}


def list_words() -> set[str]:
    """What games call their options, what these count, and their pieces."""
    found = list_pieces()
    found |= {kind.capitalize() for kind in found}
    for name in GAMES:
        game = make(name)
        for option in game.option_specs:
            found |= {option.name.replace("_", " ").capitalize(), option.unit}
        said = [piece.in_words(game.seats) for piece in game.pieces]
        found |= {*said, *(words[:1].upper() + words[1:] for words in said)}
    return found


def _read(path: Path) -> Iterator[Stated]:
    content = path.read_bytes()
    if path.suffix == ".py":
        yield from read_module(content.decode())
        return
    method, keys = ("javascript", SCRIPTED) if path.suffix == ".js" else (JINJA, MARKS)
    for _, message, _, context in extract(method, BytesIO(content), keys, [], OPTIONS):
        yield message, context


def read_module(source: str) -> Iterator[Stated]:
    """The texts of a Python module: what is marked, raised for people, or stated as data."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            if _name(node.exc.func) in REFUSED:
                yield from _state(node.exc.args[:1])
        elif isinstance(node, ast.Call):
            yield from _read_call(node)
        elif isinstance(node, ast.Assign) and _name(node.targets[0]) in GIVEN:
            value = node.value
            is_table = isinstance(value, ast.Dict)
            yield from _state(value.values if is_table else getattr(value, "elts", [value]))


def _read_call(node: ast.Call) -> Iterator[Stated]:
    name = _name(node.func)
    said = [part.value for part in node.args if isinstance(part, ast.Constant)]
    if name == "ngettext" and len(said) > 1:
        yield (said[0], said[1]), None
    elif name == "pgettext" and said:
        yield said[1], said[0]
    elif name in ("N_", "gettext"):
        yield from _state(node.args)
    places = STATED.get(name, ())
    yield from _state([part for at, part in enumerate(node.args) if at in places])
    yield from _state([part.value for part in node.keywords if part.arg in places])


def _name(node: ast.expr) -> str:
    return str(getattr(node, "id", getattr(node, "attr", "")))


def _state(parts: list[ast.expr]) -> Iterator[Stated]:
    for part in parts:
        for text in list_forms(part):
            yield text, None


def list_forms(node: ast.expr) -> list[str]:
    """What an expression may say, with places for what is filled in: ``{cell} is taken``."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.IfExp):
        return [*list_forms(node.body), *list_forms(node.orelse)]
    if isinstance(node, ast.Dict):
        return [form for value in node.values for form in list_forms(value)]
    if not isinstance(node, ast.JoinedStr):
        return []
    taken: dict[str, str] = {}
    choices = [_list_parts(part, taken) for part in node.values]
    return ["".join(parts) for parts in product(*choices)]


def _list_parts(part: ast.expr, taken: dict[str, str]) -> list[str]:
    """The forms of a part of a text; ``'s' if n > 1 else ''`` has two."""
    if isinstance(part, ast.Constant):
        return [part.value]
    value = part.value if isinstance(part, ast.FormattedValue) else part
    if isinstance(value, ast.IfExp):
        forms = [list_forms(choice) for choice in (value.body, value.orelse)]
        if all(isinstance(choice, ast.Constant) for choice in (value.body, value.orelse)):
            return [form for found in forms for form in found]
    name, code = _name_place(value), ast.unparse(value)
    number = 1
    while taken.setdefault(name if number == 1 else f"{name}{number}", code) != code:
        number += 1
    return [f"{{{name if number == 1 else f'{name}{number}'}}}"]


def _name_place(value: ast.expr) -> str:
    """What a place is called: the last word of what fills it."""
    while isinstance(value, ast.Call | ast.Subscript | ast.Attribute):
        if isinstance(value, ast.Attribute):
            return value.attr.strip("_")
        if isinstance(value, ast.Call):
            if isinstance(value.func, ast.Attribute) and value.func.attr in ("join", "format"):
                return _name_place(value.args[0]) if value.args else "value"
            is_plain = isinstance(value.func, ast.Name) and value.args
            value = value.args[0] if is_plain else value.func
        else:
            index = value.slice
            if isinstance(index, ast.Constant) and isinstance(index.value, str):
                return index.value
            value = value.value
    if isinstance(value, ast.Name):
        return value.id.strip("_")
    return "value"


def list_languages() -> list[str]:
    return sorted(path.name for path in LOCALE.iterdir() if path.is_dir())


def read_catalogue(language: str, subject: str) -> Catalog:
    """What has been translated already."""
    file = LOCALE / language / "LC_MESSAGES" / f"{subject}.po"
    if not file.exists():
        return Catalog(language, domain=subject, fuzzy=False)
    with file.open("rb") as stream:
        return read_po(stream, language, subject)


def update(language: str, subject: str) -> None:
    """Bring a catalogue up to date."""
    old, fresh = read_catalogue(language, subject), Catalog(language, domain=subject, fuzzy=False)
    for message in gather(subject):
        known = old.get(_single(message), message.context) if message.id else None
        places = [(name, 1) for name in sorted({name for name, _ in message.locations})]
        kept = known.string if known and known.id == message.id else None
        fresh.add(message.id, kept, places, context=message.context)
    save(language, subject, fresh)


def save(language: str, subject: str, catalogue: Catalog) -> None:
    """Write a catalogue, with nothing in it that depends on when or by whom that is done."""
    stream = BytesIO()
    write_po(stream, catalogue, width=WIDTH, include_lineno=False, omit_header=True)
    counts = f"nplurals={catalogue.num_plurals}; plural={catalogue.plural_expr};"
    head = {
        "Language": language,
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": counts,
    }
    lines = [f'"{name}: {value}\\n"' for name, value in head.items()]
    written = "\n".join(['msgid ""', 'msgstr ""', *lines, "", stream.getvalue().decode()])
    file = LOCALE / language / "LC_MESSAGES" / f"{subject}.po"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(written.rstrip("\n") + "\n", encoding="utf-8")


def _single(message: Any) -> str:
    return str(message.id[0] if isinstance(message.id, tuple | list) else message.id)


if __name__ == "__main__":
    for language in sys.argv[1:] or list_languages():
        for subject in SUBJECTS:
            update(language, subject)
