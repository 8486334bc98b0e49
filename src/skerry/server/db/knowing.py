"""The tables of how people are known to us and to each other, besides their accounts."""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, String, Table, Text

from skerry.server.db.base import metadata

# Codes that open an account once, for whoever has forgotten the password.
recoveries = Table(
    "recoveries",
    metadata,
    Column("code", String(64), primary_key=True),  # its hash
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Index("ix_recoveries_account", "account"),
)

# Keys that devices keep, and sign with in the place of a password.
passkeys = Table(
    "passkeys",
    metadata,
    Column("id", String(64), primary_key=True),  # the hash of the credential's id
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("credential", Text, nullable=False),  # its id
    Column("key", Text, nullable=False),
    Column("signed", BigInteger, nullable=False),  # how often, where a device counts
    Column("name", String(64), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("used", BigInteger),
    Index("ix_passkeys_account", "account"),
)

# What devices are to sign, each once.
nonces = Table(
    "nonces",
    metadata,
    Column("nonce", String(64), primary_key=True),  # its hash
    Column("account", String(32)),  # for whom a passkey is made; none where somebody signs in
    Column("until", BigInteger, nullable=False),
    Index("ix_nonces_until", "until"),
)

# Whom somebody follows, and whom they have blocked.
ties = Table(
    "ties",
    metadata,
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True),
    Column("other", ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True),
    Column("kind", String(8), primary_key=True),  # follow or block
    Column("since", BigInteger, nullable=False),
    Index("ix_ties_other", "other", "kind"),
)

# What people have told moderators about others.
complaints = Table(
    "complaints",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("author", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("about", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("game", String(32)),
    Column("words", Text, nullable=False),
    Column("closed", BigInteger),
    Column("verdict", Text),  # what came of it
    Index("ix_complaints_closed", "closed", "at"),
    Index("ix_complaints_author", "author"),
    Index("ix_complaints_about", "about"),
)
