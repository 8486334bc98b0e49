"""The server process: a socket, the app, and workers that share them."""

import asyncio
import errno
import gc
import os
import socket
from collections.abc import Callable
from functools import partial
from typing import Any

import uvicorn
from uvicorn.supervisors import Multiprocess

from skerry.core.errors import OptionsError, shorten
from skerry.server.db.downtime import Uptime
from skerry.server.db.engine import open_database
from skerry.server.db.migrate import migrate
from skerry.server.door.protocol import GuardedProtocol
from skerry.server.door.register import Door, make_room
from skerry.server.play.clocks import read_time, share_time
from skerry.server.play.engines import find_named
from skerry.server.settings import Settings
from skerry.server.web.guard import LARGEST_BODY
from skerry.server.web.logs import set_up
from skerry.server.web.metrics import share_metrics

BACKLOG = 2048
LEAVING_TIME = 5  # seconds for connections to end when the server does


def serve(settings: Settings, ready: Callable[[str], None]) -> None:
    """Serve until interrupted; ``ready`` is told the address."""
    settings.check()
    find_named(settings)
    set_up(settings.log_level)
    asyncio.run(_prepare(settings))
    os.environ.update(settings.environment())  # the workers read it
    share_time()
    config = configure("skerry.server.app:create_worker", settings, factory=True)
    place = _listen(settings)
    ready(_address(place))
    with share_metrics(settings.workers):
        if settings.workers > 1:
            Multiprocess(config, sockets=[place]).run()
        else:
            gc.disable()  # until the app has begun: what it loads is no garbage
            uvicorn.Server(config).run(sockets=[place])


def configure(app: Any, settings: Settings, **further: Any) -> uvicorn.Config:
    """How uvicorn serves an app, or the app that a function of that name makes."""
    door = Door(make_room(), settings.connections, settings.proxies)
    return uvicorn.Config(
        app,
        http=partial(GuardedProtocol, door=door),  # type: ignore[arg-type]
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
        **further,
    )


async def _prepare(settings: Settings) -> None:
    """Bring the database up to date, and the clocks of games, before anybody is served."""
    database = open_database(settings)
    with database.own():
        try:
            await migrate(database.engine)
            await Uptime(database, read_time).make_up()
        finally:
            await database.close()


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    place = socket.socket(family)
    place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        place.bind((settings.host, settings.port))
        place.listen(BACKLOG)
    except OSError as error:
        place.close()
        raise OptionsError(_explain_place(settings, error)) from None
    return place


def _explain_place(settings: Settings, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {settings.port} is taken: choose another with --port, or 0 for a free one"
    if error.errno == errno.EACCES:
        return f"port {settings.port} needs more rights than you have: choose one from 1024 on"
    return f"cannot listen on {shorten(settings.host)}, port {settings.port}: {error.strerror}"


def _address(place: socket.socket) -> str:
    host, port = place.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
