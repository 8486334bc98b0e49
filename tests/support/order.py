"""Which files of tests come first."""

from pathlib import Path

TESTS = Path(__file__).parents[1]
# Files that take six seconds or more, the longest first: no core is left with one of them in the
# end. ``pytest --durations=0`` tells which they are; the first two compile much on new machines.
LONGEST_FIRST = [
    "test_contributing.py",
    "games/test_rooms.py",
    "browser/test_playing.py",
    "browser/test_table.py",
    "browser/test_study.py",
    "browser/test_axe.py",
    "lab/test_cluster.py",
    "games/test_reference.py",
    "browser/test_fairness.py",
    "browser/test_board.py",
    "browser/test_pages.py",
    "server/test_analysis.py",
    "browser/test_lessons.py",
    "server/test_postgres.py",
    "engine/test_session.py",
    "browser/test_offline.py",
    "browser/test_puzzles.py",
    "browser/test_start.py",
    "browser/test_archive.py",
    "lab/report/test_page.py",
    "lab/report/test_measure.py",
    "browser/test_look.py",
    "search/test_search.py",
    "server/test_races.py",
    "cli/test_contests.py",
    "search/test_solver.py",
    "browser/test_conditions.py",
    "server/test_studies.py",
    "cli/test_commands.py",
    "core/test_kernels.py",
    "server/test_sharing.py",
    "server/test_fuzz.py",
    "search/test_review.py",
    "cli/test_reports.py",
    "cli/test_saving.py",
    "browser/test_yours.py",
    "server/test_bots.py",
    "browser/test_sharing.py",
    "browser/test_units.py",
    "engine/test_docs.py",
]
