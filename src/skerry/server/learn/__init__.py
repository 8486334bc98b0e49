"""For newcomers: the start page, rules, lessons and puzzles."""
