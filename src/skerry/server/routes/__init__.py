"""What the web app answers to, one module per kind of thing."""
