"""Processes that think, so that no page waits."""
