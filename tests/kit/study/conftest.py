"""A real `grader study` of the toy course, asked as a browser would ask it."""

from __future__ import annotations

import http.client
import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from browser import CHROMIUM, FLAGS
from quiz import HALF, PAPER
from support import TOY, wait_until

pytest.importorskip("nicegui", reason="nicegui is not installed")
LESSONS = {
    "basics.en.md": "## Scaling\n\nMultiply by $x_i$.\n",
    "basics.zh.md": "## 缩放\n\n乘以 $x_i$。\n",
}
ENTRY = "      - {id: quiz, title: Questions, points: 12, kind: questions}\n"
SHEET = "# mine\nquiz:\n  one:   # the second\n  a_third:\n"
HINTS = 'msgid "Look at the signature."\nmsgstr "看看签名。"\n\nmsgid "Multiply."\nmsgstr "用乘法。"\n'


class Study:
    """A running `grader study`, and a browser's way to ask it."""

    def __init__(self, course: Path, *options: str) -> None:
        self.course = course
        command = [sys.executable, "-m", "grader", "study", "--no-browser", "--seed", "1"]
        command += ["--course", str(course), *options]
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
        sent = {"Cookie": f"grader-study-{self.port}={self.token}"}
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

        assert wait_until(there, 60), found
        return SimpleNamespace(**found)

    def end(self):
        """End it as Ctrl-C does; its exit code."""
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=60)
        return self.process.returncode


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


@pytest.fixture
def start(tmp_path):
    """`start(course, *options)` starts one more; all are ended with the test."""
    started = []

    def run(course=None, *options):
        started.append(Study(course or course_copy(tmp_path), *(options or ("--port", "0"))))
        return started[-1]

    yield run
    for one in started:
        one.process.kill()
        one.process.communicate()


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """One for all tests of a module; each leaves the files as it likes."""
    running = Study(course_copy(tmp_path_factory.mktemp("study")), "--port", "0")
    yield running
    running.end()


@pytest.fixture(scope="module")
def chromium():
    sync = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if not CHROMIUM:
        pytest.skip("no Chromium here: install one, or name it in CHROMIUM")
    with sync.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium):
    """`visit(study, path)` opens a page of it; at the end nothing may have been complained about."""
    opened, complaints = [], []

    def go(study, path="/", dark=False, width=1280):
        context = chromium.new_context(
            color_scheme="dark" if dark else "light", viewport={"width": width, "height": 900}
        )
        opened.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: request.url.startswith(study.origin) or complaints.append(request.url))
        page.goto(study.address)
        page.goto(study.origin + path)
        page.complaints = complaints
        return page

    yield go
    for context in opened:
        context.close()
    assert [said for said in complaints if "ERR_CONNECTION_REFUSED" not in said] == []
