"""What there is to read on a page: text, and what is said of pictures and buttons."""

from html.parser import HTMLParser

SAID = ("alt", "aria-label", "placeholder", "title")
SILENT = ("code", "script", "style", "svg")  # not for readers, or no words


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._silent: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        if tag in SILENT or (self._silent and tag == self._silent[-1]) or known.get("lang"):
            if tag != "html":
                self._silent.append(tag)
            return
        if self._silent:
            return
        self.found += [value for name in SAID if (value := known.get(name))]
        if tag == "meta" and known.get("name") == "description":
            self.found.append(known.get("content") or "")

    def handle_endtag(self, tag: str) -> None:
        if self._silent and tag == self._silent[-1]:
            self._silent.pop()

    def handle_data(self, data: str) -> None:
        if not self._silent and data.strip():
            self.found.append(data.strip())


def list_texts(page: str) -> list[str]:
    """All texts of a page, or of a template without what is filled in; other languages left out."""
    reader = _Reader()
    reader.feed(page)
    return reader.found
