"""The tables of the database. Times are milliseconds since 1970."""

from collections.abc import Mapping

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    SmallInteger,
    String,
    Table,
    Text,
)

from skerry.server.db import knowing
from skerry.server.db.base import metadata

recoveries, passkeys, nonces = knowing.recoveries, knowing.passkeys, knowing.nonces
ties, complaints = knowing.ties, knowing.complaints
confirmations, mailing, outbox = knowing.confirmations, knowing.mailing, knowing.outbox


def write_setup(options: Mapping[str, int]) -> str:
    """The options of a game on one line, as records have them."""
    return " ".join(f"{name}={value}" for name, value in options.items())


games = Table(
    "games",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("options", JSON, nullable=False),
    Column("position", Text, nullable=False),  # where it started
    Column("seed", BigInteger),
    Column("clock", JSON(none_as_null=True)),
    Column("admin", SmallInteger),
    Column("persons", SmallInteger, nullable=False),  # how many seats are not engines
    Column("stand_in", String(64), nullable=False),  # the engine that plays on for whoever leaves
    Column("version", Integer, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("playing", Boolean, nullable=False),
    Column("ending", JSON(none_as_null=True)),
    Column("draw", SmallInteger),
    Column("takeback", JSON(none_as_null=True)),
    Column("swap", String(8)),  # may or done, where the swap rule holds
    Column("declined", JSON(none_as_null=True)),  # what was asked for since the last move
    Column("wanting", JSON(none_as_null=True)),  # the seats that want a rematch
    Column("rematch", String(32)),
    Column("event", String(32)),  # the tournament of which it is a part
    Column("created", BigInteger, nullable=False),
    Column("began", BigInteger),  # when the last seat was taken
    Column("since", BigInteger, nullable=False),
    Column("updated", BigInteger, nullable=False),
    # What the server has to do without being asked: see flags fall, and let engines think.
    Column("deadline", BigInteger),
    Column("thinking", Boolean, nullable=False),
    # What the archive and the ladder look for.
    Column("public", Boolean, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("setup", String(255), nullable=False),  # as ``write_setup`` makes it
    Column("finished", BigInteger),
    Column("result", String(8)),  # the seat that won, draw, none, or void
    Column("returns", JSON(none_as_null=True)),
    Index("ix_games_playing_updated", "playing", "updated"),
    Index("ix_games_deadline", "deadline"),
    Index("ix_games_thinking", "thinking"),
    Index("ix_games_archive", "public", "finished", "id", "ply"),
    Index("ix_games_archive_setup", "game", "setup", "public", "finished", "id"),
    Index("ix_games_archive_result", "result", "public", "finished", "id"),
    Index("ix_games_archive_game", "game", "public", "finished", "id"),
    Index("ix_games_rated", "rated", "game", "finished"),
)

seats = Table(
    "seats",
    metadata,
    Column("game", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", SmallInteger, primary_key=True),
    Column("kind", String(64), nullable=False),
    Column("name", String(64), nullable=False),
    Column("secret", String(64)),  # its hash
    Column("claimed", Boolean, nullable=False),
    Column("folded", String(128), nullable=False),  # the name as it is looked for
    Column("lost", BigInteger, nullable=False),  # milliseconds, on moves that were taken back
    Column("left", String(64)),  # the name of somebody for whom an engine plays on
    Column("left_at", Integer),  # since which ply
    Column("seen", BigInteger, nullable=False),  # when they last opened the page
    # Whose it is, or was until they left it to an engine. Whoever deletes an account says first
    # what becomes of the seats.
    Column("account", ForeignKey("accounts.id")),
    Index("ix_seats_account", "account", "game"),
    # In a rated game: what they had when it began, and once it is over before it and after it.
    Column("rating", Integer),
    Column("rating_after", Integer),
    Column("provisional", Boolean, nullable=False),  # whether that is known but roughly
    Column("away", BigInteger),  # until when whoever sits here is on vacation
    Index("ix_seats_folded", "folded", "game"),
    Index("ix_seats_kind", "kind", "game"),
)

# The primary key sees to it that no ply of a game is ever made twice.
plies = Table(
    "plies",
    metadata,
    Column("game", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("action", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("spent", BigInteger, nullable=False),
)

chat = Table(
    "chat",
    metadata,
    Column("game", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("name", String(64), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("gallery", Boolean, nullable=False),  # said among those who watch
    Column("account", ForeignKey("accounts.id")),  # of whoever said it
    Index("ix_chat_account", "account"),
)

# Answers that a seat has planned: lines of actions from a certain ply on.
conditions = Table(
    "conditions",
    metadata,
    Column("game", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", SmallInteger, primary_key=True),
    Column("ply", Integer, nullable=False),
    Column("lines", JSON, nullable=False),
)

# A bot that has left keeps its row without a token, so that nobody takes over its name and rating.
bots = Table(
    "bots",
    metadata,
    Column("folded", String(128), primary_key=True),
    Column("skeleton", String(255)),  # what the name looks like; none of older bots that look alike
    Column("name", String(64), nullable=False),
    Column("token", String(64)),  # its hash
    Column("salt", String(64), nullable=False),
    Column("created", BigInteger, nullable=False),
    Index("ix_bots_token", "token", unique=True),
    Index("ix_bots_skeleton", "skeleton", unique=True),
)

# People who come back. Names are told apart by what they look like, as those of bots.
accounts = Table(
    "accounts",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(64), nullable=False),
    Column("folded", String(128), nullable=False),
    Column("skeleton", String(255), nullable=False),
    Column("password", String(255)),  # its hash; none for whoever has passkeys alone
    Column("email", String(254)),
    Column("role", String(16), nullable=False),  # member, moderator or admin
    Column("created", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("closed", BigInteger),  # since when nobody can sign in
    Column("muted", BigInteger),  # until when they cannot chat
    Column("language", String(16)),  # in which they are written to
    Column("merged", String(32)),  # the account that this one has become, which is closed since
    Index("ix_accounts_folded", "folded", unique=True),
    Index("ix_accounts_skeleton", "skeleton", unique=True),
    Index("ix_accounts_email", "email"),
    Index("ix_accounts_merged", "merged"),
)

# Browsers in which somebody is signed in.
sessions = Table(
    "sessions",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("token", String(64), nullable=False),  # its hash
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("agent", String(255), nullable=False),  # what the browser calls itself
    Index("ix_sessions_token", "token", unique=True),
    Index("ix_sessions_account", "account"),
)

# Who wants to play what, see lobby/challenge.py. One that has led to a game is kept for a while, so
# that everybody who has joined finds that game.
challenges = Table(
    "challenges",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("options", JSON, nullable=False),
    Column("usual", Boolean, nullable=False),
    Column("seats", SmallInteger, nullable=False),
    Column("clock", JSON(none_as_null=True)),
    Column("rated", Boolean, nullable=False),
    Column("seat", SmallInteger),
    Column("swap", Boolean, nullable=False),
    Column("even", Boolean, nullable=False),
    Column("audience", String(16), nullable=False),
    Column("bots", Boolean, nullable=False),
    Column("low", Integer),
    Column("high", Integer),
    Column("addressee", String(160)),
    Column("called", String(64)),
    Column("quick", Boolean, nullable=False),
    Column("state", String(16), nullable=False),
    Column("table", ForeignKey("games.id", ondelete="CASCADE")),
    Column("version", Integer, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    Column("ended", BigInteger),  # when it began or was declined
    Index("ix_challenges_state", "state", "created"),
    Index("ix_challenges_addressee", "addressee"),
    Index("ix_challenges_table", "table"),
)

joined = Table(
    "joined",
    metadata,
    Column("challenge", ForeignKey("challenges.id", ondelete="CASCADE"), primary_key=True),
    Column("n", SmallInteger, primary_key=True),
    Column("kind", String(64), nullable=False),
    Column("name", String(64), nullable=False),
    # The hash of what will open their seat; nothing if their account alone does.
    Column("secret", String(64), nullable=False),
    Column("entrant", String(160)),
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE")),
    Column("rating", Integer),
    Column("fill", SmallInteger),  # the level that may have the seats which are free
    Column("seen", BigInteger, nullable=False),
    Column("visitor", String(64), nullable=False),  # a keyed hash
    Index("ix_joined_secret", "secret"),
    Index("ix_joined_entrant", "entrant"),
    Index("ix_joined_visitor", "visitor"),
)

# Tournaments, see tournaments/event.py. Every change counts ``version`` up, and is made only to the
# version it was meant for, so no round is ever paired twice.
tournaments = Table(
    "tournaments",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("title", String(64), nullable=False),
    Column("game", String(32), nullable=False),
    Column("options", JSON, nullable=False),
    Column("seats", SmallInteger, nullable=False),
    Column("clock", JSON, nullable=False),
    Column("system", String(16), nullable=False),
    Column("rounds", Integer),
    Column("minutes", Integer),
    Column("rated", Boolean, nullable=False),
    Column("starts", BigInteger),
    Column("quorum", Integer),
    Column("maker", String(160), nullable=False),  # an entrant
    Column("made_by", String(64), nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("state", String(16), nullable=False),
    Column("version", Integer, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("began", BigInteger),
    Column("ends", BigInteger),  # when an arena pairs no more
    Column("finished", BigInteger),
    Column("due", BigInteger),  # when something happens without anybody's doing
    Index("ix_tournaments_state", "state", "created", "id"),
    Index("ix_tournaments_due", "due"),
    Index("ix_tournaments_maker", "maker", "state"),
)

entries = Table(
    "entries",
    metadata,
    Column("tournament", ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
    Column("entrant", String(160), primary_key=True),
    Column("name", String(64), nullable=False),
    Column("joined", BigInteger, nullable=False),
    Column("number", Integer, nullable=False),
    Column("rating", Integer),
    Column("secret", String(64)),  # the hash of what opens the seats of a bot
    Column("left", BigInteger),
    Column("missed", SmallInteger, nullable=False),
    Index("ix_entries_entrant", "entrant", "tournament"),
)

# The primary key sees to it that nothing is paired twice, and the index that no game counts twice.
bouts = Table(
    "bouts",
    metadata,
    Column("tournament", ForeignKey("tournaments.id", ondelete="CASCADE"), primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("players", JSON, nullable=False),  # one alone has a bye
    Column("game", ForeignKey("games.id", ondelete="SET NULL")),
    Column("winners", JSON(none_as_null=True)),
    Column("absent", JSON(none_as_null=True)),
    Index("ix_bouts_game", "game", unique=True),
)

# A record as JSON in two parts, see study/model.py.
studies = Table(
    "studies",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("secret", String(64), nullable=False),  # its hash
    Column("title", String(128), nullable=False),
    Column("frame", JSON, nullable=False),
    Column("line", JSON, nullable=False),
    Column("review", JSON(none_as_null=True)),
    Column("version", Integer, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("updated", BigInteger, nullable=False),
)

# Keys of the server itself, by their names: what all workers share, and restarts keep.
keys = Table(
    "keys",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", Text, nullable=False),
)

# Browsers that are told when it is somebody's turn, see push/subscriptions.py.
browsers = Table(
    "browsers",
    metadata,
    Column("id", String(64), primary_key=True),  # the hash of its endpoint
    Column("endpoint", Text, nullable=False),
    Column("p256dh", String(128), nullable=False),
    Column("auth", String(32), nullable=False),
    Column("origin", String(255), nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("language", String(16)),  # in which it is told
    Index("ix_browsers_seen", "seen"),
)

told = Table(
    "told",
    metadata,
    Column("browser", ForeignKey("browsers.id", ondelete="CASCADE"), primary_key=True),
    Column("secret", String(64), primary_key=True),  # the hash of a seat's
    Column("since", BigInteger, nullable=False),
    Column("told", String(128)),  # what was told last
    # If no push service has taken that yet: how long it is worth telling, and from when on whoever
    # tells it has been given up.
    Column("until", BigInteger),
    Column("due", BigInteger),
    Index("ix_told_secret", "secret"),
)

# What is known of the strength of everybody who is rated, see ratings/book.py.
ratings = Table(
    "ratings",
    metadata,
    Column("game", String(32), primary_key=True),
    Column("entrant", String(160), primary_key=True),
    Column("rating", Float, nullable=False),
    Column("deviation", Float, nullable=False),  # when the last game ended
    Column("volatility", Float, nullable=False),
    Column("games", Integer, nullable=False),
    Column("points", Float, nullable=False),
    Column("updated", BigInteger, nullable=False),
    Index("ix_ratings_rating", "game", "rating"),
)

# What every rated game has changed. The primary key sees to it that none is ever rated twice.
changes = Table(
    "changes",
    metadata,
    Column("played", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", SmallInteger, primary_key=True),
    Column("game", String(32), nullable=False),
    Column("entrant", String(160), nullable=False),
    Column("share", Float, nullable=False),  # of the game that was won
    Column("before", Float, nullable=False),
    Column("rating", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("number", Integer, nullable=False),  # of the entrant's rated games
    Column("at", BigInteger, nullable=False),
    Index("ix_changes_entrant", "entrant", "game", "at"),
)
