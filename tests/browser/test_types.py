"""The types of the pages' JavaScript are those of the API: held to the server's own description."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from server.serving import Server
from skerry.server.web.templates import HERE

Json = dict[str, Any]

DECLARATIONS = (HERE / "static" / "lib" / "types.d.ts").read_text(encoding="utf-8")
INTERFACE = re.compile(r"^export interface (\w+)(?: extends (\w+))? \{\n(.*?)^\}", re.M | re.S)
ALIAS = re.compile(r"^export type (\w+) = ([^;|]+);", re.M)
FIELD = re.compile(r"^  (\w+)(\??): (.+);$", re.M)
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}

# What is answered, by its type: method, path and status.
ANSWERS = {
    "PositionDocument": ("post", "/api/positions", "200"),
    "PreviewDocument": ("post", "/api/positions/preview", "200"),
    "ReasonDocument": ("post", "/api/positions/reason", "200"),
    "SetupDocument": ("post", "/api/positions/setup", "200"),
    "OpeningsDocument": ("get", "/api/openings/{game}", "200"),
    "GameDocument": ("get", "/api/games/{id}", "200"),
    "GameClaimed": ("post", "/api/games/{id}/claim", "200"),
    "GameListed": ("get", "/api/games", "200"),
    "GameHeld": ("post", "/api/games/mine", "200"),
    "GameMade": ("post", "/api/games", "201"),
    "GameConflict": ("post", "/api/games/{id}/moves", "409"),
    "LobbyDocument": ("get", "/api/lobby", "200"),
    "SeekersDocument": ("get", "/api/lobby/count", "200"),
    "ChallengeDocument": ("get", "/api/lobby/{id}", "200"),
    "ChallengeMade": ("post", "/api/lobby", "201"),
    "SignerDocument": ("get", "/api/push", "200"),
    "SecretDocument": ("post", "/api/games/{id}/revoke", "200"),
    "ConditionsDocument": ("get", "/api/games/{id}/conditions", "200"),
    "LessonDocument": ("post", "/api/lessons/{game}/{step}", "200"),
    "PuzzleDocument": ("get", "/api/puzzles/{name}/{number}", "200"),
    "PuzzleVerdict": ("post", "/api/puzzles/{name}/{number}/answer", "200"),
    "StudyDocument": ("get", "/api/studies/{id}", "200"),
    "StudyMade": ("post", "/api/studies", "201"),
    "FilmProgress": ("post", "/api/studies/{id}/film.{ending}", "200"),
    "StudyConflict": ("put", "/api/studies/{id}", "409"),
    "EventListed": ("get", "/api/tournaments", "200"),
    "EventShown": ("get", "/api/tournaments/{id}", "200"),
    "AccountDocument": ("post", "/api/accounts", "201"),
    "WhoDocument": ("get", "/api/me", "200"),
    "CodesDocument": ("post", "/api/account/codes", "200"),
    "GamesMoved": ("post", "/api/account/games", "200"),
    "PasskeyOptions": ("post", "/api/sessions/passkey/options", "200"),
    "TieDocument": ("put", "/api/people/{name}/{kind}", "200"),
}
REQUESTS = {
    "Trial": ("post", "/api/positions"),
    "Setup": ("post", "/api/positions/setup"),
    "NewGame": ("post", "/api/games"),
    "NewSeek": ("post", "/api/lobby/quick"),
    "NewChallenge": ("post", "/api/lobby"),
    "NewConditions": ("put", "/api/games/{id}/conditions"),
    "StudyEdit": ("put", "/api/studies/{id}"),
    "NewEvent": ("post", "/api/tournaments"),
}
# What the page carries differs: a puzzle comes without its solution, a draft has no id yet.
UNSENT = {"PuzzleDocument.solution", "PuzzleDocument.board"}
ALSO_NULL = {"StudyDocument.id"}


@dataclass(frozen=True)
class Field:
    type: str
    optional: bool


def read_declarations() -> dict[str, dict[str, Field]]:
    found: dict[str, dict[str, Field]] = {}
    for name, parent, body in INTERFACE.findall(DECLARATIONS):
        own = {field: Field(type, bool(mark)) for field, mark, type in FIELD.findall(body)}
        found[name] = found.get(parent, {}) | own
    return found


INTERFACES, ALIASES = read_declarations(), dict(ALIAS.findall(DECLARATIONS))


@pytest.fixture(scope="module")
def description(server: Server) -> Json:
    return dict(server.client.get("/api/openapi.json").json())


def schema_of(content: Json) -> Json:
    (described,) = content["content"].values()
    return dict(described["schema"])


@dataclass(frozen=True)
class Comparison:
    """Declared types beside the schemas that they describe."""

    schemas: Json

    def resolve(self, schema: Json) -> Json:
        while "$ref" in schema:
            schema = self.schemas[schema["$ref"].rpartition("/")[2]]
        return schema

    def compare_fields(self, name: str, schema: Json) -> Iterator[str]:
        """Everything in which an interface and an object that is answered differ."""
        declared, described = INTERFACES[name], self.resolve(schema)["properties"]
        for missing in described.keys() - declared.keys():
            if f"{name}.{missing}" not in UNSENT:
                yield f"{name} lacks {missing}"
        for extra in declared.keys() - described.keys():
            yield f"{name}.{extra} is never sent"
        for field in declared.keys() & described.keys():
            yield from self.compare(declared[field].type, described[field], f"{name}.{field}")

    def compare(self, type: str, schema: Json, where: str) -> Iterator[str]:
        type, schema = ALIASES.get(type, type), self.resolve(schema)
        choices = schema.get("anyOf", [schema])
        parts = [part for part in choices if part.get("type") != "null"]
        may_be_null = len(parts) < len(choices) or where in ALSO_NULL
        if type.endswith(" | null") != may_be_null:
            yield f"{where} is {type}: may it be null?"
        elif len(parts) == 1:
            yield from self.compare_one(type.removesuffix(" | null"), parts[0], where)

    def compare_one(self, type: str, schema: Json, where: str) -> Iterator[str]:
        """The same of what is neither null nor one of several."""
        schema = self.resolve(schema)
        wanted = name_plain(schema)
        if wanted is not None and type != wanted:
            yield f"{where} is {type}, not {wanted}"
        elif schema.get("type") == "array":
            item = type.removesuffix("[]").removeprefix("(").removesuffix(")")
            if item == type:
                yield f"{where} is {type}, not a list"
            yield from self.compare(item, schema.get("items", {}), where)
        elif "properties" in schema:
            if type in INTERFACES:
                yield from self.compare_fields(type, schema)
            else:
                yield f"{where} is {type}, not an object"
        elif isinstance(schema.get("additionalProperties"), dict):
            value = type.removeprefix("Record<string, ").removesuffix(">")
            if value == type:
                yield f"{where} is {type}, not a record"
            yield from self.compare(value, schema["additionalProperties"], where)


def name_plain(schema: Json) -> str | None:
    """What a type without parts is called; None for any other."""
    if "enum" in schema:
        return " | ".join(f'"{value}"' for value in schema["enum"])
    return PLAIN.get(schema.get("type", ""))


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_are_declared_as_they_are(description: Json, name: str) -> None:
    method, path, status = ANSWERS[name]
    schema = schema_of(description["paths"][path][method]["responses"][status])
    comparison = Comparison(description["components"]["schemas"])
    assert list(comparison.compare_fields(name, schema.get("items", schema))) == []


@pytest.mark.parametrize("name", REQUESTS)
def test_requests_have_what_is_needed_and_nothing_else(description: Json, name: str) -> None:
    method, path = REQUESTS[name]
    comparison = Comparison(description["components"]["schemas"])
    body = comparison.resolve(schema_of(description["paths"][path][method]["requestBody"]))
    declared = INTERFACES[name]
    assert declared.keys() <= body["properties"].keys()
    needed = {field for field in declared if not declared[field].optional}
    assert set(body.get("required", [])) <= needed


def test_a_difference_is_found() -> None:
    schema = {"properties": {"id": {"type": "string"}, "url": {"type": "integer"}}}
    assert sorted(Comparison({}).compare_fields("GameMade", schema)) == [
        "GameMade.seat is never sent",
        "GameMade.secrets is never sent",
        "GameMade.url is string, not number",
    ]
