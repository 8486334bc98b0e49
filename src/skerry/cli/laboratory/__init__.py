"""Commands of the laboratory: matches, reports, training and speed."""
