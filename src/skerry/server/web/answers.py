"""What the API answers, for its description. Each subject has its own; tests hold them to it."""

from typing import Any

from pydantic import BaseModel, ConfigDict


class Answer(BaseModel):
    """JSON that the API answers with; it has these fields and no others."""

    model_config = ConfigDict(extra="forbid")


def answered(
    model: type[BaseModel], conflict: type[BaseModel] | None = None
) -> dict[int | str, dict[str, Any]]:
    """How a route is described that writes its answer itself, and may say that it came too late."""
    shown: dict[int | str, dict[str, Any]] = {200: {"model": model}}
    return shown if conflict is None else {**shown, 409: {"model": conflict}}
