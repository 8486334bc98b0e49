"""What every game shares: errors, options, moves, states, and the compiled machinery below them."""
