"""A database in one file, and back: whichever kind of database it was, and will be."""
