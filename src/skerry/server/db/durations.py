"""Spans of time as databases have them: whole milliseconds."""

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
