"""Modules can still be imported by the names that the documentation once gave them."""

from importlib import import_module

import pytest

from skerry.former import FORMER_NAMES


@pytest.mark.parametrize(("former", "now"), FORMER_NAMES.items())
def test_a_former_name_is_the_module_that_it_became(former: str, now: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"is now {now}"):
        module = import_module(former)
    assert module is import_module(now)


def test_a_name_that_never_was_is_not_found() -> None:
    with pytest.raises(ModuleNotFoundError):
        import_module("skerry.lab.nothing")
