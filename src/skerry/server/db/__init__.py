"""The database: its tables, how it is brought up to date, and what happens when it is away."""
