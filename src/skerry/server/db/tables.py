"""All tables of the database, for whoever goes through them: one that was not imported is not part
of ``metadata``, and would be missing in a backup."""

from skerry.server.db import knowing, office, schema
from skerry.server.db.base import metadata

__all__ = ["knowing", "metadata", "office", "schema"]
