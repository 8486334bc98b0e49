"""What scripts say, as a script that browsers load before them."""

import json
import re
from functools import cache

from skerry.server.languages.catalogues import open_catalogue

NAMES = re.compile(r"texts/([\w-]{2,16})\.js")  # among static files


@cache
def write_catalogue(language: str) -> str:
    """The catalogue of a language; ``static/lib/texts.js`` reads it. That of English is empty."""
    catalogue = open_catalogue(language)
    messages = {
        message: forms if len(forms) > 1 else forms[0]
        for message, forms in catalogue.scripted.items()
    }
    written = json.dumps(messages, ensure_ascii=False, separators=(",", ":"))
    return f"globalThis.skerryTexts={{messages:{written},plural:(n)=>Number({catalogue.rule})}};\n"
