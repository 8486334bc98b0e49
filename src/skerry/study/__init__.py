"""Learning and training: courses and puzzles, all proven by the rules themselves."""
