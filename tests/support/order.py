"""Which files of tests come first."""

from pathlib import Path

TESTS = Path(__file__).parents[1]
# Files that take six seconds or more, the longest first: no core is left with one of them in the
# end. ``pytest --durations=0`` tells which they are; the first two compile much on new machines.
LONGEST_FIRST = [
    "test_contributing.py",
    "games/test_rooms.py",
    "browser/test_table.py",
    "browser/test_playing.py",
    "browser/test_study.py",
    "browser/test_lessons.py",
    "browser/test_board.py",
    "games/test_reference.py",
    "train/test_remote.py",
    "lab/test_cluster.py",
    "browser/test_offline.py",
    "browser/test_fairness.py",
    "browser/test_archive.py",
    "browser/test_pages.py",
    "cli/test_reports.py",
    "lab/report/test_page.py",
    "engine/test_session.py",
    "server/test_analysis.py",
    "browser/test_puzzles.py",
    "server/test_postgres.py",
    "games/test_properties.py",
    "search/test_search.py",
    "cli/test_contests.py",
    "rl/test_device.py",
    "search/test_solver.py",
    "lab/report/test_measure.py",
    "cli/test_commands.py",
    "server/test_races.py",
    "server/test_engines.py",
]
