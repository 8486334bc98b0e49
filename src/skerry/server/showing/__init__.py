"""What pages show of a game, whoever plays it: its pieces, what they mean, boards for others."""
