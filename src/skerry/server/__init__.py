"""The web app: games on a server, played in a browser by people and engines.

One folder for each subject, from the bottom up:

``web``        what every page shares: access, limits, secrets, refusals, templates, metrics
``db``         the database: tables, migrations, messages between workers
``keeping``    running a club: backups, the audit log, announcements, mail
``workers``    the process pool, and games with their kernels loaded
``play``       games in progress: tables, store, announcer, live connections, engines that play
``positions``  boards on which anybody tries things
``learn``      the start page, rules, lessons and puzzles
``study``      studies, and what the engine thinks of them
``archive``    public games that are over
``people``     accounts
``correspondence`` vacations of those who play by days
``moderation`` what those do about people who run the club
``bots``       programs of others, and the ladder

``settings`` declares what can be chosen, ``app`` puts the parts together, ``run`` serves them.
"""
