"""Connects other people's systems: nbgrader, notebooks, learning platforms, Gradescope, GitHub.

In: their files and our reports. Out: files in their formats.
"""

from grader.integrations import exports
