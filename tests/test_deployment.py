"""What runs a server elsewhere: the container, its neighbours, and workflows, as far as they can be
checked without a container runtime."""

import os
import subprocess
import sys
import time
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from server.storing import make_database
from skerry.server.settings import Settings, variable_of

ROOT = Path(__file__).resolve().parent.parent
COMPOSE = ROOT / "packaging" / "compose"
# Files by the schema that they follow.
SCHEMAS = {
    "compose-spec": [COMPOSE / "compose.yaml"],
    "github-workflows": sorted((ROOT / ".github" / "workflows").iterdir()),
    "github-issue-forms": [
        path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").iterdir() if path.stem != "config"
    ],
    "citation-file-format": [ROOT / "CITATION.cff"],
}


def run(*command: str, **variables: str) -> str:
    """Run something that is to succeed; what it said."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        command,
        env={**os.environ, "PATH": path, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def club() -> dict[str, Any]:
    """The services of a club, as compose reads them."""
    found: dict[str, Any] = yaml.safe_load((COMPOSE / "compose.yaml").read_text("utf-8"))
    return found


def test_services_are_set_up_by_settings_that_there_are(club: dict[str, Any]) -> None:
    known = {variable_of(setting.name) for setting in fields(Settings)}
    for name, service in club["services"].items():
        chosen = {key for key in service["environment"] if key.startswith("SKERRY_")}
        assert chosen <= known, name
        named = {volume.partition(":")[0] for volume in service["volumes"]}
        assert {volume for volume in named if "/" not in volume} <= set(club["volumes"]), name
    app = club["services"]["app"]["environment"]
    (network,) = club["networks"]["default"]["ipam"]["config"]
    assert app["SKERRY_PROXIES"] == network["subnet"]
    assert app["SKERRY_DATABASE"].startswith("postgresql://")


def test_packages_are_published_without_a_password() -> None:
    flow = yaml.safe_load((ROOT / ".github" / "workflows" / "publish.yml").read_text("utf-8"))
    *_, last = flow["jobs"]["publish"]["steps"]
    assert flow["jobs"]["publish"]["permissions"] == {"id-token": "write"}
    assert last["with"] == {"attestations": True}
    assert "secrets." not in str(flow)


@pytest.mark.soak
@pytest.mark.parametrize("schema", SCHEMAS)
def test_files_follow_their_schemas(schema: str) -> None:
    run("check-jsonschema", "--builtin-schema", f"vendor.{schema}", *map(str, SCHEMAS[schema]))


@pytest.mark.soak
def test_the_container_is_described_as_is_advised() -> None:
    assert run("hadolint", str(ROOT / "Containerfile")) == ""
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    for line in (ROOT / "Containerfile").read_text("utf-8").splitlines():
        if line.startswith("COPY ") and "--from" not in line:
            source = line.split()[1]
            assert source == "." or f"!{source}" in ignored, line


@pytest.mark.soak
def test_backups_are_made_and_old_ones_deleted(tmp_path: Path) -> None:
    database, kept = tmp_path / "club.db", tmp_path / "backups"
    database.write_bytes(make_database())
    kept.mkdir()
    for name, days in (("old", 40), ("recent", 3)):
        (kept / f"{name}.skerry").touch()
        then = time.time() - 86_400 * days
        os.utime(kept / f"{name}.skerry", (then, then))
    script = str(COMPOSE / "backup.sh")
    run(script, "--once", BACKUPS=str(kept), SKERRY_DATABASE=str(database))
    recent, made = sorted(path.name for path in kept.iterdir())[::-1]
    assert recent == "recent.skerry"
    said = run("skerry", "restore", str(kept / made), "--database", str(tmp_path / "new.db"))
    assert "are restored" in said
