"""Writes the call that failed last, for `grader debug`, as a script of plain Python that any debugger can run."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import grader
from grader.course import Course, Exercise, Settings
from grader.errors import MachineError
from grader.learner.progress import FOLDER, keep
from grader.packages import VARIABLE
from grader.sandbox.processes import SavedCall

SEEDS = "seeds.json"
SCRIPT = '''"""A call of {id}.py as the grader made it; its inputs lie beside this file.

`grader debug {id}` writes and runs this file; your editor's debugger can run it too.
"""

import sys

import {arrays}

sys.path.insert(0, {folder!r})
{body}'''
IMPORT = "import {id}  # the file could not be imported, so this is all there is to run\n"
PACKAGES = """import os

import numpy

os.environ[{variable!r}] = {packages!r}
sys.path.insert(1, {kit!r})
from grader.parts import together

numpy.together = together  # tables are written as what they consist of
"""
LOAD = """from {id} import {function}

{read}
"""
READ = {
    "torch": "saved = torch.load({inputs!r})",
    "numpy": """with open({inputs!r}, encoding="utf-8") as file:
    saved = eval(file.read(), vars(numpy))""",
}
MAKE = """made = saved["made"]
{function} = {function}(*made["args"], **made["kwargs"])
if made["state"]:
    {function}.load_state_dict(made["state"], strict=False)
"""
FOLLOW = """for tensor in saved["args"]:
    if hasattr(tensor, "requires_grad_") and tensor.is_floating_point():
        tensor.requires_grad_()
"""
CALL = """result = {function}(*saved["args"], **saved["kwargs"])
print(result)
"""
TURNS = """for turn in saved["args"]:
    print({function}(*turn))
"""
BACKWARD = """results = result if isinstance(result, tuple) else (result,)
sum(r.sum() for r in results if getattr(r, "requires_grad", False)).backward()
"""


def remember(course: Course, seed: int, ids: list[str]) -> None:
    """Record that these exercises failed with inputs of this seed."""
    known = _seeds(course)
    if any(known.get(i) != seed for i in ids):
        with contextlib.suppress(OSError):  # a folder that cannot be written: another seed will do
            keep(course, SEEDS, json.dumps({**known, **dict.fromkeys(ids, seed)}, indent=1) + "\n")


def seed_of(course: Course, id: str) -> int:
    """Return the seed with which this exercise failed last, 0 if none is known."""
    return _seeds(course).get(id, 0)


def _seeds(course: Course) -> dict[str, int]:
    try:
        found = json.loads((course.root / FOLDER / SEEDS).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return {k: v for k, v in found.items() if type(v) is int} if isinstance(found, dict) else {}


def place(course: Course, id: str) -> tuple[Path, Path]:
    """Return the paths of the script and its inputs.

    Raises:
        MachineError: nothing can be written there.
    """
    try:
        return keep(course, f"debug/debug_{id}.py", ""), keep(course, f"debug/{id}.inputs", "")
    except OSError as error:
        raise MachineError(f"{course.root / FOLDER / 'debug'}: cannot be written: {error.strerror}") from error


def script(exercise: Exercise, folder: Path, inputs: Path, saved: SavedCall, settings: Settings) -> str:
    """Return the source of the script."""
    parts = [IMPORT]
    if saved.function:
        follow = saved.gradients and not saved.turns
        parts = [LOAD, *[MAKE] * saved.made, *[FOLLOW] * follow, TURNS if saved.turns else CALL, *[BACKWARD] * follow]
    kit, packages = str(Path(grader.__path__[0]).parent), " ".join(settings.packages)
    read = (PACKAGES if packages else "") + READ[settings.arrays]
    read = read.format(inputs=str(inputs), variable=VARIABLE, packages=packages, kit=kit)
    facts = {
        "arrays": settings.arrays,
        "read": read,
        "id": exercise.id,
        "function": saved.function,
        "inputs": str(inputs),
        "folder": str(folder.resolve()),
    }
    return SCRIPT.format(body="".join(parts).format(**facts), **facts)
