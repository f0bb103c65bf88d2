"""What a notebook imports: `from grader.notebook import check`."""

from grader.integrations.notebook import check

__all__ = ["check"]
