"""The lanes of the server's process pool."""

from skerry.core.texts import N_
from skerry.server.settings import Settings
from skerry.server.workers.pool import Lane

ENGINES = "engines"  # moves of live games, and answers to puzzles
PROGRAMS = "programs"  # moves of players of others, which may take their time
ANALYSES = "analyses"  # positions that somebody looks at with the engine
BOARDS = "boards"  # lines of play that are replayed, and boards that are drawn
SAVING = "saving"  # records that are read and written
PICTURES = "pictures"  # boards and cards in pixels
FILMS = "films"
REVIEWS = "reviews"  # of whole games
LOW, LOWEST = 5, 10  # the niceness of what must not slow down live games


def plan_lanes(settings: Settings) -> list[Lane]:
    """The lanes for these settings."""
    return [
        Lane(
            ENGINES,
            settings.engines,
            settings.engine_queue,
            deaths=3,
            full=N_("all engines are busy; try again in a few seconds"),
            lost=N_("engine processes died again and again over the same position"),
        ),
        Lane(
            PROGRAMS,
            settings.engines,
            settings.engine_queue,
            full=N_("all engines are busy; try again in a few seconds"),
            lost=N_("engine processes died again and again over the same position"),
        ),
        Lane(
            ANALYSES,
            settings.analyses,
            settings.analysis_queue,
            abreast=settings.analysis_queue,
            niceness=LOWEST,
            full=N_("too many positions are being analysed; try again in a few seconds"),
            lost=N_("this position cannot be analysed; try another one"),
        ),
        Lane(
            BOARDS,
            settings.boards,
            most=256,
            each=24,
            niceness=LOW,
            full=N_("too many boards are being drawn; try again in a few seconds"),
            lost=N_("this cannot be drawn; try something else"),
        ),
        Lane(
            SAVING,
            1,
            most=128,
            each=8,
            niceness=LOW,
            full=N_("too many records are being read and written; try again in a few seconds"),
            lost=N_("this record cannot be read; try another one"),
        ),
        Lane(
            PICTURES,
            1,
            most=64,
            each=8,
            niceness=LOWEST,
            full=N_("too many pictures are being drawn; try again in a few seconds"),
            lost=N_("this cannot be drawn; try something else"),
        ),
        Lane(
            FILMS,
            1,
            most=16,
            each=2,
            niceness=LOWEST,
            patience=1.0,
            full=N_("too many films are being made; try again in a few seconds"),
            lost=N_("this game cannot be filmed; try another one"),
        ),
        Lane(
            REVIEWS,
            1,
            settings.analysis_queue,
            niceness=LOWEST,
            full=N_("too many games are being reviewed; try again in a few seconds"),
            lost=N_("this game cannot be reviewed; try another one"),
        ),
    ]
