"""A report as a page: its plots, boards and games to replay."""

from pathlib import Path

STATIC = Path(__file__).parent / "static"  # scripts and style sheets, for pages that are served
