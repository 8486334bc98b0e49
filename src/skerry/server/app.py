"""The web app put together."""

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from sqlalchemy.exc import DBAPIError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from skerry import __version__
from skerry.core.errors import SkerryError
from skerry.server.archive import routes as archive
from skerry.server.bots import ladder_routes as ladder
from skerry.server.bots import routes as bots
from skerry.server.db.retry import note_absence
from skerry.server.host import Host
from skerry.server.learn import lesson_routes as lessons
from skerry.server.learn import puzzle_routes as puzzles
from skerry.server.play import pictures as boards
from skerry.server.play import routes as games
from skerry.server.play import socket as live
from skerry.server.positions import analysis
from skerry.server.positions import routes as positions
from skerry.server.settings import Settings
from skerry.server.study import routes as studies
from skerry.server.web import manual, operation, pages
from skerry.server.web.access import explain, wants_page
from skerry.server.web.guard import Guard
from skerry.server.web.logs import set_up
from skerry.server.web.openapi import ABOUT, describe_routes


def create_app(settings: Settings | None = None) -> FastAPI:
    """An app with these settings, by default those of the environment."""
    settings = settings or Settings.read()
    host = Host(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await host.open()
        await asyncio.to_thread(pages.draw_start)  # nobody is to wait for it
        _calm_collector()
        yield
        await host.close()

    app = FastAPI(
        title="skerry",
        description=ABOUT,
        version=__version__,
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        docs_url=None,  # they would load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.host = host
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.add_middleware(Guard, metrics=host.metrics)
    for module in (
        games,
        boards,
        positions,
        lessons,
        puzzles,
        live,
        analysis,
        studies,
        archive,
        bots,
        ladder,
        manual,
        operation,
        pages,
    ):
        describe_routes(module.router)
        app.include_router(module.router)
    app.add_exception_handler(SkerryError, _refuse)
    app.add_exception_handler(RequestValidationError, _refuse_input)
    app.add_exception_handler(HTTPException, _refuse_request)
    app.add_exception_handler(DBAPIError, _wait_for_database)
    app.add_exception_handler(ConnectionError, _wait_for_database)
    return app


def _calm_collector() -> None:
    """Look for garbage less often, and not among what stays for ever: compiled rules, classes.

    A full collection takes some tenths of a second here, during which every move waits.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)


def create_worker() -> FastAPI:
    """An app in a process of its own, set up by the environment."""
    settings = Settings.read()
    set_up(settings.log_level)
    return create_app(settings)


async def _refuse(request: Request, error: Exception) -> Response:
    status = getattr(error, "status", 422)
    return _answer(request, status, str(error))


async def _refuse_input(request: Request, error: Exception) -> Response:
    return _answer(request, 422, explain(error))


async def _refuse_request(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 400)
    said = {404: "there is nothing here; look at the address again", 405: "not this method here"}
    headers = getattr(error, "headers", None)
    return _answer(request, status, said.get(status, str(getattr(error, "detail", ""))), headers)


async def _wait_for_database(request: Request, error: Exception) -> Response:
    return await _refuse(request, note_absence(error))


def _answer(
    request: Request, status: int, error: str, headers: dict[str, str] | None = None
) -> Response:
    if wants_page(request):
        return pages.show_error(status, error)
    return JSONResponse({"error": error}, status, headers)
