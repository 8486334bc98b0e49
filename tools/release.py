"""Makes a tree ready to be published: links and pictures of the README, relative in the repository,
lead to one release of it, so that they work on the page of an index.

.github/workflows/publish.yml runs it:

    python tools/release.py --address https://forge.example/owner/skerry --ref v1.0.0
"""

import argparse
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"(\]\()(?!https?://|#)([^)\s]+)")
PICTURE = re.compile(r'((?:src|srcset)=")(?!https?://)([^"]+)')


def make_absolute(text: str, address: str, ref: str) -> str:
    """Markdown whose links and pictures are those of a release."""
    text = LINK.sub(rf"\g<1>{address}/blob/{ref}/\g<2>", text)
    return PICTURE.sub(rf"\g<1>{address}/raw/{ref}/\g<2>", text)


def add_addresses(project: str, address: str, ref: str) -> str:
    """The text of pyproject.toml, with the addresses that an index shows."""
    urls = {
        "Source": address,
        "Documentation": f"{address}/blob/{ref}/docs/README.md",
        "Changelog": f"{address}/blob/{ref}/CHANGELOG.md",
        "Issues": f"{address}/issues",
    }
    lines = "".join(f'{name} = "{url}"\n' for name, url in urls.items())
    return project.replace("[project.scripts]", f"[project.urls]\n{lines}\n[project.scripts]", 1)


def main() -> None:
    """Change README.md and pyproject.toml in place."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--address", required=True, help="where the repository is")
    parser.add_argument("--ref", required=True, help="the tag of the release")
    chosen = parser.parse_args()
    for name, change in (("README.md", make_absolute), ("pyproject.toml", add_addresses)):
        path = ROOT / name
        text = path.read_text(encoding="utf-8")
        path.write_text(change(text, chosen.address.rstrip("/"), chosen.ref), encoding="utf-8")


if __name__ == "__main__":
    main()
