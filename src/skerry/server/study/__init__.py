"""Studies: records with variations and comments, and what the engine thinks of them."""
