"""Take surveys into the package as books, and write what they say into docs/lab/beginnings.md.

python tools/beginnings.py FOLDER ...   folders that skerry survey has written, or folders of these;
                                        of several surveys of a board even starts are added up
python tools/beginnings.py              only the page and its pictures, of the books that are there
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import skerry
from skerry.core.errors import SkerryError
from skerry.core.options import write_options
from skerry.games import GAMES
from skerry.lab.beginnings import (
    Beginnings,
    EvenStart,
    is_even,
    read_beginnings,
    write_beginnings,
)
from skerry.lab.openings.books import name_book
from skerry.lab.openings.swapmap import count_bands, describe_first_moves, draw_swap_map

ROOT = Path(__file__).resolve().parent.parent
BOOKS = ROOT / "src" / "skerry" / "lab" / "openings" / "data"
PAGE = ROOT / "docs" / "lab" / "beginnings.md"
PLACE = re.compile(r"(<!-- books -->\n).*?(<!-- end of books -->)", re.DOTALL)
SURVEYED = "beginnings.json"
LISTED = 12  # first moves in a table of the page
NONE = "No book comes with skerry yet.\n\n"


def find_surveys(folder: Path) -> list[Path]:
    """The files of a survey, or of all surveys in a folder."""
    found = [folder / SURVEYED] if (folder / SURVEYED).is_file() else []
    return found or sorted(folder.glob(f"*/{SURVEYED}"))


def check(book: Beginnings) -> skerry.Game:
    """Play everything that a book has by the rules; its game if all is as it says."""
    game = skerry.make(book.game, **book.options)
    for move in book.first_moves:
        for image in move.images:
            game.initial().play(image)
    for start in book.even_starts:
        state = game.initial(start.deal or 0)
        for each in start.moves:
            state = state.play(each)
        if state.position != start.position or game.position(start.position) != state:
            raise ValueError(f"{' '.join(start.moves)} does not lead to {start.position}")
        if not is_even(start.evidence.won):
            raise ValueError(f"{start.position} is not even")
    if len({start.position for start in book.even_starts}) < len(book.even_starts):
        raise ValueError("an even start is there twice")
    return game


def take(path: Path, books: Path) -> Path:
    """Add a survey to the book of its board."""
    book = read_beginnings(path.read_text("utf-8"), str(path))
    game = check(book)
    kept = books / name_book(game)
    if kept.exists():
        book = join(game, read_beginnings(kept.read_text("utf-8"), kept.name), book)
    write_beginnings(kept, book)
    return kept


def join(game: skerry.Game, book: Beginnings, survey: Beginnings) -> Beginnings:
    """A book with the even starts of another survey, symmetric ones taken as one."""
    known = {fold(game, start) for start in book.even_starts}
    added = tuple(start for start in survey.even_starts if fold(game, start) not in known)
    cards = book.card.get("surveys", [book.card])
    return replace(
        book,
        first_moves=book.first_moves or survey.first_moves,
        even_starts=book.even_starts + added,
        card={"surveys": [*cards, *([] if survey.card in cards else [survey.card])]},
    )


def fold(game: skerry.Game, start: EvenStart) -> str:
    """The same for all images of a start."""
    state = game.position(start.position)
    return min(game.transform(state, n).position for n in range(len(game.symmetries)))


def read_books(folder: Path) -> Iterator[Beginnings]:
    """The books in a folder, in the order of the games, small boards first."""
    found = [
        read_beginnings(path.read_text("utf-8"), path.name)
        for path in folder.glob("*-beginnings.json")
    ]
    order = list(GAMES)
    yield from sorted(found, key=lambda book: (order.index(book.game), *book.options.values()))


def write_section(book: Beginnings) -> str:
    """What a book says, in words, a picture and a table."""
    game = skerry.make(book.game, **book.options)
    lines = [f"### {game.title}, {write_options(game.options)}\n"]
    if book.first_moves:
        lines += [_show_map(game), "", *_list_moves(game, book), ""]
    starts = len(book.even_starts)
    if starts:
        games = {start.evidence.won[0].n for start in book.even_starts}
        lines.append(
            f"{starts} even starts, each of {_say_span(games)} games in which the whole 95 % "
            "interval of every seat lies within the bounds above.\n"
        )
    else:
        lines.append("No even starts were found.\n")
    return "\n".join(lines) + "\n"


def _say_span(counts: set[int]) -> str:
    ends = sorted({min(counts), max(counts)})
    return " to ".join(f"{count:,}" for count in ends)


def _show_map(game: skerry.Game) -> str:
    stem = name_picture(game)
    words = f"{game.title}: what every first move is worth"
    return (
        f'<picture><source media="(prefers-color-scheme: dark)" srcset="images/{stem}-dark.svg">'
        f'<img src="images/{stem}-light.svg" width="420" alt="{words}"></picture>'
    )


def name_picture(game: skerry.Game) -> str:
    """What the pictures of a board's map are called, before the theme."""
    return f"first-{name_book(game).removesuffix('-beginnings.json')}"


