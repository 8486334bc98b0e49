"""Kernels that tests declare are kept in a folder named by the files that declare them.

Skerry would name it by all of tests/, as it does with any other package: then every edit of a test
would have all of them compiled again, which takes a quarter of a minute.
"""

from skerry.core.kernels.storage import FOREIGN, hash_sources, list_sources
from support.order import TESTS


def name_kernels() -> None:
    """Before any of them is declared."""
    FOREIGN["tests"] = FOREIGN["support"] = hash_sources(list_sources(TESTS, TESTS), TESTS)
