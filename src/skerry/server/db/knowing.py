"""The tables of how people are known to us and to each other, besides their accounts."""

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, String, Table, Text

from skerry.server.db.base import metadata

# Codes that open an account once, for whoever has forgotten the password.
recoveries = Table(
    "recoveries",
    metadata,
    Column("code", String(64), primary_key=True),  # its hash
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("until", BigInteger),  # of one that was mailed
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

# Addresses that somebody has given, until they have followed the link that was sent there.
confirmations = Table(
    "confirmations",
    metadata,
    Column("code", String(64), primary_key=True),  # its hash
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("address", String(254), nullable=False),
    Column("until", BigInteger, nullable=False),
    Index("ix_confirmations_account", "account"),
)

# What is told by mail, see correspondence/digests.py, and the code that stops it, which opens
# nothing else and stands in every such mail.
mailing = Table(
    "mailing",
    metadata,
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True),
    Column("stop", String(64), nullable=False),
    Column("turns", Boolean, nullable=False),
    Column("told", BigInteger, nullable=False),  # when the last digest was written
    Index("ix_mailing_stop", "stop"),
)

# Mails that no mail server has taken yet, see keeping/outbox.py.
outbox = Table(
    "outbox",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("account", ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
    Column("address", String(254), nullable=False),
    Column("subject", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("stop", Text, nullable=False),  # the address that stops mails of this kind
    Column("due", BigInteger, nullable=False),  # when it is tried next
    Column("until", BigInteger, nullable=False),  # for how long it is worth reading
    Column("tries", Integer, nullable=False),
    Index("ix_outbox_due", "due"),
    Index("ix_outbox_account", "account"),
)
