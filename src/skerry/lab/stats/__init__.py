"""Statistics: what results say about strength, and how sure that is."""
