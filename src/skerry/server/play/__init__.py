"""Games in progress: tables, clocks, seats, spectators and engines that play."""
