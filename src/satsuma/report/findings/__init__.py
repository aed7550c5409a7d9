"""Findings: data quality checks of a table, before anything is learned from it."""

from satsuma.report.findings.finding import Finding
from satsuma.report.findings.inspection import inspect_table

__all__ = ["Finding", "inspect_table"]
