"""The course, as files: `grader start` copies the folder `course` beside this file."""
