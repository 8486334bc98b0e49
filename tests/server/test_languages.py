"""Languages: every text is in the catalogues, and readers get theirs."""

import importlib.util
import json
import re
import string
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.jslexer import tokenize
from websockets.sync.client import connect

from server.serving import LocalServer, Server
from skerry.server.languages.catalogues import ENGLISH, list_languages, open_catalogue
from skerry.server.languages.choice import choose, speaking
from skerry.server.languages.figures import figure, listed, write_clock, write_date
from skerry.server.languages.sentences import translate
from skerry.server.web.kinds import say_board
from skerry.server.web.templates import environment, static_files
from support.visible import list_texts

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = [language for language in list_languages() if language != ENGLISH]
SUBJECTS = ("pages", "scripts", "games", "courses")
PLACE = re.compile(r"%\(\w+\)s|\{\w+|<[^>]+>")
WORD = re.compile(r"[A-Za-z]{2,}")
# Names that are the same everywhere, and what programs read.
NAMES = {"Skirt", "skew", "skirt", "Buchholz", "Sonneborn", "Berger", "httpx", "python", "Elo"}
NAMES |= {"bonus", "extra", "jumps", "alternate", "quiet", "end"}  # options, as they are typed
UNTRANSLATED = {"api.html"}  # the manual for those who write programs


