"""The clocks that quick pairing offers: few, so that those who wait meet."""

from typing import Any

PRESETS: dict[str, dict[str, Any]] = {
    "3 + 2": {"kind": "total", "seconds": 180, "increment": 2},
    "5 + 3": {"kind": "total", "seconds": 300, "increment": 3},
    "15 + 10": {"kind": "total", "seconds": 900, "increment": 10},
    "3 days": {"kind": "days", "days": 3},
}
