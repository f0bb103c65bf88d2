"""A student's source: what is read from it before any of it runs, how it runs, what its exceptions say."""

from __future__ import annotations

import sys

import pytest

from grader.sandbox.processes import Inspect, Inspected
from grader.sandbox.worker.inspection import inspect
from grader.sandbox.worker.source import LINE_CAP, MESSAGE_CAP, describe, is_unwritten, load, run_program

FORBID = ("torch.softmax", "torch.nn.functional.softmax")


def inspected(source: str, graded: tuple[str, ...] = ("f",)) -> Inspected:
    return inspect(Inspect(source, "work", FORBID, graded))[0]


WAYS = {
    "by its full name": "import torch\ndef f(x): return torch.softmax(x, 0)\n",
    "through another name of the module": "import torch as t\ndef f(x): return t.softmax(x, 0)\n",
    "through a submodule": "import torch.nn.functional as F\ndef f(x): return F.softmax(x, 0)\n",
    "taken out of it": "from torch import softmax\ndef f(x): return softmax(x, 0)\n",
    "taken out under another name": "from torch import softmax as s\ndef f(x): return s(x, 0)\n",
    "handed on": "import torch\nf = torch.softmax\n",
    "inside a function that f calls": "import torch\ndef f(x): return g(x)\ndef g(x): return torch.softmax(x, 0)\n",
}


@pytest.mark.parametrize("way", WAYS)
def test_a_forbidden_name_is_found(way):
    name, line, _ = inspected(WAYS[way]).borrowed
    assert name in FORBID
    assert "softmax" in WAYS[way].splitlines()[line - 1] or "s(x" in WAYS[way].splitlines()[line - 1]


@pytest.mark.parametrize(
    "source",
    [
        "# torch.softmax\n",
        "x = 'torch.softmax'\n",
        "softmax = 3\n",
        "class T: softmax = 1\nT.softmax\n",
        "x.softmax(0)\n",
    ],
)
def test_a_mention_that_is_no_use(source):
    assert inspected(source).borrowed is None


def test_a_comparison_beside_the_work_is_left_out_of_what_runs():
    source = (
        "import torch\ndef f(x): return x\n"
        "def expected(x): return torch.softmax(x, 0)\nright = expected(torch.ones(2))\nprint(right)\n"
        "if __name__ == '__main__':\n    print(torch.softmax(torch.ones(2), 0))\n"
    )
    found, program = inspect(Inspect(source, "work", FORBID, ("f",)))
    assert program.main.text == source
    assert found.borrowed is None
    assert found.defines == ["f", "expected"]
    assert set(run_program(program, "work", [])) >= {"torch", "f"}
    assert "right" not in run_program(program, "work", [])


HELPED = "import torch\ndef g(x): return x\ndef f(x): return g(x)\n"
BESIDE = {  # what a file has beside `f`, which calls `g`; the names that are left when it runs
    "a value": ("y = torch.softmax(torch.ones(2), 0)\nz = 1\n", {"z"}),
    "what is made of it": ("y = torch.softmax(torch.ones(2), 0)\ntotal = y.sum()\nz = 1\n", {"z"}),
    "a function and its uses": ("def h(x): return torch.softmax(x, 0)\ny = h(torch.ones(2))\nz = 1\n", {"z"}),
    "a class": ("class H:\n    def __call__(self, x): return torch.softmax(x, 0)\ny = H()(torch.ones(2))\n", set()),
    "an assertion": ("assert torch.equal(f(torch.ones(2)), torch.softmax(torch.ones(2), 0)), 'differs'\n", set()),
    "a loop": ("for i in range(3):\n    y = torch.softmax(torch.ones(i), 0)\n", set()),
    "a test": ("def test_f():\n    assert f(torch.ones(2)) == torch.softmax(torch.ones(2), 0)\n", set()),
    "a comparison under try": ("try:\n    torch.softmax(1, 0)\nexcept TypeError:\n    pass\n", set()),
    "a name that something else gives too": ("y = torch.softmax(torch.ones(2), 0)\ny = 3\nz = y\n", {"y", "z"}),
}
NEEDED = {  # what the work needs of that which mentions the name
    "a helper": "def g(x): return torch.softmax(x, 0)\n",
    "a helper's default": "def g(x, how=torch.softmax): return how(x, 0)\n",
    "a table of functions": "ways = [torch.softmax]\ndef g(x): return ways[0](x, 0)\n",
    "a helper that is put in its place": "def h(x): return torch.softmax(x, 0)\ng = h\n",
    "an attribute that is set later": "class K: pass\nK.way = torch.softmax\ndef g(x): return K.way(x, 0)\n",
    "an entry that is set later": "ways = {}\nways[0] = torch.softmax\ndef g(x): return ways[0](x, 0)\n",
    "a decorator": "def d(h): return lambda x: torch.softmax(x, 0)\n@d\ndef g(x): return x\n",
    "a base class": (
        "class B:\n    def way(self, x): return torch.softmax(x, 0)\nclass C(B): pass\ndef g(x): return C().way(x)\n"
    ),
    "a name bound in a loop": "for way in [torch.softmax]: pass\ndef g(x): return way(x, 0)\n",
    "a global that a function binds": (
        "def set_up():\n    global way\n    way = torch.softmax\nset_up()\ndef g(x): return way(x, 0)\n"
    ),
}


