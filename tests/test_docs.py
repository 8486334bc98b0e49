"""Docs are checked: samples run, pictures are up to date and show what their captions say."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import skerry
from scripts import load_script

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SAMPLES = [ROOT / "README.md", ROOT / "docs" / "library.md"]


pictures = load_script("pictures")


@pytest.mark.parametrize(
    ("page", "code"),
    [
        (page, code)
        for page in SAMPLES
        for code in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
    ],
)
def test_samples_run(page: Path, code: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, str(page), "exec"), {"__name__": "__main__"})  # noqa: S102  # our own samples
    for line in re.findall(r"print\(error\) +# (.*)", code):
        assert line in capsys.readouterr().out


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#\s]+)", text) + re.findall(r'(?:src|srcset)="([^"]+)"', text)
    for target in targets:
        if not target.startswith(("http://", "https://")):
            assert (page.parent / target).exists(), f"{target} is missing"


@pytest.mark.parametrize("page", pictures.PAGES, ids=lambda page: page.name)
def test_pictures_are_up_to_date(page: Path) -> None:
    for path, content in pictures.render(page).items():
        assert path.read_text(encoding="utf-8") == content, "run: python docs/pictures.py"


def test_no_picture_is_left_over() -> None:
    wanted = {path for page in pictures.PAGES for path in pictures.render(page)}
    assert set((ROOT / "docs" / "rules" / "images").iterdir()) <= wanted


def moves(state: skerry.State) -> list[str]:
    return sorted(str(move) for move in state.legal_moves())


def attacks(state: skerry.State) -> list[str]:
    return [move for move in moves(state) if "x" in move]


def reason(state: skerry.State) -> str:
    assert state.outcome is not None
    return state.outcome.reason


NEXT_TO_C4 = {"b4", "c5", "d4"}
# What a caption claims, by picture: claims about moves, scores and ends.
CLAIMS: dict[str, Callable[[skerry.State], bool]] = {
    "skaane-1": lambda s: len(moves(s)) == 16 and all(m[-1] == "3" for m in moves(s)),
    "skaane-2": lambda s: {"h1-a1", "a2-a4", "a3-a1"} <= set(moves(s)),
    "skaane-3": lambda s: attacks(s) == ["b3xa4", "d3xc4", "f3xe4"],
    "skaane-4": lambda s: attacks(s) == ["a4xb3", "c4xb3"],
    "skaane-5": lambda s: reason(s) == "Light reaches the far row and wins",
    "skaane-6": lambda s: reason(s) == "Light has no legal move, so Dark wins",
    "skew-2": lambda s: {m[:2] for m in moves(s)} == {"b2", "b3", "c2", "d2", "d3"} | NEXT_TO_C4,
    "skew-3": lambda s: s.play("d1-e").position == "4/5/6/DdD*dDw/2X3/5/4 1",
    "skew-5": lambda s: reason(s) == "Second wins 4-3",
    "skew-6": lambda s: "2-2 is a tie" in reason(s) and "First wins 4-3" in reason(s),
    "skirt-2": lambda s: moves(s) == ["c2", "c3", "c4", "d2", "e3"],
    "skirt-3": lambda s: {m for m in moves(s) if m[0] == "e"} == {"e4", "e5"},
    "skirt-4": lambda s: (
        moves(s) == ["b1", "b3", "c1", "c2"] and all(s.play(m).to_move != 0 for m in moves(s))
    ),
    "skirt-5": lambda s: reason(s) == "Black connects two opposite sides and wins",
    "skirt-6": lambda s: reason(s) == "Black connects three alternate sides and wins",
    "x-2": lambda s: not s.is_over,
    "x-3": lambda s: reason(s) == "Red wins 4-0-0",
    "x-4": lambda s: reason(s) == "Red wins 3-1-0",
    "x-5": lambda s: reason(s) == "Red wins 2-1-1",
    "x-6": lambda s: reason(s) == "Red wins 0-2-2",
}


@pytest.mark.parametrize("name", CLAIMS)
def test_pictures_show_what_their_captions_say(name: str) -> None:
    page = ROOT / "docs" / "rules" / f"{name.partition('-')[0]}.md"
    found = {picture.name: picture.state for picture in pictures.read_pictures(page)}
    assert CLAIMS[name](found[name])
