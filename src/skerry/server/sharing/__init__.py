"""What others show of our pages: cards beside links."""
