"""Documents that programs and pages get, in the language of whoever reads them.

Boards, courses and puzzles are described in English, some of them by other processes and as JSON
already. What is said to people stands under a few names, and under them is nothing that visitors
have written.
"""

import json
from typing import Any

from skerry.server.languages.catalogues import ENGLISH
from skerry.server.languages.choice import current_language
from skerry.server.languages.sentences import translate

SAID = frozenset(
    {
        "difficulty", "end", "error", "feedback", "goal", "holding", "holdings", "prompts",
        "proven", "reason", "title", "words",
    }
)  # fmt: skip


def translate_document(content: Any) -> Any:
    """A document with all that is said in it; the one that is given stays as it is."""
    return content if current_language() == ENGLISH else _walk(content)


def translate_json(text: str) -> str:
    """The same for a document that is written already."""
    if current_language() == ENGLISH:
        return text
    return json.dumps(_walk(json.loads(text)), ensure_ascii=False, separators=(",", ":"))


def translate_study(content: dict[str, Any]) -> dict[str, Any]:
    """A study: its title and its comments are somebody's own."""
    said = {name: translate_document(content[name]) for name in ("seats", "review")}
    return content | said


def _walk(content: Any, said: bool = False) -> Any:
    if isinstance(content, dict):
        return {name: _walk(value, name in SAID) for name, value in content.items()}
    if isinstance(content, list | tuple):
        return [_walk(value, said) for value in content]
    return translate(content) if said and isinstance(content, str) else content
