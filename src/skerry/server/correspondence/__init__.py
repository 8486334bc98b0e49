"""Games by correspondence: vacations, and mail about turns that wait."""
