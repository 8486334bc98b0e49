"""What pages know of books of beginnings: where there are even starts, and maps of first moves."""

from skerry.core.errors import OptionsError
from skerry.games import make
from skerry.lab.openings.books import Books
from skerry.server.web.kinds import list_changes
from skerry.server.web.logs import log


def list_even_boards(books: Books, name: str) -> list[str]:
    """The boards of a game that have even starts, each by what is not as usual: ``side=4``.

    A file that cannot be read is told to whoever runs the server; pages go on without it.
    """
    try:
        boards = books.list_boards(name)
    except OptionsError as error:
        log("a book of beginnings is left out", error=str(error))
        return []
    return [
        ",".join(f"{option}={value}" for option, value in list_changes(name, board).items())
        for board in boards
    ]


def has_first_moves(books: Books, name: str) -> bool:
    """Whether it is known what first moves on the usual board are worth."""
    try:
        book = books.find(make(name))
    except OptionsError:
        return False
    return book is not None and bool(book.first_moves)
