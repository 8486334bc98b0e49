"""For those who run the server."""

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse

from skerry.server.web.access import TheHost

router = APIRouter()


@router.get("/healthz")
async def show_health(host: TheHost) -> dict[str, str]:
    """Whether the server can do its work, which takes a database."""
    await host.store.count_playing()
    return {"status": "ok"}


@router.get("/metrics", response_class=PlainTextResponse)
async def show_metrics(host: TheHost) -> PlainTextResponse:
    """What has happened, in the text format of Prometheus."""
    live = await host.store.count_playing()
    return PlainTextResponse(
        host.metrics.text(skerry_games_live=live), media_type="text/plain; version=0.0.4"
    )
