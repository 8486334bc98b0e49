"""The terminal game: the table, who sits at it, and the conversation."""
