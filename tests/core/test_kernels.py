"""Kernels, words of bits and random numbers."""

import os
import subprocess
import sys
from collections import Counter
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.core.caching import IndexDataCacheFile

import skerry
from skerry.core import bits, kernels
from skerry.core.errors import TOLD
from skerry.core.kernels import kernel, storage
from skerry.core.random import advance, below, choose, scramble, seeded
from support.order import TESTS

PLAY = "import skerry; print(skerry.make('x', size=3).initial().play('b2').position)"
# One kernel, compiled in no time; games ask no more of the cache than it does.
DOUBLE = """
from skerry.core.kernels import kernel, on_compile

@kernel
def double(number):
    return 2 * number

with on_compile(lambda: print("compiled")):
    print(double(21))
"""


def run(*arguments: str, **environment: str) -> str:
    """What Python prints, with these variables of the environment."""
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.fixture
def script(tmp_path: Path) -> str:
    """A script of one kernel, which has a place that a cache can name it by."""
    (tmp_path / "script").mkdir()
    path = tmp_path / "script" / "double.py"
    path.write_text(DOUBLE, encoding="utf-8")
    return str(path)


def test_the_cache_is_named_by_all_that_kernels_reach(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever a kernel stands, it and all that it imports count; what it never sees does not."""
    package = tmp_path / "skerry"
    monkeypatch.setattr(storage, "PACKAGE", package)
    texts = {
        "far/rules.py": "from skerry.near import (\n    tools,\n)\n@kernel\ndef play(): ...\n",
        "near/__init__.py": "",
        "near/tools.py": "import skerry.near.sizes\n",
        "near/sizes.py": "SIZE = 1\n",
        "page.py": "from skerry.far import rules\n",
    }
    for name, text in texts.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)

    def named() -> str:
        return storage.hash_sources(storage.kernel_sources())

    before, whole = named(), storage.package_hash()
    assert named() == before
    (package / "page.py").write_text("# another page\n")
    assert named() == before
    assert storage.package_hash() != whole
    (package / "near" / "sizes.py").write_text("SIZE = 2\n")
    changed = named()
    assert changed != before
    (package / "far" / "rules.py").rename(package / "far" / "other.py")
    assert named() not in (before, changed)


def test_kernels_of_tests_are_named_by_what_declares_them() -> None:
    """This file does, and so does what another imports; most do not."""
    found = {path.relative_to(TESTS).as_posix() for path in storage.list_sources(TESTS, TESTS)}
    assert found >= {"core/test_kernels.py", "support/sampling.py", "support/sizes.py"}
    assert found.isdisjoint({"conftest.py", "test_docs.py"})


def test_every_module_with_kernels_is_in_the_hash() -> None:
    found = {path.relative_to(storage.PACKAGE).as_posix() for path in storage.kernel_sources()}
    assert {
        "core/rules.py",
        "rl/seeing.py",
        "rl/stepping.py",
        "study/forcing.py",
        "search/solver/proof.py",
    } <= found
    assert not any(name.startswith(("server/", "cli/")) for name in found)


def test_kernels_are_found_again_by_the_next_process(tmp_path: Path, script: str) -> None:
    first, second = (run(script, SKERRY_CACHE=str(tmp_path / "cache")) for _ in range(2))
    assert (first, second) == ("compiled\n42\n", "42\n")


def test_what_kernels_call_is_compiled_within_them() -> None:
    """Alone it is compiled only once Python calls it, to the same result."""

    @kernel
    def square(number: int) -> int:
        return number * number

    @kernel
    def square_twice(number: int) -> int:
        return square(square(number))

    assert square_twice(3) == 81
    assert not square.signatures  # type: ignore[attr-defined]
    assert square(9) == 81
    assert len(square.signatures) == 1  # type: ignore[attr-defined]


def test_games_are_found_again_by_the_next_process() -> None:
    """Whoever plays first compiles for all, unless others have done so already."""
    told = f"import skerry.core.kernels as k\nwith k.on_compile(lambda: print('compiled')): {PLAY}"
    assert skerry.make("x", size=3).initial().play("b2").position == "3/1r1/3 y"
    assert run("-c", told) == "3/1r1/3 y\n"


def test_a_cache_that_cannot_be_written_does_not_stop_the_game(tmp_path: Path, script: str) -> None:
    """It is mentioned once, not by every process; the makeshift one leaves nothing behind."""
    blocked, temporary = tmp_path / "file", tmp_path / "temporary"
    blocked.write_text("not a folder")
    temporary.mkdir()
    code = "import runpy, subprocess as s, sys; runpy.run_path(sys.argv[1]); s.run(sys.argv[2:])"
    done = subprocess.run(
        [sys.executable, "-c", code, script, sys.executable, script],
        env={**os.environ, "SKERRY_CACHE": str(blocked), "TMPDIR": str(temporary), TOLD: ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "compiled\n42\n" * 2
    (said,) = done.stderr.splitlines()
    assert f"compiled rules cannot be kept in {blocked} (Not a directory)" in said
    assert said.endswith("make it writable, or set SKERRY_CACHE to a folder that is")
    assert list(temporary.iterdir()) == []


def double(number: float) -> float:
    return 2 * number


def compiles(number: float) -> bool:
    """Whether a kernel that is declared anew, as by another process, has to be compiled."""
    told: list[bool] = []
    with kernels.on_compile(lambda: told.append(True)):
        assert kernel(double)(number) == 2 * number
    return bool(told)


@pytest.mark.parametrize("damage", [b"", b"garbage", None], ids=["empty", "garbage", "cut"])
def test_a_damaged_cache_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: bytes | None
) -> None:
    monkeypatch.setattr(kernels, "CACHE", tmp_path)
    assert [compiles(21), compiles(21)] == [True, False]
    spoil(tmp_path, damage)
    assert [compiles(21), compiles(21)] == [True, False]


def test_two_that_compile_at_the_same_time_both_keep_what_they_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While one writes down what it has compiled, another compiles for something else."""
    monkeypatch.setattr(kernels, "CACHE", tmp_path)
    others, dump = [1.5], IndexDataCacheFile._dump

    def write(file: IndexDataCacheFile, data: object) -> object:
        if others:
            assert compiles(others.pop())
        return dump(file, data)

    monkeypatch.setattr(IndexDataCacheFile, "_dump", write)
    assert compiles(21)
    assert others == []
    assert [compiles(21), compiles(1.5)] == [False, False]


@pytest.mark.soak
@pytest.mark.parametrize("damage", [b"", b"garbage", None], ids=["empty", "garbage", "cut"])
def test_a_game_with_a_damaged_cache_is_compiled_anew(tmp_path: Path, damage: bytes | None) -> None:
    run("-c", PLAY, SKERRY_CACHE=str(tmp_path))
    spoil(tmp_path, damage)
    assert run("-c", PLAY, SKERRY_CACHE=str(tmp_path)) == "3/1r1/3 y\n"


def spoil(cache: Path, damage: bytes | None) -> None:
    """Write something else into all files, or leave half of what is there."""
    files = list(cache.rglob("*.nbc"))
    assert files
    for file in files:
        content = file.read_bytes()
        file.write_bytes(content[: len(content) // 2] if damage is None else damage)


def test_numba_settings_of_others_are_left_alone() -> None:
    code = "import numba; before = numba.config.CACHE_DIR; import skerry.games.x\n"
    assert run("-c", code + "print(numba.config.CACHE_DIR == before)") == "True\n"


@kernel
def apply_bits(word, n, out):  # type: ignore[no-untyped-def]
    out[0] = bits.count(word)
    out[1] = bits.lowest(word)
    out[2] = bits.leading(word)
    out[3] = bits.nth(word, n)
    out[4] = clearing(word, n)


clearing = kernel(bits._nth_by_clearing)


@given(st.integers(1, 2**64 - 1), st.data())
def test_words(word: int, data: st.DataObject) -> None:
    places = [i for i in range(64) if word >> i & 1]
    n = data.draw(st.integers(0, len(places) - 1))
    out = np.zeros(5, np.int64)
    apply_bits(np.uint64(word), n, out)
    assert out.tolist() == [len(places), places[0], 63 - places[-1], places[n], places[n]]


def test_an_empty_word_has_no_places() -> None:
    out = np.zeros(5, np.int64)
    apply_bits(np.uint64(0), 0, out)
    assert out[:3].tolist() == [0, 64, 64]


@given(st.sets(st.integers(0, 511)))
def test_masks_and_members_are_inverse(cells: set[int]) -> None:
    assert bits.members(bits.mask(cells, 8)) == cells


@pytest.mark.parametrize(("cells", "words"), [(1, 1), (64, 1), (65, 2), (129, 4), (397, 8)])
def test_words_for(cells: int, words: int) -> None:
    assert bits.words_for(cells) == words


@kernel
def draw(seed, n, out):  # type: ignore[no-untyped-def]
    rng = seeded(seed)
    for i in range(len(out)):
        rng = advance(rng)
        out[i] = below(rng, n)


def test_random_numbers_are_splitmix64() -> None:
    """The published first outputs of SplitMix64 from state 1234567."""
    state, found = 1234567, []
    for _ in range(3):
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        found.append(int(scramble(np.uint64(state))))
    assert found == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@given(st.integers(0, 2**63 - 1), st.integers(1, 1000))
def test_numbers_below_stay_below(seed: int, n: int) -> None:
    out = np.zeros(50, np.int64)
    draw(seed, n, out)
    assert out.min() >= 0
    assert out.max() < n


def test_numbers_below_are_even() -> None:
    out = np.zeros(70_000, np.int64)
    draw(1, 7, out)
    assert np.abs(np.bincount(out) - 10_000).max() < 500


@kernel
def draw_sets(words, n, seed, out):  # type: ignore[no-untyped-def]
    rng = seeded(seed)
    for i in range(len(out)):
        rng = choose(words, n, out[i], rng)


@given(st.sets(st.integers(0, 127)), st.data())
def test_chosen_cells(cells: set[int], data: st.DataObject) -> None:
    n = data.draw(st.integers(0, len(cells)))
    out = np.zeros((3, 2), np.uint64)
    draw_sets(bits.mask(cells, 2), n, data.draw(st.integers(0, 1000)), out)
    for words in out:
        assert len(bits.members(words)) == n
        assert bits.members(words) <= cells


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_all_choices_are_equally_likely(n: int) -> None:
    cells = {0, 3, 63, 64, 100}
    out = np.zeros((40_000, 2), np.uint64)
    draw_sets(bits.mask(cells, 2), n, 1, out)
    found = Counter(frozenset(bits.members(words)) for words in out)
    expected = len(out) / comb(len(cells), n)
    assert len(found) == comb(len(cells), n)
    assert all(abs(number - expected) < 5 * expected**0.5 for number in found.values())
