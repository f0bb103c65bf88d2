"""Classroom 50 runs this once a submission, with the student's checkout as working directory; it writes result.json.

Only the visible examples are checked: whoever may run the workflow can read this bundle. Points that count are graded
by the teacher, from clones: `grader grade CLONES --from github`.
"""

import datetime
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from markdown_report import table

KIT = Path(__file__).resolve().parent / "kit"
ARRAYS = "@arrays@"  # what pip installs before the kit


def main() -> int:
    """Return exit code 0 if the submission was checked, whatever the result; any other code is the machine's fault."""
    python = os.environ.get("GRADER_PYTHON") or installed()
    command = [python, "-m", "grader", "check", "--course", str(KIT), "--dir", str(Path.cwd()), "--json"]
    done = subprocess.run(command, cwd=KIT, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    if done.returncode not in (0, 1):
        return done.returncode
    report = json.loads(done.stdout)
    Path("result.json").write_text(json.dumps(result(report), indent=1), encoding="utf-8")
    Path("release-body.md").write_text(table(report), encoding="utf-8")
    return 0


def installed() -> str:
    """Install the kit in a Python of its own; return its path."""
    folder = Path(tempfile.mkdtemp())
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = str(folder / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", *ARRAYS.split()], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", str(KIT)], check=True)
    return python


def result(report: dict[str, Any]) -> dict[str, Any]:
    """Return the report as Classroom 50 reads it, in whole points."""
    tests = [
        {
            "test-name": e["id"],
            "passed": e["status"] == "passed",
            "score": round(e["max_score"]) if e["status"] == "passed" else int(e["score"]),
            "max-score": round(e["max_score"]),
            "reason": e["reason"] or "",
        }
        for e in report["exercises"]
    ]
    names = {"classroom": "CLASSROOM", "assignment": "ASSIGNMENT", "submission": "SUBMISSION_TAG"}
    names |= {"commit": "COMMIT_URL", "release": "RELEASE_URL", "review": "REVIEW_URL"}
    now = datetime.datetime.now(datetime.timezone.utc)
    return {
        "schema": "classroom50/result/v1",
        **{name: os.environ.get(variable, "") for name, variable in names.items()},
        "datetime": now.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "score": sum(t["score"] for t in tests),
        "max-score": sum(t["max-score"] for t in tests),
        "tests": tests,
    }


if __name__ == "__main__":
    sys.exit(main())
