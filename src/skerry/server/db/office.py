"""More tables of the database: those by which a club is run."""

from sqlalchemy import JSON, BigInteger, Column, ForeignKey, Index, Integer, String, Table, Text

from skerry.server.db.base import metadata

Counter = BigInteger().with_variant(Integer(), "sqlite")  # SQLite counts in no other type

# What those have done who run the club, see keeping/audit.py. Nothing is ever changed here.
audit = Table(
    "audit",
    metadata,
    Column("n", Counter, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("actor", String(128), nullable=False),
    Column("deed", String(32), nullable=False),
    Column("about", String(128), nullable=False),
    Column("details", JSON, nullable=False),
    Index("ix_audit_about", "about", "n"),
)

# Days on which the clocks of an account stand still, see correspondence/vacations.py.
vacations = Table(
    "vacations",
    metadata,
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True),
    Column("begins", BigInteger, primary_key=True, autoincrement=False),
    Column("ends", BigInteger, nullable=False),
    Index("ix_vacations_ends", "ends"),
)

# Codes that open the door to a new account, see keeping/invitations.py.
invitations = Table(
    "invitations",
    metadata,
    Column("code", String(64), primary_key=True),  # its hash
    Column("uses", Integer, nullable=False),  # accounts that can still be made by it
    Column("made", BigInteger, nullable=False),
    Column("until", BigInteger),
)

# What all pages show. The last one counts, if its time is not over.
announcements = Table(
    "announcements",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("until", BigInteger),
    Index("ix_announcements_at", "at"),
)
