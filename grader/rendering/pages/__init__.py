"""Reports as pages: a student, a class.

In: reports. Out: HTML files that need no network, nothing of a stranger taken for markup.
"""

from grader.rendering.pages import class_page, pages
