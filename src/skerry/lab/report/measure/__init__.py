"""What a report is made from: which units to work out, and working them out."""