@pytest.mark.parametrize("case", BESIDE)
def test_what_the_work_does_not_need_is_no_mention_and_does_not_run(case):
    beside, names = BESIDE[case]
    found, program = inspect(Inspect(HELPED + beside, "work", FORBID, ("f",)))
    assert found.borrowed is None
    ran = run_program(program, "work", [])
    assert {n for n in ran if not n.startswith("__")} == {"torch", "f", "g", *names}
    assert ran["f"](7) == 7


@pytest.mark.parametrize("case", NEEDED)
def test_what_the_work_needs_is_a_mention(case):
    borrowed = inspected(HELPED + NEEDED[case]).borrowed
    assert borrowed is not None
    assert borrowed[0] == "torch.softmax"


def test_nothing_of_an_inspected_source_runs():
    assert inspected("raise SystemExit\nimport no_such_module\ndef f(x): pass\n").defines == ["f"]


def test_a_source_that_is_no_python():
    with pytest.raises(SyntaxError):
        inspected("def f(:\n")


F = "def f(x):\n    return k(x)\n\ndef k(x):\n    return x + 1\n"
MARIMO = "import marimo\n\napp = marimo.App()\n\nwith app.setup:\n    k = abs\n\n\n"
PASTED = {
    "nbconvert's script": "# In[1]:\n\n\nget_ipython().run_line_magic('pip', 'install x')\n1 / 0\n\n\n# In[ ]:\n\n\n"
    + F,
    "VS Code's script": "# %%\nfrom IPython import get_ipython\nget_ipython().system('ls')\n\n# %%\n" + F,
    "Databricks' source": "# Databricks notebook source\ndbutils.library.restartPython()\n\n# COMMAND ----------\n\n"
    + F,
    "help and other languages": "# %%\nabs?\n# %%\n%%bash\necho 'hi\nls | wc -l\n# %%\n" + F + "f?\n",
    "marimo's cells": MARIMO
    + "@app.cell(hide_code=True)\ndef _():\n    def f(x):\n        return k(x)\n    return (f,)\n",
    "marimo's functions": MARIMO + "@app.function\n" + F,
    "Colab's commented cell": "# Commented out IPython magic to ensure it.\n# %%time\n# "
    + F.strip().replace("\n", "\n# ")
    + "\n\n1 / 1\n",
    "a shell line that goes on": "!pip install \\\n  torch \\\n  numpy\n" + F,
    "a page with other blocks": "# Title\n\n```python\nabs?\n```\n\n```bash\nls -l\n```\n\n```python\n" + F + "```\n",
    "Colab's download": '"""hw.ipynb"""\n\n!pip install torch\nfrom google.colab import drive\ndrive.mount("/x")\n' + F,
    "percent cells": "# %%\n%matplotlib inline\nfiles = !ls\n\n# %%\n" + F + "\n# %%\nprint(f(undefined))\n",
    "a cell that writes a file": "%%writefile work.py\n" + F,
    "IPython's prompts": "In [3]: def f(x):\n   ...:     return k(x)\n   ...:\n\nIn [4]: k = abs\nOut[4]: 7\n",
    "Python's prompts": "\n>>> def f(x):\n...     return abs(x)\n...\n>>> f(-7)\n7\n",
    "a chat": "Here it is:\n\n```bash\npip install torch\n```\n```python\n" + F + "```\n\nIt's right, isn't it?\n",
    "fences of Windows": ("~~~ python\n" + F + "~~~\n").replace("\n", "\r\n"),
}


