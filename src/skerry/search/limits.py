"""What a search may be asked for.

The command line checks these before a search is loaded, so this module imports nothing.
"""

MOST_SIMULATIONS = 10**12
MOST_THREADS = 256
MOST_NODES = 2**31 - 1  # nodes are numbered by 32 bits
# Positions that the exact solver remembers; 64 MB with keys of one word, as far as they are used.
LEAST_ENTRIES, DEFAULT_ENTRIES, MOST_ENTRIES = 1 << 4, 1 << 22, 1 << 32
