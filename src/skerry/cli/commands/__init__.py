"""Commands to play, study and serve, one module each."""
