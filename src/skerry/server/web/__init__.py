"""What every subject shares: requests, limits, secrets, pages, logs and metrics."""
