"""Which files of tests come first."""

from pathlib import Path

TESTS = Path(__file__).parents[1]
# Files that take ten seconds or more, the longest first: no core is left with one of them in the
# end. ``pytest --durations=0`` tells which they are.
LONGEST_FIRST = [
    "test_contributing.py",
    "lab/test_cluster.py",
    "games/test_reference.py",
    "rl/test_device.py",
    "search/test_solver.py",
    "rl/test_batch.py",
    "search/test_review.py",
    "lab/report/test_measure.py",
    "cli/test_reports.py",
    "cli/test_contests.py",
    "render/test_text.py",
    "engine/test_session.py",
]
