"""The description of the API, made of what the routes say about themselves, and as a page."""

import json
from functools import lru_cache
from inspect import getdoc
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse, Response
from fastapi.routing import APIRoute

from skerry.server.manual.site import Manual
from skerry.server.web.limits import spend
from skerry.server.web.pages import Keeping
from skerry.server.web.parts import Part
from skerry.server.web.refusals import REFUSALS
from skerry.server.web.responses import JsonText

router = APIRouter(tags=["operation"])

ABOUT = """Everything that the pages do, for programs.

Whoever plays is known by secrets: those of seats in the header `X-Seat`, or the token of a bot as
`Authorization: Bearer TOKEN`. People who have an account send the cookie that `POST /api/sessions`
sets, and play on all seats of theirs. A move names the `version` of the game it was chosen for; if
somebody was faster the answer is 409 with the game as it is now. Errors are
`{"error": "one sentence"}`.

`/api/games/ID/live` is a WebSocket: say `{"type": "hello", "secrets": [...], "theme": "light"}`,
then receive the game as `{"type": "game", "game": ...}` whenever it changes. Moves are made with
`POST /api/games/ID/moves`.

`/api/lobby/live` is another: say `{"type": "hello", "secrets": [...]}` with the secrets of your
challenges, then receive `{"type": "lobby", "lobby": ..., "mine": [...]}` whenever it changes.
"""


SCHEMA: dict[str, Any] = {
    "description": "An OpenAPI document.",
    "content": {
        "application/json": {
            "schema": {"type": "object", "properties": {"openapi": {"type": "string"}}}
        }
    },
}


@router.get(
    "/api/openapi.json",
    response_class=JsonText,
    responses={**REFUSALS, 200: SCHEMA},
    dependencies=[spend("reads", 3)],
)
async def show_schema(request: Request) -> Response:
    """This description, for programs."""
    return JsonText(_write_schema(request.app))


@lru_cache(maxsize=1)
def _write_schema(app: FastAPI) -> str:
    return json.dumps(app.openapi(), ensure_ascii=False)


@router.get("/api", include_in_schema=False)
async def show_manual(request: Request, keeping: Keeping, manual: Part[Manual]) -> HTMLResponse:
    """Everything that can be asked for, from the description that programs get."""
    return keeping.show("api.html", lambda: _describe(request.app, bool(manual.files)))


def _describe(app: FastAPI, has_docs: bool) -> dict[str, Any]:
    return {
        "has_docs": has_docs,
        "about": ABOUT.strip().split("\n\n"),
        "operations": list_operations(app.openapi()),
    }


def describe_routes(router: APIRouter) -> None:
    """Summaries are the first lines of docstrings."""
    for route in router.routes:
        if isinstance(route, APIRoute) and route.include_in_schema:
            said = getdoc(route.endpoint) or ""
            summary, _, rest = said.partition("\n\n")
            route.summary = " ".join(summary.split()).rstrip(".")
            route.description = rest.strip()


def list_operations(schema: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """What can be asked for, by tag, with all that a person wants to know of it."""
    found: dict[str, list[dict[str, Any]]] = {}
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            found.setdefault(operation["tags"][0], []).append(
                {
                    "method": method.upper(),
                    "path": path,
                    "summary": operation["summary"],
                    "description": operation.get("description", ""),
                    "parameters": [
                        _name_field(schema, p["name"], p["schema"] | p, p.get("required", False))
                        for p in operation.get("parameters", [])
                    ],
                    "body": _list_fields(schema, _content(operation.get("requestBody", {}))),
                    "answers": [
                        {
                            "status": status,
                            "type": next(iter(answer.get("content", {})), ""),
                            "fields": _list_fields(schema, _content(answer)),
                        }
                        for status, answer in operation["responses"].items()
                        if status.startswith("2")
                    ],
                    "errors": sorted(s for s in operation["responses"] if s.startswith("4")),
                    "security": [name for need in operation.get("security", []) for name in need],
                }
            )
    return found


def _content(part: dict[str, Any]) -> dict[str, Any]:
    contents: list[dict[str, Any]] = list(part.get("content", {}).values())
    return dict(contents[0].get("schema", {})) if contents else {}


def _list_fields(schema: dict[str, Any], shape: dict[str, Any]) -> list[dict[str, str]]:
    """The fields of an object, of the objects in a list, or of one of several objects."""
    shape = _resolve(schema, shape.get("items", shape))
    choices = [_resolve(schema, each) for each in shape.get("anyOf", [shape])]
    fields = {name: field for each in choices for name, field in each.get("properties", {}).items()}
    return [
        _name_field(schema, name, field, all(name in each.get("required", []) for each in choices))
        for name, field in fields.items()
    ]


def _name_field(
    schema: dict[str, Any], name: str, shape: dict[str, Any], needed: bool
) -> dict[str, str]:
    kinds = [shape.get("in", ""), _name_type(schema, shape), "needed" if needed else ""]
    return {
        "name": name,
        "type": ", ".join(filter(None, kinds)),
        "about": shape.get("description", ""),
    }


def _resolve(schema: dict[str, Any], shape: dict[str, Any]) -> dict[str, Any]:
    name = shape.get("$ref", "").rpartition("/")[2]
    found: dict[str, Any] = schema["components"]["schemas"][name] if name else shape
    return found


def _name_type(schema: dict[str, Any], shape: dict[str, Any]) -> str:
    """A type in a few words."""
    if "$ref" in shape:
        fields = _resolve(schema, shape).get("properties", {})
        return f"{{{', '.join(fields)}}}"
    if "anyOf" in shape:
        return " or ".join(_name_type(schema, part) for part in shape["anyOf"])
    if "enum" in shape:
        return " or ".join(map(str, shape["enum"]))
    if shape.get("type") == "array":
        return f"list of {_name_type(schema, shape.get('items', {}))}"
    return str(shape.get("type", "anything"))
