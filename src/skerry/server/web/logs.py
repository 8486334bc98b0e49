"""Structured logs: one JSON object on each line of stderr."""

import json
import logging
import sys
import time
from typing import Any

logger = logging.getLogger("skerry.server")


def log(event: str, *, level: int = logging.INFO, exc_info: bool = False, **fields: Any) -> None:
    """Note that something happened."""
    logger.log(level, event, extra={"fields": fields}, exc_info=exc_info)


class JsonLines(logging.Formatter):
    """Turns what any library logs into one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        content = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
            + f".{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "from": record.name,
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            content["traceback"] = self.formatException(record.exc_info)
        return json.dumps(content, default=str)


def set_up(level: str = "info") -> None:
    """Send all logs to stderr as JSON lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for noisy in ("aiosqlite", "alembic", "asyncio", "sqlalchemy"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
