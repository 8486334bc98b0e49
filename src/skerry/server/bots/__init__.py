"""Programs of others that play here."""
