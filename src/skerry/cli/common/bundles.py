"""Options that belong together: users give them one by one, and a command takes them as one."""

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Any, get_type_hints


def unfold(command: Callable[..., None]) -> Callable[..., None]:
    """A command as typer takes it: a parameter that is a named tuple becomes its fields."""
    parameters: list[Parameter] = []
    bundles: dict[str, Any] = {}
    for name, parameter in signature(command).parameters.items():
        kind = parameter.annotation
        if not hasattr(kind, "_fields"):
            parameters.append(parameter.replace(kind=Parameter.KEYWORD_ONLY))
            continue
        bundles[name] = kind
        for field, hint in get_type_hints(kind, include_extras=True).items():
            default = kind._field_defaults.get(field, Parameter.empty)
            parameters.append(
                Parameter(field, Parameter.KEYWORD_ONLY, default=default, annotation=hint)
            )
    if not bundles:
        return command

    @wraps(command)
    def run(**given: Any) -> None:
        for name, kind in bundles.items():
            given[name] = kind(**{field: given.pop(field) for field in kind._fields})
        command(**given)

    run.__signature__ = signature(command).replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run
