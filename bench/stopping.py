"""How long after its time a search ends, and what a second thread brings, for every game.

python bench/stopping.py               # two minutes, on a machine with nothing else to do
"""

from statistics import median

import skerry

TIMES = (0.1,) * 12 + (0.5,) * 4 + (2.0,) * 2
THREADS = (1, 2)
ROUNDS = 3


def main() -> None:
    for name in skerry.GAMES:
        state = skerry.make(name).initial(1)
        late = [
            1000 * (skerry.analyse(state, seconds=time, threads=threads, lines=0).seconds - time)
            for threads in THREADS
            for time in TIMES
        ]
        one, two = (
            [skerry.analyse(state, seconds=1, threads=threads, lines=0) for _ in range(ROUNDS)]
            for threads in THREADS
        )
        ratios = [b.simulations / a.simulations for a, b in zip(one, two, strict=True)]
        print(
            f"{name}: {len(late)} searches, median {median(late):.1f} ms late, "
            f"last {max(late):.1f}; two threads {min(ratios):.2f} to {max(ratios):.2f} times one",
            flush=True,
        )


if __name__ == "__main__":
    main()
