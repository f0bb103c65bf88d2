"""Writes a report of `grader check --json` as a Markdown table: `python markdown_report.py report.json`."""

import json
import sys
from pathlib import Path
from typing import Any

SIGNS = {"passed": "✔", "missing": "-"}


def table(report: dict[str, Any]) -> str:
    """Return the exercises with their points and reasons; nothing in a reason is read as markup."""
    rows = [
        f"| {SIGNS.get(e['status'], '✘')} {e['id']} | {e['score']:g} / {e['max_score']:g} | {plain(e['reason'])} |"
        for e in report["exercises"]
    ]
    total = f"**{report['score']:g} / {report['max_score']:g}** on the visible examples"
    return "\n".join([total, "", "| exercise | points | what stood out |", "|---|---|---|", *rows]) + "\n"


def plain(text: str | None) -> str:
    """Return one line without signs that have a meaning in Markdown, HTML or GitHub's runner."""
    line = " ".join((text or "").split())
    return "".join(f"&#{ord(c)};" if c in "\\`*_{}[]()<>#+!|&@:~$" else c for c in line)


if __name__ == "__main__":
    sys.stdout.write(table(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))))
