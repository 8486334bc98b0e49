"""Distributions as an installer leaves them: modules, and metadata with entry points."""

from collections.abc import Mapping
from pathlib import Path


def install(
    folder: Path, name: str, points: str, modules: Mapping[str, str], version: str = "1.0"
) -> None:
    """Put a distribution in a folder to import from; ``points`` as in entry_points.txt."""
    about = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    about.mkdir(parents=True)
    head = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    (about / "METADATA").write_text(head, encoding="utf-8")
    (about / "entry_points.txt").write_text(points, encoding="utf-8")
    for path, text in modules.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