def _list_moves(game: skerry.Game, book: Beginnings) -> list[str]:
    found = describe_first_moves(book)
    pairs = game.num_seats == 2
    heads = ["first move", *(["choice", "Elo for the chooser"] if pairs else [])]
    heads += [f"{c['minutes']:.1f} min, {c['simulations']}" for c in found["columns"]]
    rows = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    for move in found["moves"][:LISTED]:
        more = f", and {len(move['images'])} like it" if move["images"] else ""
        cells = [move["move"] + more]
        if pairs:
            elo = move["elo"]
            cells += [move["band"], f"{elo['value']:.0f} ({elo['low']:.0f} to {elo['high']:.0f})"]
        for column in move["shares"]:
            told = column[:1] if pairs else column
            margin = max(each["high"] - each["low"] for each in told) / 2
            values = " / ".join(f"{100 * each['value']:.1f}" for each in told)
            cells.append(f"{values} ± {100 * margin:.1f}")
        rows.append(f"| {' | '.join(cells)} |")
    if len(found["moves"]) > LISTED:
        rows += ["", f"The {LISTED} fairest of {len(found['moves'])}; the web app lists all."]
    if pairs:
        bands = ", ".join(f"{count} {band}" for band, count in count_bands(book).items())
        rows += ["", f"Of all first moves, their images counted: {bands}."]
    return rows


def write(page: str, books: list[Beginnings]) -> str:
    """The page with a section of every book."""
    told = "".join(map(write_section, books)) or NONE
    return PLACE.sub(lambda found: f"{found[1]}\n{told}{found[2]}", page)


def draw_all(books: list[Beginnings], folder: Path) -> dict[Path, str]:
    """The pictures of all maps: path -> content."""
    files = {}
    for book in books:
        game = skerry.make(book.game, **book.options)
        for theme in ("light", "dark") if book.first_moves else ():
            path = folder / f"{name_picture(game)}-{theme}.svg"
            files[path] = draw_swap_map(game, book, theme) + "\n"
    return files


def main() -> None:
    for folder in map(Path, sys.argv[1:]):
        surveys = find_surveys(folder)
        if not surveys:
            raise SystemExit(f"{folder} has no {SURVEYED}")
        for path in surveys:
            try:
                print(take(path, BOOKS).relative_to(ROOT))
            except (SkerryError, ValueError) as error:
                raise SystemExit(f"{path}: {error}") from None
    books = list(read_books(BOOKS))
    for path, content in draw_all(books, PAGE.parent / "images").items():
        path.write_text(content, encoding="utf-8")
    PAGE.write_text(write(PAGE.read_text(encoding="utf-8"), books), encoding="utf-8")


if __name__ == "__main__":
    main()
