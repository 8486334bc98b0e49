"""How a search weighs what it knows."""

from typing import NamedTuple


class Style(NamedTuple):
    """The weights of a search; they come from players' texts and from the levels of games.

    ``exploration`` is its curiosity. ``amaf`` says how soon a node's own results outweigh those of
    all moves as first: the smaller the later, and 0 leaves them out. ``judgement`` is the weight of
    best play among judged positions against the mean of results; with 0 a search does without what
    games know, and plays uniformly random games. An action not tried yet is expected to be as good
    as its parent, plus ``novelty`` (first-play urgency). A leaf that ends in random games is given
    children when it has been tried ``patience`` times: most leaves never are again. Before it
    starts, a search makes sure of what the next ``foresight`` actions decide: 0, 1 or 2. Where it
    has been very often, one visit in ``whim`` goes to what it would not look at again otherwise;
    less than 1 means never. Without ``proofs`` the end of a game is a result like others, and there
    is no foresight.
    """

    exploration: float = 0.2
    amaf: float = 0.005
    judgement: float = 0.5
    novelty: float = 0.0
    patience: float = 5.0
    foresight: float = 2.0
    whim: float = 16.0
    proofs: float = 1.0


DEFAULT = Style()
# Plain UCT: every action is tried once, then upper confidence bounds decide.
PLAIN = Style(
    exploration=0.7,
    amaf=0.0,
    judgement=0.0,
    novelty=10.0,
    patience=2.0,
    foresight=0.0,
    whim=0.0,
    proofs=0.0,
)
