"""The API for people who write programs, as a page."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from skerry.server.web.access import TheHost, Visitor
from skerry.server.web.openapi import ABOUT, list_operations
from skerry.server.web.pages import show_page

router = APIRouter(include_in_schema=False)


@router.get("/api")
async def show_manual(host: TheHost, visitor: Visitor, request: Request) -> HTMLResponse:
    """Everything that can be asked for, from the description that programs get."""
    host.limits.reads.spend(visitor)
    return show_page(
        "api.html",
        {
            "about": ABOUT.strip().split("\n\n"),
            "operations": list_operations(request.app.openapi()),
        },
    )
