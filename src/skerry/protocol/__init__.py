"""Analysis for other programs: queries and answers, one JSON object on each line.

docs/library/engine.md is the reference of the protocol. A line is cut out of the input
(``linereader``), read as a query (``queries``), put in the queue and searched (``dispatcher``), and
what was found is told (``descriptions``).
"""