@pytest.mark.parametrize("case", PASTED)
def test_what_was_pasted_runs_without_what_came_along(case):
    _, program = inspect(Inspect(PASTED[case], "work", (), ("f",)))
    assert run_program(program, "work", [])["f"](7) in (7, 8)
    line = next(n for n, li in enumerate(PASTED[case].splitlines(), 1) if "def f(x)" in li)  # lines keep their numbers
    assert [node.lineno for node in program.main.body if getattr(node, "name", "") == "f"] == [line]


def test_nbconvert_writes_cells_with_a_magic_as_strings():
    source = "k = abs\n\n# In[2]:\nget_ipython().run_cell_magic('time', '', 'def f(x):\\n    return k(x)\\n')\n"
    _, program = inspect(Inspect(source, "work", (), ("f",)))
    assert run_program(program, "work", [])["f"](-7) == 7


def test_a_broken_function_is_not_passed_over_in_what_was_pasted():
    with pytest.raises(SyntaxError) as raised:
        inspect(Inspect("# In[1]:\nabs?\n\n" + F.replace("return", "retur "), "work", (), ("f",)))
    assert raised.value.lineno == next(
        n for n, li in enumerate(("# In[1]:\nabs?\n\n" + F).splitlines(), 1) if "return" in li
    )


def test_a_broken_helper_in_what_was_pasted_is_named_where_it_is_needed():
    helper, alone = "# %%\ndef k(x)\n    return x\n\n", "# %%\ndef f(x):\n    return 7\n"
    assert inspected(helper + alone).defines == ["f"]
    with pytest.raises(SyntaxError) as raised:
        inspect(Inspect(helper + "# %%\ndef f(x):\n    return k(x)\n", "work", (), ("f",)))
    assert raised.value.lineno == 2


def test_what_was_pasted_under_another_name_is_told():
    assert inspected("!ls\nimport no_such_module\ndef my_f(x): return x\n").defines == ["my_f"]


def test_a_long_file_of_nothing_is_read_at_once():
    with pytest.raises(SyntaxError):
        inspected("\n" * (1 << 18) + "x y")


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("%pwd\ndef f(x):\n    return x +\n", 3),  # not that of the magic, which does no harm
        ("intro\n```python\ndef f(x):\n    return x +\n```\n", 4),
        ('def f(x):\n    """Is it so?\n\n    >>> f(1)\n    ```\n    %pwd\n    """\n    return x +\n', 8),
    ],
)
def test_the_line_of_an_error_is_that_of_the_file(source, line):
    with pytest.raises(SyntaxError) as raised:
        inspect(Inspect(source, "work", (), ("f",)))
    assert raised.value.lineno == line


def test_a_loaded_source_is_a_module_of_its_name():
    names = load("import sys\nhere = __name__, sys.modules[__name__].__file__\nasync_ = 1\n", "work")
    assert names["here"] == ("work", "work.py")
    assert sys.modules.pop("work").__dict__ is names


def raised(source: str, name: str = "work") -> BaseException:
    with pytest.raises(BaseException) as caught:  # noqa: PT011 -- whatever a student raises
        load(source, name)
    return caught.value


