"""Web Push: whoever is not looking is told that it is their turn."""