def _load_tool() -> ModuleType:
    found = importlib.util.spec_from_file_location("texts", ROOT / "tools" / "texts.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


texts = _load_tool()


@pytest.fixture(scope="module")
def gathered() -> dict[str, Catalog]:
    return {subject: texts.gather(subject) for subject in SUBJECTS}


def _forms(text: Any) -> list[str]:
    return [text] if isinstance(text, str) else list(text)


def _keys(catalogue: Catalog) -> dict[tuple[str, str | None], Any]:
    return {(_forms(one.id)[0], one.context): one for one in catalogue if one.id}


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_have_every_message_and_no_other(
    language: str, gathered: dict[str, Catalog]
) -> None:
    for subject in SUBJECTS:
        catalogue = texts.read_catalogue(language, subject)
        said, known = _keys(gathered[subject]), _keys(catalogue)
        missing = [key for key in said if key not in known or not all(_forms(known[key].string))]
        assert not missing, f"run make texts, and translate in {language}/{subject}.po: {missing}"
        assert said.keys() == known.keys(), f"{language}/{subject}.po has more: run make texts"
        assert not catalogue.obsolete
        assert not [one.id for one in known.values() if one.fuzzy]


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_have_the_places_of_what_they_translate(language: str) -> None:
    for subject in SUBJECTS:
        for one in texts.read_catalogue(language, subject):
            if one.id:
                wanted = {*PLACE.findall(_forms(one.id)[-1])}
                *few, text = _forms(one.string)
                assert {*PLACE.findall(text)} == wanted, text
                assert all({*PLACE.findall(form)} <= wanted for form in few), few  # "one game"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_at_several_places_is_the_same(language: str) -> None:
    found: dict[tuple[str, str | None], Any] = {}
    for subject in SUBJECTS:
        for key, one in _keys(texts.read_catalogue(language, subject)).items():
            assert found.setdefault(key, one.string) == one.string, key


# --- nothing is said without a catalogue


def _strip(template: str) -> str:
    """A template without what is filled in or translated."""
    source = Path(environment.get_or_select_template(template).filename or "").read_text("utf-8")
    kept, skipped = [], ""
    tokens = iter(environment.lex(source))
    for _, kind, value in tokens:
        if kind == "block_begin":
            words = []
            for _, inner, word in tokens:
                if inner == "block_end":
                    break
                if inner != "whitespace":
                    words.append(word)
            if skipped and words[0] == skipped:
                skipped = ""
            elif words[0] == "trans":
                skipped = "endtrans"
            elif words[:2] in (["block", "card"], ["block", "query"]):  # addresses
                skipped = "endblock"
        elif kind == "data" and not skipped:
            kept.append(value)
    return "".join(kept)


@pytest.mark.parametrize("template", sorted({*environment.list_templates()} - UNTRANSLATED))
def test_templates_say_nothing_themselves(template: str) -> None:
    import skerry.server.tournaments.pages  # noqa: F401, PLC0415 - filters of its own

    said = [text for text in list_texts(_strip(template)) if set(text) & {*string.ascii_letters}]
    assert [text for text in said if text != "skerry"] == []


def _list_strings(source: str) -> Iterator[str]:
    """The strings of a script that are not given to ``t`` or ``tn``, and look like words."""
    before: list[str] = []
    for token in tokenize(source, jsx=False):
        if token.type in ("linecomment", "multilinecomment"):
            continue
        is_given = before[-2:] in (["t", "("], ["tn", "("]) or before[-4:-2] == ["tn", "("]
        if token.type in ("string", "template_string") and not is_given:
            text = re.sub(r"\$\{[^}]*\}", "", token.value)[1:-1]
            is_code = re.search(r"[\[\]#=>{}]", text)
            if re.search(r"[A-Za-z]{2,}[,.:;]? [a-z]{2,}", text) and not is_code:
                yield text
        before.append(token.value)


# Classes of elements, conditions of style sheets, and what only programmers see.
PROGRAMMED = {
    "ghost aim", "ghost hover", "ghost hover ring", "note soft", "terms soft", "button primary",
    "ply seat-", "hint ring", "halo cursor", "mistake grave", "input, button",
    "translate(px, px) rotate(deg)", "(prefers-color-scheme: dark)",
    "(prefers-reduced-motion: reduce)", "not all", "the page lacks ", "data- is missing",
    " cannot be had",
}  # fmt: skip
REPORTED = {"board/replay.js"}  # a part of the reports of the laboratory, which are in English


@pytest.mark.parametrize(
    "name", [name for name in static_files() if name.endswith(".js") and name not in REPORTED]
)
def test_scripts_say_nothing_themselves(name: str) -> None:
    source = static_files()[name].read_text("utf-8")
    assert [text for text in _list_strings(source) if text not in PROGRAMMED] == []


@pytest.fixture
def quiet(tmp_path: Path) -> Iterator[LocalServer]:
    """A server on which nobody else has a name."""
    with LocalServer(tmp_path) as found:
        yield found


def test_a_page_in_japanese_has_no_english_word(quiet: LocalServer) -> None:
    """Whatever is said past the catalogue is in English, and would be seen."""
    catalogue = open_catalogue("ja")
    known = {
        word for forms in catalogue.messages.values() for word in WORD.findall(" ".join(forms))
    }
    known |= NAMES
    game = quiet.make("x", seats=["person", "person", "level:2"])
    client = quiet.new_client()
    client.headers.update({"accept-language": "ja, en;q=0.5", "accept": "text/html"})
    paths = [
        "/", "/games/skew", "/games/skaane", "/lobby", "/yours", "/puzzles", "/puzzles/skirt",
        "/puzzles/skaane/1", "/study", "/study/new?game=x", "/tournaments", "/archive", "/ladder/x",
        "/sign-in", "/sign-up", "/offline", f"/g/{game.id}", f"/g/{game.id}?embed", "/nowhere",
        *(f"/rules/{name}" for name in ("skew", "skirt", "x", "skaane")),
    ]  # fmt: skip
    for path in paths:
        page = client.get(path)
        assert '<html lang="ja"' in page.text
        for text in list_texts(page.text):
            assert {*WORD.findall(text)} <= known, (path, text)


# --- who reads what


@pytest.mark.parametrize(
    ("cookies", "accepted", "language"),
    [
        ("", "", "en"),
        ("", "de", "de"),
        ("", "de-AT,de;q=0.9,en;q=0.5", "de"),
        ("", "fr, ja;q=0.4, de;q=0.8", "de"),
        ("", "fr, *;q=0.1", "en"),
        ("", "de;q=0, ja;q=nonsense", "en"),
        ("a=b; skerry-language=ja", "de", "ja"),
        ("skerry-language=tlh", "de", "de"),
    ],
)
def test_a_language_is_chosen_by_hand_or_by_the_browser(
    cookies: str, accepted: str, language: str
) -> None:
    assert choose(cookies, accepted) == language


def test_a_switch_on_every_page_chooses_a_language(server: Server) -> None:
    client = server.new_client()
    page = client.get("/archive?game=x")
    assert page.headers["content-language"] == "en"
    assert {"accept-language", "cookie"} <= {*re.split(", *", page.headers["vary"].lower())}
    assert 'formaction="/language/de?back=/archive%3Fgame%3Dx"' in page.text
    answer = client.post("/language/de?back=/archive%3Fgame%3Dx")
    assert (answer.status_code, answer.headers["location"]) == (303, "/archive?game=x")
    assert '<html lang="de"' in client.get("/archive").text
    assert client.post("/language/ja?back=//elsewhere.example").headers["location"] == "/"
    assert client.get("/").headers["content-language"] == "ja"
    assert client.post("/language/tlh").status_code == 404


def test_scripts_get_their_catalogue_before_they_run(server: Server) -> None:
    client = server.new_client()
    client.headers["accept-language"] = "de"
    page = client.get("/").text
    found = re.search(r'<script src="(/static/\w+/texts/de.js)">', page)
    assert found is not None
    assert found.start() < page.index('type="module"')
    script = client.get(found[1])
    assert "immutable" in script.headers["cache-control"]
    assert '"Your turn":"Du bist am Zug"' in script.text
    assert "texts/" not in server.client.get("/").text
    worker = client.get("/sw.js").text
    assert found[1] in worker
    assert "Du bist am Zug" in worker
    assert found[1] not in server.client.get("/sw.js").text
    assert client.get("/manifest.webmanifest").json()["lang"] == "de"


def test_answers_and_live_connections_speak_the_language_of_the_page(server: Server) -> None:
    game = server.make_for_persons("skew")
    german = {"accept-language": "de"}
    shown = server.client.get(f"/api/games/{game.id}", headers=german).json()
    assert shown["words"] == "Erster ist am Zug"
    assert shown["prompts"] == ["wähle ein Loch", "wähle, wohin sich der Stift neigt"]
    assert [seat["title"] for seat in shown["seats"]] == ["Erster", "Zweiter"]
    assert server.client.get(f"/api/games/{game.id}").json()["words"] == "First to move"
    address = server.url.replace("http", "ws", 1) + f"/api/games/{game.id}/live"
    with connect(address, max_size=None, additional_headers=german) as live:
        live.send(json.dumps({"type": "hello", "secrets": []}))
        assert json.loads(live.recv(60))["game"]["words"] == "Erster ist am Zug"
    refused = server.client.get("/api/games/nothing", headers=german)
    assert refused.json() == {"error": "es gibt keine solche Partie; prüfe die Adresse"}
    body = {"game": "skew", "options": {}, "moves": [], "path": ["a1"], "theme": "light"}
    reason = server.client.post("/api/positions/reason", json=body, headers=german).json()
    assert reason["reason"].startswith("Nicht erlaubt: a1 liegt nicht neben dem schwarzen Stift")


# --- sentences that were said in English


@pytest.mark.parametrize(
    ("said", "german"),
    [
        ("White ran out of time: Black wins", "Weiß hat die Zeit überschritten: Schwarz gewinnt"),
        ("Sun: beats god, king and sun", "Sonne: schlägt Gott, König und Sonne"),
        ("First wins 7-3. Win at once.", "Erster gewinnt 7-3. Gewinn sofort."),
        (
            "No. Yellow replies e5, Green replies f6, and now Green wins: a1.",
            "Nein. Gelb antwortet e5, Grün antwortet f6, und jetzt gewinnt Grün: a1.",
        ),
        ("Ann's own words, and nobody's.", "Ann's own words, and nobody's."),
    ],
)
def test_sentences_are_recognised_with_what_is_filled_in(said: str, german: str) -> None:
    assert translate(said) == said
    with speaking("de"):
        assert translate(said) == german


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_with_places_is_recognised_as_itself(language: str) -> None:
    places = re.compile(r"\{(\w+)\}")
    messages = {
        message: forms[0]
        for message, forms in open_catalogue(language).messages.items()
        if places.search(message) and not re.search(r"\x04|\{\w+:", message)
    }
    with speaking(language):
        for message, text in messages.items():
            names = dict.fromkeys(places.findall(message))
            filled = {name: f"q{number}q" for number, name in enumerate(names)}
            wanted, said = text, message
            for name, value in filled.items():
                wanted, said = (part.replace(f"{{{name}}}", value) for part in (wanted, said))
            assert translate(said) == wanted


def test_numbers_lists_clocks_and_days_are_written_as_in_the_language() -> None:
    assert (figure(12345), listed(["a", "b", "c"])) == ("12,345", "a, b and c")
    assert write_clock({"kind": "days", "days": 1}) == "1 day a move"
    assert write_date(1_796_169_600_000) == "2 December 2026"
    board = {"side": 3, "pegs": 24}  # of which the pegs are as usual
    assert say_board("skew", board) == "side 3"
    with speaking("de"):
        assert say_board("skew", board) == "Seitenlänge 3"
        assert (figure(12345), listed(["a", "b", "c"])) == ("12.345", "a, b und c")
        assert write_clock({"kind": "total", "seconds": 300, "increment": 3}) == "5 min + 3 s"
        assert write_date(1_796_169_600_000) == "2. Dezember 2026"
    with speaking("ja"):
        assert write_clock({"kind": "move", "seconds": 90}) == "1手1分 30秒"
        assert write_date(1_796_169_600_000) == "2026年12月2日"


def test_what_is_constant_in_a_template_is_said_in_every_readers_language() -> None:
    template = environment.from_string('{{ {"kind": "move", "seconds": 90}|clock }}')
    assert template.render() == "1 min 30 s a move"
    with speaking("ja"):
        assert template.render() == "1手1分 30秒"
