"""Languages: which one a visitor reads, and the catalogues of what the site says in it."""
