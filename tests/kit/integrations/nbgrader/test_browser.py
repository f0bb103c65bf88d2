"""The formgrader in a real browser: its Autograde button, the scores and comments, a grade that a person gives."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import urllib.request

import classroom
import pytest
from classroom import UNIT, WRONG, content, filled, hand_in, right, sqlite
from support import alive, descendants, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")]
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Four submissions, one of them no notebook, one hostile; nothing is graded."""
    course = tmp_path_factory.mktemp("formgrader") / "course"
    (course.parent / "kit").symlink_to(classroom.course(tmp_path_factory, course))
    for student, notebook in (
        ("ann", filled(course, **right())),
        ("bob", filled(course, **{**right(), "scale": WRONG})),
    ):
        hand_in(course, student, notebook)
    hand_in(course, "cyd", "no notebook")
    hand_in(course, "dan", filled(course, essay="<img src=x onerror=alert(1)><script>alert(2)</script>Mine."))
    return course


@pytest.fixture(scope="module")
def server(course):
    """The address of a Jupyter server with the formgrader, started in the course folder as an instructor does."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    options = [f"--ServerApp.{name}=" for name in ("token", "password")]
    command = [sys.executable, "-m", "jupyter", "server", "--no-browser", "--allow-root", f"--port={port}", *options]
    with open(course.parent / "log", "w") as log:
        running = subprocess.Popen(
            command, cwd=course, env=classroom.environment(course.parent / "home"), stdout=log, stderr=log
        )  # fmt: skip
    address = f"http://127.0.0.1:{port}"

    def answers() -> bool:
        try:
            return "version" in json.load(urllib.request.urlopen(f"{address}/api", timeout=5))
        except OSError:
            return False

    try:
        assert wait_until(answers, 60), (course.parent / "log").read_text()
        yield address
    finally:
        started = descendants(running.pid)
        running.terminate()
        running.wait(30)
    assert wait_until(lambda: not any(map(alive, started))), "the processes that graded must end with the server"


@pytest.fixture(scope="module")
def page(server):
    """A browser's page that reaches nothing but the server and files of ours."""
    sync = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if not CHROMIUM:
        pytest.skip("no Chromium here: install one, or name it in CHROMIUM")
    with sync.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page()
        page.route(
            "**", lambda route: route.continue_() if route.request.url.startswith((server, "file:")) else route.abort()
        )
        page.on("dialog", lambda dialog: pytest.fail(f"a dialog opened: {dialog.message}"))
        yield page
        browser.close()


@pytest.fixture(scope="module")
def graded(page, server, course):
    """Graded with the formgrader's own button, one student after the other."""
    page.goto(f"{server}/formgrader/manage_submissions/{UNIT}")
    for student in ("ann", "bob", "cyd", "dan"):
        page.locator("tr", has_text=student).locator("td.autograde a").click()
        page.get_by_text(f"Successfully autograded '{UNIT}' for student '{student}'.").wait_for(timeout=60_000)
        page.locator("#success-modal button.close, #success-modal button:has-text('OK')").first.click()
        page.locator("#success-modal").wait_for(state="detached")
    return course


def test_the_autograde_button_grades_behind_the_wall(page, graded):
    rows = {row.split("\t")[1]: row for row in page.locator("table").inner_text().splitlines() if "/ 10" in row}
    assert "needs manual grading" in rows["ann"]
    assert "7 / 10" in rows["ann"]
    assert "4.9 / 10" in rows["bob"]
    assert "0 / 10" in rows["cyd"]
    assert content(sqlite(graded))["bob", "scale"][0] == 1.9


def opened(page, server, course, student):
    """A student's notebook in the formgrader."""
    with classroom.gradebook(sqlite(course)) as book:
        id = book.find_submission_notebook(UNIT, UNIT, student).id
    page.goto(f"{server}/formgrader/submissions/{id}/")
    for loaded in ("input.score[placeholder]", "textarea.comment[placeholder]"):  # each asks the server for itself
        page.wait_for_function(f"document.querySelector({loaded!r}) !== null")


def test_scores_and_comments_are_shown(page, server, graded):
    opened(page, server, graded, "bob")
    scores = {id: page.locator(f"input[id='{id}']").get_attribute("placeholder") for id in ("scale", "pair", "quiz")}
    assert scores == {"scale": "1.9", "pair": "2", "quiz": "1"}
    comment = page.locator("textarea[id='scale-solution-comment']").get_attribute("placeholder")
    assert comment.startswith("1.9 of 4 points. 3 of 6 checks failed.")
    assert "The factor is added instead of multiplied." in page.locator("div.output").first.inner_text()
    opened(page, server, graded, "cyd")
    assert "basics.ipynb is not a notebook: it is not JSON" in page.locator("body").inner_text()


def test_what_a_student_wrote_runs_nothing(page, server, graded):
    opened(page, server, graded, "dan")  # a dialog would end the test
    assert "< img src=x onerror=alert(1)>< script>alert(2)< /script>Mine." in page.locator("body").inner_text()


def test_a_person_grades_and_regrading_keeps_it(page, server, graded, grader):
    opened(page, server, graded, "bob")
    typed = {("quiz-essay",): "2.5", ("quiz-essay", "comment"): "Well said.", ("scale",): "3"}
    for cell, value in typed.items():
        field = page.locator(f"[id='{'-'.join(cell)}']")
        with page.expect_response(lambda reply: reply.request.method == "PUT", timeout=60_000) as saved:
            field.fill(value)
            field.press("Tab")
        assert saved.value.ok, (saved.value.text(), (graded.parent / "log").read_text())
    now = content(sqlite(graded))
    assert [now[("bob", *cell)][1] for cell in typed] == [2.5, "Well said.", 3.0]

    where = ("--nbgrader", graded, "--assignment", UNIT, "--out", graded.parent / "results")
    grader("grade", graded / "submitted", *where, "--course", graded.parent / "kit", cwd=graded, code=1)
    classroom.nbgrader("generate_feedback", UNIT, cwd=graded)
    classroom.nbgrader("export", "--to", graded / "grades.csv", cwd=graded)
    assert content(sqlite(graded))["bob", "total"][0] == 3 + 2 + 1 + 2.5
    assert "bob,,,,8.5," in (graded / "grades.csv").read_text()
    page.goto((graded / "feedback" / "bob" / UNIT / f"{UNIT}.html").as_uri())
    shown = page.locator("body").inner_text()
    assert "basics (Score: 8.5 / 10.0)" in shown
    assert "Well said." in shown
