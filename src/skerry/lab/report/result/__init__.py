"""What a report knows, and what it says in plain words."""

from skerry.lab.report.result.compare import compare
from skerry.lab.report.result.findings import Report, read_report

__all__ = ["Report", "compare", "read_report"]
