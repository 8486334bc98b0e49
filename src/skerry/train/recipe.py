"""How to train: the numbers of a run."""

from dataclasses import dataclass

BATCHES = {"cpu": 128, "cuda": 8192}  # games at a time that suit a core, and a GPU


@dataclass(frozen=True)
class Recipe:
    """How to train. The defaults suit a large GPU; ``small`` is for the cores of a laptop."""

    batch: int = BATCHES["cuda"]  # games at a time
    simulations: int = 16
    steps_kept: int = 256
    lesson: int = 8192  # positions that a step of learning takes
    uses: float = 3.0  # how often a position is learnt from
    channels: int = 64
    blocks: int = 6
    rate: float = 2e-3
    cooling: float = 0.3  # of the time of a run: the last part, in which the rate falls
    seed: int = 0
    others_every: int = 4  # one round in so many is played on a smaller or larger board
    guests: float = 0.0  # share of games in which others than the net have some of the seats
    rivals: float = 0.0  # share of these in which another net has them
    believer: bool = False  # learns how random games from every position end, not how its own do

    @classmethod
    def small(cls, seed: int = 0) -> "Recipe":
        return cls(
            batch=BATCHES["cpu"], steps_kept=128, lesson=256, channels=24, blocks=3, seed=seed
        )
