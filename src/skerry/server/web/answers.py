"""What the API answers, for its description. Each subject has its own; tests hold them to it."""

from pydantic import BaseModel, ConfigDict


class Answer(BaseModel):
    """JSON that the API answers with; it has these fields and no others."""

    model_config = ConfigDict(extra="forbid")
