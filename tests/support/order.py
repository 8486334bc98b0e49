"""Which files of tests come first."""

from pathlib import Path

TESTS = Path(__file__).parents[1]
FAULTS = "faults/test_soak.py"  # takes as long as one likes
# Folders whose files share what takes a second to start, a browser or a database server, or kernels
# that nothing else needs, and in how many parts they go: none may be so long that it keeps one
# process busy while others have nothing.
SHARED = {"tests/browser/": 2, "tests/server/": 4, "tests/train/": 1, "tests/lab/report/": 1}
# Files that take three seconds of a core or more, the longest first: neither core is left with one
# of them in the end. The first ones compile much on new machines.
LONGEST_FIRST = [
    "test_contributing.py",
    "train/test_tree.py",
    "server/test_postgres.py",
    "browser/test_study.py",
    "server/test_analysis.py",
    "browser/test_playing.py",
    "rl/test_docs.py",
    "study/test_forcing.py",
    "rl/test_device.py",
    "games/test_rooms.py",
    "search/test_guided.py",
    "lab/test_cluster.py",
    "games/test_reference.py",
    "cli/test_puzzles.py",
    "games/test_knowledge.py",
    "lab/test_openings.py",
    "train/test_guests.py",
    "cli/test_nets.py",
    "browser/test_table.py",
    "browser/test_axe.py",
    FAULTS,
    "browser/test_board.py",
    "browser/test_pages.py",
    "browser/test_fairness.py",
    "browser/test_lobby.py",
    "browser/test_newcomer.py",
    "engine/test_session.py",
    "server/test_reports.py",
    "cli/test_commands.py",
    "browser/test_lessons.py",
    "browser/test_puzzles.py",
    "server/test_push.py",
    "lab/report/test_measure.py",
    "core/test_kernels.py",
    "search/test_solver.py",
    "server/test_sharing.py",
    "server/test_races.py",
    "browser/test_start.py",
    "rl/test_batch.py",
    "cli/test_contests.py",
    "lab/report/test_page.py",
    "browser/test_archive.py",
    "cli/test_reports.py",
    "browser/test_offline.py",
    "server/test_archive.py",
    "server/test_bots.py",
    "browser/test_units.py",
    "cli/test_play.py",
    "browser/test_conditions.py",
    "browser/test_look.py",
    "browser/test_reports.py",
    "render/test_card.py",
    "study/test_lessons.py",
    "browser/test_sharing.py",
    "cli/test_docs.py",
]
