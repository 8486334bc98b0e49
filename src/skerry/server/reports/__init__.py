"""Reports of the laboratory as pages of the site."""
