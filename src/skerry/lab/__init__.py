"""Measuring games and engines."""
