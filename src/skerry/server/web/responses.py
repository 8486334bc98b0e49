"""Responses that are neither JSON nor pages."""

from fastapi.responses import Response, StreamingResponse


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
