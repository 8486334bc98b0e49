"""Kills, over all kinds of processes of a site, while clients play; and what was lost by them.

    python tests/faults/kills.py --kills 1000
    python tests/faults/kills.py --kills 50 --on sqlite --seed 7
    python tests/faults/kills.py --kills 1000 --minutes 40      # or as many as there is time for

A fifth of them hit a server on SQLite, the others one with two workers on PostgreSQL. Each comes
after more was acknowledged. Every so many kills everything is let come to rest, the server is
stopped and started, and all that it has is compared with all that it ever acknowledged.
"""

import argparse
import asyncio
import random
import shutil
import signal
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from faults.rounds import Report, kill_so_many, play_round
from faults.site import POSTGRES, SQLITE, Site

ROUND = 40  # kills between two comparisons


async def run(kind: str, kills: int, until: float, chooser: random.Random, report: Report) -> None:
    folder = Path(tempfile.mkdtemp(prefix="skerry-kills-"))
    site = Site(kind, folder)
    async with site.running():
        done = 0
        while done < kills and time.monotonic() < until:
            found = await play_round(site, chooser, kill_so_many(min(ROUND, kills - done)))
            done += sum(found.kills.values())
            report.add(found)
            print(f"{kind}, {done} of {kills}: {found}", flush=True)
            for flaw in found.flaws:
                print(flaw, flush=True)
    if report.flaws:
        print(f"the log is {folder / 'log'}")
    else:
        shutil.rmtree(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--on", choices=(SQLITE, POSTGRES), help="only on this kind of database")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="at most, about")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    chosen = parser.parse_args()
    print(f"seed {chosen.seed}", flush=True)
    shares = {SQLITE: chosen.kills // 5, POSTGRES: chosen.kills - chosen.kills // 5}
    if chosen.on is not None:
        shares = {chosen.on: chosen.kills}
    report, began = Report(), time.monotonic()
    for what in (signal.SIGINT, signal.SIGTERM):  # what was found so far is told
        signal.signal(what, signal.default_int_handler)
    with suppress(KeyboardInterrupt):
        for kind, kills in shares.items():
            chooser = random.Random(f"{chosen.seed} {kind}")
            share = 0.2 if kind == SQLITE and len(shares) > 1 else 1
            asyncio.run(run(kind, kills, began + 60 * share * chosen.minutes, chooser, report))
    print(report)
    sys.exit(bool(report.flaws))


if __name__ == "__main__":
    main()
