"""The functions for notebooks: `from grader.notebook import check`."""

from grader.integrations.notebook import check, show

__all__ = ["check", "show"]
