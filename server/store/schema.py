"""Tables of the database as they are after the last migration."""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

METADATA: Final = MetaData()

_ID: Final = BigInteger().with_variant(Integer, "sqlite")
"""A number that counts itself up; SQLite does so for plain INTEGER keys alone."""

MIGRATIONS: Final = Table(
    "migrations",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("at", Text, nullable=False),
)

TABLES: Final = Table(
    "tables",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("at", Text, nullable=False),
)

SETUPS: Final = Table(
    "setups",
    METADATA,
    Column("table_id", Text, ForeignKey("tables.id"), primary_key=True),
    Column("zone", Text),
    Column("dice", Text),
)

MATCHES: Final = Table(
    "matches",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("table_id", Text, ForeignKey("tables.id"), nullable=False, index=True),
    Column("game", Text, nullable=False),
    Column("commit", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("closed_at", Text),
    Column("held", Boolean, nullable=False),
)

EVENTS: Final = Table(
    "events",
    METADATA,
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("table_id", Text, ForeignKey("tables.id"), nullable=False),
    Column("at", Text, nullable=False),
    Column("source_s", Double),
    Column("frame", Integer),
    Column("frames", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("previous", Text, nullable=False),
    Column("hash", Text, nullable=False),
    PrimaryKeyConstraint("match_id", "seq"),
)

FRAMES: Final = Table(
    "frames",
    METADATA,
    Column("sha256", Text, nullable=False),
    Column("match_id", Text, ForeignKey("matches.id"), nullable=False),
    Column("table_id", Text, ForeignKey("tables.id"), nullable=False),
    Column("size_bytes", Integer, nullable=False),
    Column("at", Text, nullable=False),
    Column("dropped_at", Text),
    PrimaryKeyConstraint("sha256", "match_id"),
)

COMMANDS: Final = Table(
    "commands",
    METADATA,
    Column("id", _ID, primary_key=True, autoincrement=True),
    Column("table_id", Text, ForeignKey("tables.id"), nullable=False),
    Column("match_id", Text, ForeignKey("matches.id")),
    Column("name", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("answer", Text, nullable=False),
    UniqueConstraint("table_id", "key"),
)

JOBS: Final = Table(
    "jobs",
    METADATA,
    Column("id", _ID, primary_key=True, autoincrement=True),
    Column("table_id", Text, ForeignKey("tables.id"), nullable=False),
    Column("match_id", Text, ForeignKey("matches.id")),
    Column("kind", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("answer", Text, nullable=False),
)

Index("commands_waiting", COMMANDS.c.table_id, COMMANDS.c.status)
Index("jobs_waiting", JOBS.c.table_id, JOBS.c.status)
