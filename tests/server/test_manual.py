"""The documentation that a server may serve."""

from pathlib import Path

import pytest

from server.serving import LocalServer
from skerry.core.errors import OptionsError
from skerry.server.settings import Settings

PAGE = "<html><script>let theme</script><link href=style.css>Games</html>"
HASH = "sha256-7rMD11dYkXvRxvkn9hkFMjUR5PuAjhZaMipIhgiLClc="


def test_the_site_is_served_and_nothing_beside_it(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    (folder / "play").mkdir(parents=True)
    (folder / "index.html").write_text(PAGE, encoding="utf-8")
    (folder / "play" / "web.css").write_text("p {}", encoding="utf-8")
    (tmp_path / "secret").write_text("seat", encoding="utf-8")
    with LocalServer(tmp_path, docs=str(folder)) as server:
        started = server.client.get("/docs", follow_redirects=True)
        assert (started.status_code, started.text) == (200, PAGE)
        policy = started.headers["content-security-policy"]
        assert f"script-src 'self' '{HASH}'; worker-src 'self';" in policy
        assert (
            server.client.get("/docs/play/web.css").headers["content-type"].startswith("text/css")
        )
        assert '<a href="/docs">' in server.client.get("/api").text
        for path in ("/docs/nothing.html", "/docs/play", "/docs/../secret", "/docs/%2e%2e/secret"):
            assert server.client.get(path).status_code == 404, path


def test_a_server_without_it_says_how_to_have_it(server: LocalServer) -> None:
    answer = server.client.get("/docs/index.html")
    assert answer.status_code == 404
    assert "skerry serve --docs" in answer.json()["error"]


def test_a_folder_without_a_site_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionsError, match=r"--docs .* has no index\.html: .* make site"):
        Settings(docs=str(tmp_path)).check()
