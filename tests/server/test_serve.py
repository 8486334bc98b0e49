"""The command: how it starts, refuses and ends."""

import signal
import socket
import sqlite3
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from server.serving import Server
from skerry.server import run as serving
from skerry.server.settings import Settings
from support.running import run


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (["--workers", "2"], "PostgreSQL"),
        (["--port", "x"], "--port"),
        (["--database", "mysql://h/d"], "cannot be read"),
        (["--log-level", "loud"], "--log-level"),
        (["--engines", "0"], "--engines"),
        (["--public-address", "games.example"], "such as https://games.example"),
    ],
)
def test_bad_flags_are_one_clear_line(flags: list[str], says: str, tmp_path: Path) -> None:
    done = run("serve", "--database", str(tmp_path / "x.db"), *flags)
    assert done.exit_code == 2
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = run("serve", "--database", str(tmp_path / "x.db"), "--port", port)
    assert done.exit_code == 2
    assert f"port {port} is taken: choose another with --port" in done.stderr


@pytest.mark.soak
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_gently(how: signal.Signals, tmp_path: Path) -> None:
    with Server(str(tmp_path / "new folder" / "skerry.db"), tmp_path / "log") as server:
        game = server.make_for_persons()
        game.play()
        server.process.send_signal(how)
        assert server.process.wait(60) in (0, 130, -how)
        assert "Traceback" not in server.log.read_text()
    database = sqlite3.connect(tmp_path / "new folder" / "skerry.db")
    assert database.execute("SELECT count(*) FROM plies").fetchone() == (1,)
    database.close()


def test_the_help_starts_without_the_server() -> None:
    """Of the server, only what declares its settings is imported."""
    code = (
        "import sys; from skerry.cli import app; "
        "print(*(name for name in sys.modules if name.startswith("
        "('skerry.server', 'fastapi', 'sqlalchemy', 'numba', 'prometheus_client'))))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert set(done.stdout.split()) == {"skerry.server", "skerry.server.settings"}


def test_every_setting_is_a_flag_and_a_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are declared once; the command and the environment follow from that."""
    chosen: list[Settings] = []
    monkeypatch.setattr(serving, "serve", lambda settings, ready: chosen.append(settings))
    wanted = Settings(
        **{
            setting.name: 7 if setting.type is int else f"{setting.name}!"
            for setting in fields(Settings)
        }
    )
    help = run("serve", "--help").stdout
    flags: list[str] = []
    for setting in fields(Settings):
        flag = f"--{setting.name.replace('_', '-')}"
        assert f"{flag} " in help
        assert setting.metadata["help"].split()[0] in help
        flags += [flag, str(getattr(wanted, setting.name))]
    assert run("serve", *flags).exit_code == 0
    for name, value in wanted.environment().items():
        monkeypatch.setenv(name, value)
    assert run("serve").exit_code == 0
    assert chosen == [wanted, wanted]
