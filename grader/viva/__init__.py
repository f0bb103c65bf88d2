"""An oral exam that writes itself: questions about a student's own code, whose answers are found by running it.

In: a submission and a seed. Out: a sheet of questions with options, the right ones, and the runs that prove them.
"""

ASK = "grader.viva.draw:sheet"  # the function that a grading process runs
