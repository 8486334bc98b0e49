"""Search: engines that know no game, only the generics."""
