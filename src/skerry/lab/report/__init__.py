"""Reports: what play tells about a game, measured in units of work that add up."""
