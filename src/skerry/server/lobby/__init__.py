"""Where people and bots find somebody to play with."""
