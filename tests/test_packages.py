"""Packages: what they say of themselves, and that they work where they are installed."""

import json
import os
import re
import subprocess
import tomllib
import urllib.request
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from skerry.core.extras import MissingExtra, needs
from support.scripts import load_script

ROOT = Path(__file__).resolve().parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
footprint = load_script("footprint")
release = load_script("release")


def test_the_page_of_installation_lists_all_extras() -> None:
    page = (ROOT / "docs" / "install.md").read_text("utf-8")
    table = page.partition("<!-- table: extras -->")[2].partition("\n\n")[0]
    listed = re.findall(r"^\| `skerry\[(\w+)\]`", table, re.MULTILINE)
    assert sorted(listed) == sorted(PROJECT["optional-dependencies"])


def test_files_that_name_the_version_agree() -> None:
    for path in ("CITATION.cff", "packaging/conda/recipe.yaml", "src/skerry/__init__.py"):
        text = (ROOT / path).read_text("utf-8")
        assert re.search(rf'version\w*(:| =) "?{re.escape(PROJECT["version"])}"?$', text, re.M), (
            path
        )


def test_the_conda_recipe_has_the_dependencies_of_the_package() -> None:
    recipe = (ROOT / "packaging" / "conda" / "recipe.yaml").read_text("utf-8").replace("_", "-")
    wanted = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["web"]]
    for requirement in wanted:
        name, least = re.fullmatch(r"([\w-]+)(?:\[\w+\])?>=([\d.]+)", requirement).groups()
        assert re.search(rf"- {name}(-standard)? >={re.escape(least)}$", recipe, re.M), requirement


def import_with(extra: str, module: str) -> None:
    with needs(extra, "a cake"):
        import_module(module)


def test_a_missing_package_is_named_with_its_extra() -> None:
    with pytest.raises(MissingExtra, match=r"a cake needs nonesuch, .*'skerry\[web\]'") as told:
        import_with("web", "nonesuch")
    assert told.value.name == "nonesuch"
    with pytest.raises(ModuleNotFoundError) as told:  # a fault of ours is no missing extra
        import_with("web", "skerry.nonesuch")
    assert not isinstance(told.value, MissingExtra)


def test_links_of_a_released_readme_lead_to_its_files() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    home = "https://forge.example/a/skerry"
    text = release.make_absolute(readme, home, "v1")
    links = re.findall(r'(?:\]\(|src="|srcset=")([^)"\s]+)', text)
    assert all(link.startswith("https://") for link in links)
    files = [re.sub(rf"^{home}/(blob|raw)/v1/", "", link).partition("#")[0] for link in links]
    ours = [path for path in files if not path.startswith("https:")]
    assert len(ours) > 20
    assert all((ROOT / path).exists() for path in ours)
    project = release.add_addresses((ROOT / "pyproject.toml").read_text("utf-8"), home, "v1")
    assert tomllib.loads(project)["project"]["urls"]["Source"] == home


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> "Installed":
    """An environment with the base alone, outside of the source tree."""
    folder = tmp_path_factory.mktemp("outside")
    _, wheel = footprint.build(folder)
    commands = footprint.make_environment(folder / "environment")
    footprint.install(commands, wheel)
    return Installed(commands, wheel)


class Installed:
    """What a stranger has after installing."""

    def __init__(self, commands: Path, wheel: Path) -> None:
        self.commands = commands
        self.wheel = wheel

    def start(self, *command: str) -> subprocess.Popen[str]:
        """Start a command of the environment, in a folder without sources."""
        kept = ("HOME", "LANG", "SKERRY_CACHE")
        return subprocess.Popen(
            [str(self.commands / command[0]), *command[1:]],
            cwd=self.commands.parent,
            env={name: os.environ[name] for name in kept if name in os.environ},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *command: str) -> tuple[int, str]:
        """Run a command; its exit code and all that it said."""
        process = self.start(*command)
        said = "".join(process.communicate())
        return process.returncode, said


@pytest.mark.soak
def test_the_base_plays_solves_and_says_what_extras_it_lacks(outside: Installed) -> None:
    move = (
        "import skerry; print(skerry.__file__, skerry.make('skew').initial().play('d4-ne').text())"
    )
    code, said = outside.run("python", "-c", move)
    assert code == 0, said
    assert str(outside.commands.parent) in said
    code, said = outside.run("skerry", "solve", "skirt", "--option", "side=2")
    assert (code, "wins" in said) == (0, True), said
    code, said = outside.run("python", "-c", "import fastapi")
    assert code != 0, "the base has a web server"
    wanting = {
        ("skerry", "serve"): "web",
        ("skerry", "admin", "people"): "web",
        ("skerry", "backup", "club.skerry"): "web",
        ("skerry", "restore", "club.skerry"): "web",
        ("skerry", "train", "skew", "--out", "run"): "train",
        ("skerry", "match", "skew", "random", "level:1", "--out", "m", "--ray", "a:1"): "cluster",
        ("skerry", "bench", "--peers"): "bench",
        ("python", "-c", "import skerry.rl.gymnasium"): "rl",
        ("python", "-c", "import skerry.rl.pettingzoo"): "rl",
        ("python", "-c", "import skerry.rl.openspiel"): "rl",
    }
    for command, extra in wanting.items():
        code, said = outside.run(*command)
        assert code != 0, command
        assert f"pip install 'skerry[{extra}]'" in said.splitlines()[-1], said


@pytest.mark.soak
def test_with_web_it_serves(outside: Installed) -> None:
    footprint.install(outside.commands, outside.wheel, "web")
    process = outside.start(
        "skerry", "serve", "--port", "0", "--database", "club.db", "--warm", "0"
    )
    try:
        address = process.stdout.readline().rpartition(" ")[2].strip()
        with urllib.request.urlopen(f"{address}api/games", timeout=60) as answer:  # noqa: S310
            assert json.load(answer) == []
        with urllib.request.urlopen(address, timeout=60) as answer:  # noqa: S310
            assert b"Skaane" in answer.read()
    finally:
        process.terminate()
        process.communicate()
