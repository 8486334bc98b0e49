"""Programs of others that play here, and the ladder."""