def test_an_exception_is_told_from_where_it_was_raised_up():
    source = "def inner(x):\n    return 1 / x\ndef outer(x):\n    return inner(x)\nouter(0)\n"
    told = describe(raised(source), "work")
    assert told.types == ["ZeroDivisionError", "ArithmeticError", "Exception", "BaseException"]
    assert (told.message, told.lines, told.code) == ("division by zero", (2, 4, 5), "return 1 / x")


def test_a_recursion_names_each_line_once():
    source = "def even(n):\n    return odd(n + 1)\ndef odd(n):\n    return even(n + 1)\neven(0)\n"
    told = describe(raised(source), "work")
    assert told.types[0] == "RecursionError"
    assert sorted(told.lines) == [2, 4, 5]


def test_tensors_of_the_line_are_told_with_their_shapes():
    source = "import torch\na, b, n = torch.ones(2, 3), torch.ones(7, 7), 3\na @ b * n\n"
    assert describe(raised(source), "work").shapes == (("a", "[2, 3]"), ("b", "[7, 7]"))


def test_a_syntax_error_has_line_and_column():
    told = describe(raised("x = 1\ny = (\n"), "work")
    assert (told.types[0], told.lines, told.column, told.code) == ("SyntaxError", (2,), 5, "y = (")


HOSTILE = {
    "its text raises": "class E(Exception):\n    def __str__(self): raise SystemExit\nraise E",
    "its text is no text": "class E(Exception):\n    def __str__(self): return 5\nraise E",
    "its text is a text that lies": (
        "class S(str):\n    def __getitem__(self, at): return self\n    def __len__(self): return 1\n"
        "class E(Exception):\n    def __str__(self): return S('x' * 10**6)\nraise E"
    ),
    "its text is long": "raise ValueError('x' * 10**6)",
    "its line is long": "raise ValueError('" + "x" * 10**4 + "')",
    "its text is half a character": "raise ValueError('\\ud800' * 10)",
    "its line number is none": "e = SyntaxError('x')\ne.lineno, e.offset = -5, 'here'\nraise e",
    "its line number is a class": "e = SyntaxError('x')\ne.lineno = type('N', (int,), {})(3)\nraise e",
    "its name is long": "raise type('E' * 10**6, (Exception,), {})",
    "it has a hundred classes": "c = Exception\nfor i in range(100): c = type(f'C{i}', (c,), {})\nraise c('x')",
}


@pytest.mark.parametrize("case", HOSTILE)
def test_whatever_is_raised_is_told_within_bounds(case):
    told = describe(raised(HOSTILE[case]), "work")
    assert len(told.message) <= MESSAGE_CAP
    assert len(told.code) <= LINE_CAP
    assert 1 <= len(told.types) <= 8
    assert all(type(text) is str and len(text) <= 100 for text in told.types)
    assert all(type(n) is int and n >= 0 for n in told.lines)
    (told.message + told.code + "".join(told.types)).encode()


def test_a_long_line_is_quoted_as_cut():
    told = describe(raised("x = 1 / 0  # " + "exactly " * 20), "work")
    assert told.code.startswith("x = 1 / 0  # exactly")
    assert told.code.endswith(" ...")
    assert len(told.code) == LINE_CAP


@pytest.mark.parametrize(
    ("source", "unwritten"),
    [
        ("def f(x, dim=-1):\n    raise NotImplementedError\n", True),
        ('def f(x):\n    """What is due."""\n    raise NotImplementedError\n', True),
        ("def f(x):\n    if x is None:\n        raise NotImplementedError\n    return x\n", False),
        ("def f(x):\n    print(x)\n    raise NotImplementedError\n", False),
        ("def f(x):\n    raise ValueError\n", False),
        ("class f:\n    raise_ = NotImplementedError\n", False),
        ("f = NotImplementedError\n", False),
        ("NotImplementedError = ValueError\ndef f(x):\n    raise NotImplementedError\n", False),
        ("def f(x):\n    raise NotImplementedError\nf = lambda x: x\n", False),
    ],
)
def test_a_function_that_nobody_wrote(source, unwritten):
    assert is_unwritten(load(source, "work")["f"]) is unwritten
