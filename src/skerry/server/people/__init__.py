"""People who come back: accounts, and how they are signed in to. Nobody needs one to play."""
