"""The web app: games on a server, played in a browser by people and engines.

From the inside out: ``table`` and ``clocks`` are the domain, without input or output; ``store``
keeps tables in a database; ``engines`` thinks in processes of its own; ``live`` tells whoever is
connected; ``host`` ties these together; ``routes`` speaks HTTP and WebSocket.
"""
