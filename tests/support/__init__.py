"""What tests share: helpers, and nothing that pytest would run."""
