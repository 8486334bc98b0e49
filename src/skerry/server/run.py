"""The server process: a socket, the app, and workers that share them."""

import asyncio
import os
import socket
from collections.abc import Callable

import uvicorn
from uvicorn.supervisors import Multiprocess

from skerry.server.db.engine import open_database
from skerry.server.db.migrate import migrate
from skerry.server.settings import Settings
from skerry.server.web.guard import LARGEST_BODY
from skerry.server.web.logs import set_up
from skerry.server.web.metrics import share_metrics

BACKLOG = 2048
LEAVING_TIME = 5  # seconds for connections to end when the server does


def serve(settings: Settings, ready: Callable[[str], None]) -> None:
    """Serve until interrupted; ``ready`` is told the address."""
    settings.check()
    set_up(settings.log_level)
    asyncio.run(_prepare(settings))
    os.environ.update(settings.environment())  # the workers read it
    config = uvicorn.Config(
        "skerry.server.app:create_worker",
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=True,
        forwarded_allow_ips=settings.proxies,
        backlog=BACKLOG,
        ws_max_size=LARGEST_BODY,
        ws_per_message_deflate=False,  # it would cost more time than it saves
        timeout_graceful_shutdown=LEAVING_TIME,
    )
    place = _listen(settings)
    ready(_address(place))
    with share_metrics(settings.workers):
        if settings.workers > 1:
            Multiprocess(config, sockets=[place]).run()
        else:
            uvicorn.Server(config).run(sockets=[place])


async def _prepare(settings: Settings) -> None:
    """Bring the database up to date before anybody is told where the server is."""
    database = open_database(settings)
    try:
        await migrate(database.engine)
    finally:
        await database.close()


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    place = socket.socket(family)
    place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    place.bind((settings.host, settings.port))
    place.listen(BACKLOG)
    return place


def _address(place: socket.socket) -> str:
    host, port = place.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
