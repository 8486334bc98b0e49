"""What an installation takes: builds sdist and wheel, installs them into a clean environment, and
prints its size and how soon it answers. Run it with: python tools/footprint.py"""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import venv
from collections.abc import Sequence
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
BUILD = "import sys; from setuptools import build_meta as b; b.build_{0}(sys.argv[1])"
REPEATS = 5
MOVE = "import skerry; skerry.make('skew').initial().play('d4-ne')"
# What is timed, as a person would do it first; the last two wait for the compiler on new machines.
STARTS = {
    "`skerry --version`": ["skerry", "--version"],
    "`import skerry`": ["python", "-c", "import skerry"],
    "first move of a new machine": ["python", "-c", MOVE],
    "first move of a process after that": ["python", "-c", MOVE],
}


def build(folder: Path) -> tuple[Path, Path]:
    """The sdist of this tree, and the wheel that is made of nothing but the sdist."""
    copy = folder / "copy"  # tools that build leave folders beside the sources
    skipped = shutil.ignore_patterns("*.egg-info", "*.pyc")
    shutil.copytree(ROOT / "src", copy / "src", ignore=skipped)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    _run([sys.executable, "-c", BUILD.format("sdist"), str(folder)], cwd=copy)
    (sdist,) = folder.glob("*.tar.gz")
    with tarfile.open(sdist) as packed:
        packed.extractall(folder / "unpacked", filter="data")
    (source,) = (folder / "unpacked").iterdir()
    _run([sys.executable, "-c", BUILD.format("wheel"), str(folder)], cwd=source)
    shutil.rmtree(folder / "unpacked")
    shutil.rmtree(copy)
    (wheel,) = folder.glob("*.whl")
    return sdist, wheel


def make_environment(folder: Path) -> Path:
    """An empty environment; the folder of its commands."""
    venv.create(folder, with_pip=True)
    return folder / "bin"


def install(commands: Path, wheel: Path, extras: str = "") -> None:
    """Install a wheel, with the versions that were tested."""
    pip = [str(commands / "pip"), "install", "--quiet", "--disable-pip-version-check"]
    locked = ["--constraint", str(ROOT / "requirements.lock")]
    wanted = f"skerry{f'[{extras}]' if extras else ''} @ {wheel.as_uri()}"
    _run([*pip, *locked, "--no-compile", wanted], cwd=commands.parent)


def size_of(folder: Path) -> int:
    """The bytes of all files in a folder, less what Python and pip have put there."""
    beside = ("pip", "__pycache__")
    return sum(
        path.stat().st_size
        for path in folder.rglob("*")
        if path.is_file() and not any(part.startswith(beside) for part in path.parts)
    )


def _run(command: Sequence[str], cwd: Path) -> None:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")


def _time(commands: Path, command: Sequence[str], cache: Path) -> float:
    start = time.perf_counter()
    subprocess.run(  # noqa: S603
        [str(commands / command[0]), *command[1:]],
        cwd=commands,
        env={**os.environ, "SKERRY_CACHE": str(cache)},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return time.perf_counter() - start


def main() -> None:
    """Measure, and print two tables in Markdown."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sdist, wheel = build(folder)
        print(f"| what | MB |\n|---|---|\n| sdist | {sdist.stat().st_size / 1e6:.1f} |")
        print(f"| wheel | {wheel.stat().st_size / 1e6:.1f} |")
        commands = make_environment(folder / "environment")
        for extras in ("", "web"):
            install(commands, wheel, extras)
            size = size_of(folder / "environment" / "lib") / 1e6
            shown = f"skerry[{extras}]" if extras else "skerry"
            print(f"| `pip install '{shown}'`, all dependencies included | {size:.0f} |")
        print("\n| start | s |\n|---|---|")
        _time(
            commands, ["python", "-c", "import skerry.search.engine"], folder / "other"
        )  # bytecode
        for what, command in STARTS.items():
            new = "new machine" in what
            times = [
                _time(commands, command, folder / (f"cache{turn}" if new else "cache0"))
                for turn in range(1 if new else REPEATS)
            ]
            print(f"| {what} | {median(times):.2f} |")


if __name__ == "__main__":
    main()
