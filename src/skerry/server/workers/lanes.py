"""The lanes of the server's process pool."""

from skerry.server.settings import Settings
from skerry.server.workers.pool import Lane

ENGINES = "engines"  # moves of live games, and answers to puzzles
ANALYSES = "analyses"  # positions that somebody looks at with the engine
CHORES = "chores"  # pictures, films and reviews of whole games, one after the other
LOW = 10  # the niceness of what must not slow down live games


def plan_lanes(settings: Settings) -> list[Lane]:
    """The lanes for these settings."""
    return [
        Lane(
            ENGINES,
            settings.engines,
            settings.engine_queue,
            deaths=3,
            full="all engines are busy; try again in a few seconds",
            lost="engine processes died again and again over the same position",
        ),
        Lane(
            ANALYSES,
            settings.analyses,
            settings.analysis_queue,
            abreast=settings.analysis_queue,
            niceness=LOW,
            full="too many positions are being analysed; try again in a few seconds",
            lost="this position cannot be analysed; try another one",
        ),
        Lane(
            CHORES,
            1,
            settings.analysis_queue,
            niceness=LOW,
            full="too much is being drawn and reviewed; try again in a few seconds",
            lost="this game cannot be drawn or reviewed; try another one",
        ),
    ]
