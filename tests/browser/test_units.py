"""Modules of the pages by themselves: the tests of ``units/*.test.js``, run in chromium.

Each ``test("name", ...)`` is a case here. Nothing is served: the browser gets files from disk, the
modules under the name ``static/`` as an import map tells.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route

from skerry.server.web.templates import static_files

UNITS = Path(__file__).parent / "units"
TEST = re.compile(r'^test\("([^"]+)"', re.M)
CASES = [
    (path.name, name)
    for path in sorted(UNITS.glob("*.test.js"))
    for name in TEST.findall(path.read_text(encoding="utf-8"))
]
ORIGIN = "http://units.test"
EMPTY = """<!doctype html><title>Units</title>
<link rel="stylesheet" href="/static/styles/table.css">
<script type="importmap">{"imports": {"static/": "/static/"}}</script>"""
RUN = """async ([file, name]) => {
  const { runTest } = await import("/units/testing.js");
  await import(`/units/${file}`);
  return runTest(name);
}"""
LIST = """async (file) => {
  const { listTests } = await import("/units/testing.js");
  await import(`/units/${file}`);
  return listTests();
}"""


def answer(route: Route) -> None:
    """Give the browser a file, or the page that all tests start from."""
    folder, _, name = route.request.url.removeprefix(f"{ORIGIN}/").partition("/")
    if folder == "static" and name in static_files():
        route.fulfill(path=static_files()[name])
    elif folder == "units":
        route.fulfill(path=UNITS / name)
    else:
        route.fulfill(body=EMPTY, content_type="text/html")


@pytest.fixture(scope="module")
def open_units(chromium: Browser) -> Iterator[Callable[[str], Page]]:
    """A page for every file of tests: modules may keep something in mind."""
    context = chromium.new_context(viewport={"width": 400, "height": 400})
    context.route("**/*", answer)
    pages: dict[str, Page] = {}

    def open_page(file: str) -> Page:
        if file not in pages:
            pages[file] = context.new_page()
            pages[file].goto(ORIGIN)
        return pages[file]

    yield open_page
    context.close()


@pytest.mark.parametrize(("file", "name"), CASES)
def test_unit(open_units: Callable[[str], Page], file: str, name: str) -> None:
    error = open_units(file).evaluate(RUN, [file, name])
    assert error is None, error


@pytest.mark.parametrize("file", sorted({file for file, _ in CASES}))
def test_all_tests_of_a_file_are_run(open_units: Callable[[str], Page], file: str) -> None:
    found = open_units(file).evaluate(LIST, file)
    assert found == [name for path, name in CASES if path == file]


def test_a_test_can_fail(open_units: Callable[[str], Page]) -> None:
    failing = """async () => {
      const { equal, runTest, test } = await import("/units/testing.js");
      test("failing", () => equal({ deep: [1, undefined] }, { deep: [1, null] }));
      return runTest("failing");
    }"""
    assert "wanted" in open_units("none").evaluate(failing)
    assert "no test" in open_units("none").evaluate(RUN.replace("await import(`", "(`"), ["", "?"])
