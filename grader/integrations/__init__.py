"""Other people's systems: nbgrader, notebooks, learning platforms, Gradescope, GitHub.

In: their files and reports of ours. Out: files in the form that they take.
"""

from grader.integrations import exports
