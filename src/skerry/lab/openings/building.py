"""An atlas made of files of games, one after the other, with its data card."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from skerry import __version__
from skerry.core.errors import OptionsError
from skerry.core.game import Game
from skerry.lab.corpus import read_corpus
from skerry.lab.openings.atlas import LEAST, ROOM, Atlas, draw_atlas, encode, write_atlas
from skerry.lab.openings.gathering import PLIES, Gathering
from skerry.records.folders import fingerprint


def build_atlas(
    game: Game,
    files: Sequence[Path],
    out: Path,
    note: str = "",
    tell: Callable[[int], None] = lambda games: None,
    *,
    least: int = LEAST,
    plies: int = PLIES,
    room: int = ROOM,
) -> tuple[Atlas, int]:
    """Write an atlas of all games in some files; it, and the bytes of its file."""
    gathering = Gathering(game, plies)
    sources: list[dict[str, Any]] = []
    for path in files:
        print = fingerprint(path)
        if print in (source["sha256"] for source in sources):
            raise OptionsError(f"{path} has the same games as a file before it")
        corpus = read_corpus(path)
        gathering.add(corpus, str(path))
        told = {"file": path.name, "sha256": print, "games": len(corpus), "card": corpus.card}
        sources.append(told)
        tell(gathering.games)
    names = " ".join(path.name for path in files)
    card = {
        "games": gathering.games,
        "plies": plies,
        "sources": sources,
        "command": f"skerry openings build {game.name} {names} --least {least} --plies {plies}",
        "skerry": __version__,
        "note": note,
    }
    atlas = draw_atlas(game, gathering.total(), card, least, room)
    write_atlas(out, atlas)
    return atlas, len(encode(atlas))
