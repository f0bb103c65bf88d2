"""A file of visible examples answers as the solution does, however its functions take their arguments."""

from __future__ import annotations

import numpy as np
from support import TOY

from grader.authoring import visible_examples
from grader.course import course as courses
from grader.sandbox.processes import ExampleCall
from grader.suites import load_solution

STUB = '''def scale(x, /, factor=2.0, *, shift=0.0):
    """Return x * factor + shift."""
    raise NotImplementedError
'''
EXAMPLES = [
    ExampleCall("scale(array([1.0, 2.0]))", "array([2.0, 4.0])"),
    ExampleCall("scale(array([1.0, 2.0]), shift=1.0)", "array([3.0, 5.0])"),
    ExampleCall("scale(array([1.0, 2.0]), 3.0)", "array([3.0, 6.0])"),
]


def test_arguments_by_place_and_by_name_alone(tmp_path):
    path = tmp_path / "visible_scale.py"
    source = visible_examples.suite_source(courses.load(TOY).exercise("scale"), STUB, EXAMPLES, "numpy")
    path.write_text(source, encoding="utf-8")
    names = {**load_solution(path), "array": np.array}
    for example in EXAMPLES:
        call, result = (eval(text, dict(names)) for text in (example.call, example.result))
        assert call.tolist() == result.tolist()
