"""Who meets whom in a tournament, and how it stands: pure functions of what has been played."""
