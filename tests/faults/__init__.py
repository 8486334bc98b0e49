"""Faults on purpose: random ones, against a record of everything that a server has acknowledged."""
