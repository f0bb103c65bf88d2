"""A real `grader study` of the toy course, or `grader desk`, and a browser's way to ask it."""

from __future__ import annotations

import http.client
import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

from quiz import HALF, PAPER
from support import TOY, wait_until

LESSONS = {
    "basics.en.md": "## Scaling\n\nMultiply by $x_i$.\n",
    "basics.zh.md": "## 缩放\n\n乘以 $x_i$。\n",
}
ENTRY = "      - {id: quiz, title: Questions, points: 12, kind: questions}\n"
SHEET = "# mine\nquiz:\n  one:   # the second\n  a_third:\n"
HINTS = 'msgid "Look at the signature."\nmsgstr "看看签名。"\n\nmsgid "Multiply."\nmsgstr "用乘法。"\n'


class Served:
    """A running `grader study` or `grader desk`, and a browser's way to ask it."""

    def __init__(self, name: str, course: Path, *options: str, python: Path | str = sys.executable) -> None:
        self.course, self.name = course, name
        command = [str(python), "-m", "grader", name, "--no-browser", "--course", str(course), *options]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=course, encoding="utf-8"
        )
        self.said = self.process.stdout.readline()
        self.address = self.said.split()[-1]
        self.port, _, self.token = self.address.removeprefix("http://127.0.0.1:").partition("/?token=")
        self.origin = f"http://127.0.0.1:{self.port}"

    def ask(self, path, method="GET", body=None, **headers):
        """(status, headers, text) of an answer, with the cookie and the origin of a page of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", int(self.port), timeout=60)
        sent = {"Cookie": f"grader-{self.name}-{self.port}={self.token}"}
        if method != "GET":
            sent["Origin"] = self.origin
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        try:
            connection.request(method, path, data, {name: value for name, value in sent.items() if value is not None})
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read().decode()
        finally:
            connection.close()

    def kill(self):
        """End it as a machine that fails does."""
        with self.process:
            self.process.kill()

    def end(self):
        """End it as Ctrl-C does; its exit code."""
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=120)
        return self.process.returncode


class Study(Served):
    """A running `grader study`."""

    def __init__(self, course: Path, *options: str, python: Path | str = sys.executable) -> None:
        super().__init__("study", course, "--seed", "1", *options, python=python)

    def data(self, path, method="GET", body=None):
        """The JSON of an answer that is expected to be well."""
        status, _, text = self.ask(path, method, body)
        assert status == 200, (path, status, text)
        return json.loads(text)

    def file(self, name):
        return self.course / "exercises" / name

    def verdict(self, id, holds):
        """The verdict on this exercise, once `holds` of it."""
        found = {}

        def there():
            found.update(self.data(f"/verdict/{id}"))
            return found and holds(found)

        assert wait_until(there, 120), found
        return SimpleNamespace(**found)


def course_copy(folder: Path) -> Path:
    """The toy course with hints and a lesson."""
    course = Path(shutil.copytree(TOY, folder / "toy", ignore=shutil.ignore_patterns("__pycache__")))
    (course / "lessons").mkdir()
    for name, text in LESSONS.items():
        (course / "lessons" / name).write_text(text, encoding="utf-8")
    settings = course / "course.yaml"
    hints = "functions: [scale]\n        hints: [Look at the signature., Multiply.]"
    settings.write_text(settings.read_text(encoding="utf-8").replace("functions: [scale]", hints), encoding="utf-8")
    with open(settings, "a", encoding="utf-8") as file:
        file.write("  - id: asked\n    title: Asked\n    exercises:\n" + ENTRY)
    for name, text in {
        "solutions/half.py": HALF, "tests/hidden/quiz.py": PAPER, "solutions/answers.yaml": "",
        "exercises/answers.yaml": SHEET,
    }.items():  # fmt: skip
        (course / name).write_text(text, encoding="utf-8")
    with open(course / "languages" / "zh.po", "a", encoding="utf-8") as file:
        file.write(HINTS)
    return course
