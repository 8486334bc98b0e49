"""A report as a page: its plots, boards and games to replay."""

from skerry.lab.report.page.html import write_page

__all__ = ["write_page"]
