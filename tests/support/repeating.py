"""Parameters of which every run takes some, and the others are left to ``make soak``."""

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def some_of(everything: Iterable[Any], kept: Collection[Any]) -> list[Any]:
    """All parameters, with those that merely repeat marked; a tuple has one for each name."""
    chosen = list(everything)
    assert all(one in chosen for one in kept), f"not all of {kept} are among {chosen}"
    return [
        pytest.param(
            *(one if isinstance(one, tuple) else (one,)),
            marks=[] if one in kept else [pytest.mark.soak],
        )
        for one in chosen
    ]
