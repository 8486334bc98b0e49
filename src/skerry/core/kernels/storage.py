"""Where compiled kernels are kept: in a folder named by a hash of the sources.

Numba's own disk cache only watches the file a kernel stands in, not the kernels it calls, so an
edit elsewhere could leave stale machine code behind. This one lives in a folder named by a hash of
every source that kernels are made of, wherever in the package it lies: a changed rule means a new
folder, and a stale kernel is impossible. What is compiled of another package, or for its game, lies
in a folder below that one, named by a hash of that package: whoever installs a game need not
compile ours again.
"""

import atexit
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from errno import EACCES
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    NullCache,
    UserProvidedCacheLocator,
)

from skerry.core.errors import warn

config: Any = numba.config
types: Any = numba.types

PACKAGE = Path(__file__).resolve().parents[2]
DECORATORS = ("@kernel", "@generic", "@implements")
DECLARATION = re.compile(rf"^[ \t]*(?:{'|'.join(DECORATORS)})\b", re.MULTILINE)
IMPORTS = re.compile(
    r"^[ \t]*(?:from|import)[ \t]+([\w.]+)(?:[ \t]+import[ \t]+(\([^)]*\)|[^\n]*))?", re.MULTILINE
)
IMPORTED_PACKAGE = re.compile(r"^\s*(?:from|import)\s+(\w+)", re.MULTILINE)
STALE_AFTER_DAYS = 30


def kernel_sources() -> list[Path]:
    """What kernels of this package are made of.

    A page or a command is no part of it, so whoever edits one need not compile the rules again.
    """
    return list_sources(PACKAGE, PACKAGE.parent)


def list_sources(folder: Path, base: Path) -> list[Path]:
    """Every module below a folder that declares kernels, and all modules there that these import,
    by names that begin at ``base``."""
    paths = {path.relative_to(base).as_posix(): path for path in folder.rglob("*.py")}
    texts = {name: path.read_text("utf-8") for name, path in paths.items()}
    found: set[str] = set()
    wanted = [name for name, text in texts.items() if _declares_kernels(text)]
    while wanted:
        name = wanted.pop()
        if name not in found:
            found.add(name)
            wanted += [other for other in _list_imports(texts[name]) if other in texts]
    return sorted(paths[name] for name in found)


def _declares_kernels(text: str) -> bool:
    """To search all files for a pattern would take every start longer than to read them."""
    return any(name in text for name in DECORATORS) and bool(DECLARATION.search(text))


def _list_imports(text: str) -> Iterator[str]:
    """Files that a source may import; more than those does no harm."""
    for module, names in IMPORTS.findall(text):
        for name in (module, *(f"{module}.{name}" for name in re.findall(r"\w+", names))):
            place = name.replace(".", "/")
            yield f"{place}.py"
            yield f"{place}/__init__.py"


def hash_sources(paths: Iterable[Path], base: Path | None = None) -> str:
    """Hash of source files below a folder, by default the package, and of the compiler."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in paths:
        digest.update(path.relative_to(base or PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def package_hash() -> str:
    """Hash of everything that is imported from this package; two machines that share work compare
    theirs."""
    return hash_sources(sorted(PACKAGE.rglob("*.py")))


# Other packages that declare kernels -> hash of their sources.
FOREIGN: dict[str, str] = {}
# name of a game of another package -> that package
FOREIGN_GAMES: dict[str, str] = {}
UNKNOWN = ""  # hash of what was typed at a prompt: it is not kept, since it may change


def hash_foreign() -> dict[str, str]:
    """Hashes of all other packages that have brought a game so far."""
    return {package: FOREIGN[package] for package in FOREIGN_GAMES.values()}


def package_of(function: Callable[..., Any]) -> str:
    """The package that a function is of, "" for this one; its sources are hashed if need be."""
    package = function.__module__.partition(".")[0]
    if package == PACKAGE.name:
        return ""
    if package not in FOREIGN:
        FOREIGN[package] = _hash_foreign(package, Path(function.__code__.co_filename))
    return package


def _hash_foreign(package: str, file: Path) -> str:
    """Hash of a package of others, or of the file alone where no package is to be seen.

    The packages that it imports count too if they declare kernels: they have done so by now.
    """
    folders = [Path(folder) for folder in getattr(sys.modules.get(package), "__path__", ())]
    found = [(base, path) for base in folders for path in sorted(base.rglob("*.py"))]
    if not found and file.is_file():
        found = [(file.parent, file)]
    if not found:
        return UNKNOWN
    parts = [hash_sources([path], base) for base, path in found]
    imports = {
        name for _, path in found for name in IMPORTED_PACKAGE.findall(path.read_text("utf-8"))
    }
    parts += [FOREIGN[name] for name in sorted(imports - {package}) if name in FOREIGN]
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()[:16]


def cache_root() -> Path:
    """The per-user folder for compiled kernels: $SKERRY_CACHE, else the usual cache folder."""
    chosen = os.environ.get("SKERRY_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "skerry"


def _open_cache() -> Path:
    """The cache folder for these sources; a makeshift one if it cannot be written."""
    root = cache_root()
    try:
        return _open_folder(root, "kernels", hash_sources(kernel_sources()))
    except OSError as error:
        # A read-only home must not stop anybody from playing.
        folder = Path(tempfile.mkdtemp(prefix="skerry-kernels-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        warn(
            f"compiled rules cannot be kept in {root} ({error.strerror or error}), so every start "
            "compiles them again: make it writable, or set SKERRY_CACHE to a folder that is"
        )
    return folder


def _open_folder(root: Path, name: str, digest: str) -> Path:
    """A folder for kernels of these sources, made if needed; those long unused are removed."""
    folder = root / f"{name}-{digest}"
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    oldest = time.time() - STALE_AFTER_DAYS * 86_400
    for other in root.glob(f"{name}-*"):
        if other.stat().st_mtime < oldest:
            shutil.rmtree(other, ignore_errors=True)
    if not os.access(folder, os.W_OK):
        raise PermissionError(EACCES, os.strerror(EACCES), str(folder))
    return folder


CACHE = _open_cache()


@contextmanager
def _cached_in(folder: Path) -> Iterator[None]:
    """Point Numba at our folder while a kernel is declared, and leave its settings as they were."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before


