"""Courses and puzzles as pages."""
