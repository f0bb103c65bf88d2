"""Three parties can be at fault: the student, the course author, the grader or its machine."""


class GraderError(Exception):
    """A failure with a sentence for the user: what happened, where, what to do."""

    def _render_traceback_(self) -> list[str]:
        """Return the lines that IPython prints in place of a traceback, since the sentence says everything."""
        return [f"{type(self).__name__}: {self}"]


class SubmissionError(GraderError):
    """The student's submission broke a rule; it costs points."""


class CourseError(GraderError):
    """The course or the command is wrong; its author or user fixes it."""


class MachineError(GraderError):
    """The grader or its machine failed; never a zero for the student."""


class BadValue(Exception):
    """A value that cannot or may not cross between processes; the message says why."""
