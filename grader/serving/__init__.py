"""Pages that are served on one's own machine: where they are, who may ask for them, until when.

In: an application and a port. Out: its answers, to one user's browser only.
"""

from grader.serving.running import Place, application, place, serve
