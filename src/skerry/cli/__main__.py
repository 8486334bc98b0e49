"""``python -m skerry.cli`` does what the ``skerry`` script does."""

from skerry.cli import main

main()
