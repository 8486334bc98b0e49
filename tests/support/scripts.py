"""The scripts that write the docs, as modules."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"


def load_script(name: str) -> ModuleType:
    """``tools/name.py``, which is no part of the package, and may take from its neighbours."""
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [*sys.path, str(TOOLS)])
        spec.loader.exec_module(module)
    return module
