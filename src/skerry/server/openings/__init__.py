"""The explorer of openings: what strong players played, position by position."""