class _Place(UserProvidedCacheLocator):
    """Where a kernel is kept: named by its place in the package, wherever the package lies, so that
    copies of the same sources share what they compile."""

    @classmethod
    def from_function(cls, function: Any, file: str) -> "_Place":
        return cls(function, file)  # that the folder can be written has been seen to

    @classmethod
    def get_suitable_cache_subpath(cls, file: str) -> str:
        place = Path(file).resolve().parent
        if not place.is_relative_to(PACKAGE):
            return str(super().get_suitable_cache_subpath(file))
        return "-".join(("skerry", *place.relative_to(PACKAGE).parts))


class _KernelCacheImpl(CompileResultCacheImpl):
    _locator_classes = [_Place]  # noqa: RUF012  # as Numba declares it


class _KernelFiles(IndexDataCacheFile):
    """One file for each kernel and what it is compiled for, which the file is named by.

    Numba counts them in an index. Processes that compile for two games at the same time may come to
    the same number there, and would from then on run the code of one game for the other.
    """

    def _name(self, key: Any) -> str:
        digest = hashlib.sha256(repr(key).encode()).hexdigest()
        return str(self._data_name(int(digest[:16], 16)))

    def save(self, key: Any, data: Any) -> None:
        self._save_data(self._name(key), (key, data))

    def load(self, key: Any) -> Any:
        try:
            found, data = self._load_data(self._name(key))
        except FileNotFoundError:
            return None
        return data if found == key else None


class _ForgivingCache(FunctionCache):
    """A cache that a damaged file or a full disk can slow down but not stop."""

    _impl_class = _KernelCacheImpl

    def __init__(self, function: Any, folder: Path, package: str = "") -> None:
        """What is compiled of another package is kept apart, in a folder of its own."""
        if package:
            folder = _open_folder(folder, package, FOREIGN[package])
        with _cached_in(folder):
            super().__init__(function)
        self._cache_file = _KernelFiles(self._cache_path, self._impl.filename_base, None)
        self._folder = folder
        self._package = package
        self._others: dict[str, FunctionCache | NullCache] = {}

    def _choose(self, sig: Any) -> Any:
        """Where a kernel for these arguments is kept: games of others have folders of theirs."""
        games = _list_games(getattr(sig, "args", sig))
        package = next((FOREIGN_GAMES[game] for game in games if game in FOREIGN_GAMES), "")
        if package in ("", self._package):
            return super()
        if package not in self._others:
            self._others[package] = open_kernel_cache(self._py_func, self._folder, package)
        return self._others[package]

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return self._choose(sig).load_overload(sig, target_context)
        except Exception:  # whatever reading half a file can raise; it is written anew
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        with suppress(OSError):
            self._choose(sig).save_overload(sig, data)


def open_kernel_cache(function: Any, folder: Path, package: str) -> Any:
    """Where a function is kept once it is compiled; nowhere if it may change unseen."""
    if package and FOREIGN[package] == UNKNOWN:
        return NullCache()
    try:
        return _ForgivingCache(function, folder, package)
    except OSError:  # the folder can no longer be written
        return NullCache()


def _list_games(arguments: Iterable[Any]) -> Iterator[str]:
    """The first field of all records among these types; of tables that is the name of a game."""
    for each in arguments:
        if isinstance(each, types.BaseTuple):
            yield from _list_games(each.types)
        while isinstance(each, types.Buffer):
            each = each.dtype  # noqa: PLW2901  # of an array of records
        if isinstance(each, types.Record) and each.fields:
            yield next(iter(each.fields))
