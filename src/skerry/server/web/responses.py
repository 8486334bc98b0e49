"""Headers and ways to answer that routes share, and responses that are neither JSON nor pages."""

from collections.abc import Mapping
from mimetypes import guess_type
from pathlib import Path
from typing import Any

from fastapi.responses import FileResponse, Response, StreamingResponse

# What is different a moment later, or for one person alone: nobody on the way keeps it.
FRESH = {"cache-control": "no-store"}
# How a route is declared that has nothing to say: it is done.
SILENT: dict[str, Any] = {"status_code": 204, "response_class": Response}


class Picture(Response):
    media_type = "image/svg+xml"


class Pixels(Response):
    media_type = "image/png"


class Film(Response):
    media_type = "image/gif"


class JsonText(Response):
    """JSON that is written already."""

    media_type = "application/json"


class RecordFile(Response):
    media_type = "application/json"


# Compression would hold lines of a stream back until there are enough of them.
UNCOMPRESSED = {"content-encoding": "identity"}


class JsonStream(StreamingResponse):
    """JSON, an object on each line."""

    media_type = "application/x-ndjson"


def attachment(name: str) -> dict[str, str]:
    """The header of what a browser keeps as a file."""
    return {"content-disposition": f'attachment; filename="{name}"'}


def send_file(file: Path, headers: Mapping[str, str]) -> FileResponse:
    """A file as what its name says it is."""
    kind = guess_type(file.name)[0] or "application/octet-stream"
    return FileResponse(file, media_type=kind, headers=headers)
