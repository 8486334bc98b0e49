"""What those do who run a club: roles, muting, closing, names, and accounts that become one."""
