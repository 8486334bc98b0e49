"""What all tables of the database are part of."""

from sqlalchemy import MetaData

metadata = MetaData(
    naming_convention={"ix": "ix_%(column_0_label)s", "pk": "pk_%(table_name)s"},
)
