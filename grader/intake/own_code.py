"""Finds a student's other files that the work imports, by the names after `import`; nothing in them is run."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence

from grader.intake.archives import Troubles
from grader.intake.choosing import module_name
from grader.intake.decoding import decode
from grader.intake.tree import File, Refused
from grader.texts import translated

MOST_FILES = 8  # of code, together, as large as one may be: the files here, and the cells of one notebook
PACKAGE = "__init__"
TAKEN = {*sys.stdlib_module_names, "numpy", "torch"}  # what these names stand for, whatever lies beside the work

NO_ROOM = translated("{name} cannot be imported: the files that the work imports hold more than {limit} KB together")

_IMPORTED = re.compile(
    r"^[ \t]*(?:>>> |\.\.\. )?(?:.*;[ \t]*)?(?:from[ \t]+([\w.]+)[ \t]+import[ \t]*(\([^)]*\)|(?:\\\n|[^\n#])*)"
    r"|import[ \t]+((?:\\\n|[^\n#])*))",
    re.MULTILINE,
)


def imported(
    texts: Iterable[str],
    files: Sequence[File],
    under: Mapping[tuple[str, ...], str],
    source_kb: int,
    troubles: Troubles,
) -> tuple[dict[str, str], set[tuple[str, ...]]]:
    """Return the files that these texts import, directly or not, by the paths in the imports; and the files read.

    Args:
        under: the course's name for a file by its place, if it differs.
        troubles: collects the reasons why files cannot be imported.
    """
    there: dict[tuple[str, ...], tuple[str, File]] = {}
    packages = {file.parts[:-1] for file in files if file.name == f"{PACKAGE}.py"}
    for file in sorted(files, key=lambda f: module_name(f.name) != f.name.removesuffix(".py")):  # its own name first
        for stem in filter(None, (module_name(file.name), under.get(file.parts))):
            if stem in TAKEN and file.parts[:-1] not in packages:
                continue
            there.setdefault((*file.parts[:-1], f"{stem}.py"), (stem, file))
    names, found, read, left = _names(texts), dict[str, str](), set[tuple[str, ...]](), MOST_FILES * source_kb << 10
    folders = {path: path[-2] for path in there if path[-1] == f"{PACKAGE}.py" and len(path) > 1}
    while wanted := [p for p, (stem, _) in there.items() if stem in names or folders.get(p) in names]:
        for path in wanted:
            _, file = there.pop(path)
            try:
                text = decode(file.name, file.read(source_kb))
            except Refused as error:
                troubles[file.parts] = error.reason
                continue
            left -= len(text.encode())
            if left < 0:
                troubles[file.parts] = NO_ROOM.format(name=file.path, limit=MOST_FILES * source_kb)
                continue
            found["/".join(path)] = text
            read.add(file.parts)
            names |= _names([text])
    return found, read


def _names(texts: Iterable[str]) -> set[str]:
    """Return the words in imports."""
    return {
        w for text in texts for groups in _IMPORTED.findall(text) for part in groups for w in re.findall(r"\w+", part)
    }
