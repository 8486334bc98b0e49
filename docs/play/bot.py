"""A bot in 40 lines, which plays one game: ``python bot.py http://127.0.0.1:8000 Robbie``

Its token is kept in Robbie.token, so that it is the same bot when it plays again.
"""

import json
import os
import random
import sys
from pathlib import Path
from urllib.request import Request, urlopen

base, name = sys.argv[1], sys.argv[2]
kept = Path(f"{name}.token")
token = kept.read_text() if kept.exists() else ""


def ask(path, body=None):
    """Ask the server for something as this bot; whatever has a body is posted."""
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    return urlopen(Request(base + path, body and json.dumps(body).encode(), headers))


if not token:
    token = json.load(ask("/api/bots", {"name": name}))["token"]
    with open(kept, "x", opener=lambda *file: os.open(*file, mode=0o600)) as file:
        file.write(token)  # for nobody else to read: whoever has it is this bot
if not json.load(ask("/api/bots/me"))["playing"]:
    ask("/api/bots/games", {"game": "skew", "opponents": ["level:1"]})

for line in ask("/api/bots/events"):
    if not line.strip():
        continue  # nothing new, but the server is still there
    event = json.loads(line)
    if event["type"] == "turn":
        move = random.choice(event["legal"])  # think here
        ask(f"/api/games/{event['id']}/moves", {"version": event["version"], "move": move})
    elif event["type"] == "end":
        print("after", len(event["moves"]), "moves:", event["words"])
        break
