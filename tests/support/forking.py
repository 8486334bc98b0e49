"""Processes that tests have started by skerry are forked from one that has loaded all they need.

Users have each spawned, which takes it a second and a half to import and to load kernels: a fork
would copy threads and locks of a server in any state. The process that forks here has none. What
tests start by a command, servers and engines among them, spawns its processes as users have it.
"""

import os
from functools import cache
from multiprocessing import forkserver, get_context
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest

from skerry.lab.work import process

LOADED = "support.loaded"


def fork_processes(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(process, "get_context", lambda _: start_forking())


@cache
def start_forking() -> ForkServerContext:
    context = get_context("forkserver")
    context.set_forkserver_preload([LOADED])
    with pytest.MonkeyPatch.context() as patch, process._deaf_to_interrupts():
        patch.setenv("PYTHONPATH", str(Path(__file__).parents[1]), prepend=os.pathsep)
        forkserver.ensure_running()
    return context


def share_forking() -> None:
    """Have a process that was itself forked ask the one that forks for whoever it comes from."""
    if start_forking.cache_info().currsize:
        server = forkserver._forkserver
        server.ensure_running = lambda: None  # it would look among its own children
