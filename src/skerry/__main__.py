"""``python -m skerry`` is ``skerry``."""

from skerry.cli import main

main()
