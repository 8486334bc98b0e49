"""Studies: records with variations and comments that visitors keep."""
