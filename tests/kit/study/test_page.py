"""The learner's pages in Chromium: written, judged, changed by others, away and back, by keyboard and on a phone."""

from __future__ import annotations

import json

import pytest
from browser import faults_of
from support import TOY, solution, wait_until

pytestmark = pytest.mark.slow
STUB = (TOY / "exercises" / "scale.py").read_text("utf-8")
WRONG = "def scale(x, factor=2.0):\n    return x + factor\n"
EDITOR = "#scale .cm-content"


@pytest.fixture
def afresh(study):
    """The running pages, with the untouched file."""
    study.file("scale.py").write_text(STUB, encoding="utf-8")
    study.verdict("scale", lambda v: v["state"] == "unstarted")
    return study


def write(page, text):
    page.locator(EDITOR).click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def shown(page):
    """The text of the editor, its widgets left out."""
    return page.evaluate(
        "[...document.querySelectorAll('#scale .cm-line')].map((line) => line.textContent).join('\\n')"
    )


def verdict_says(page, *words):
    for word in words:
        page.locator("#scale .found:not(.old)", has_text=word).wait_for()


def test_from_the_path_to_a_pass_without_a_terminal(afresh, visit):
    page = visit(afresh)
    page.get_by_role("link", name="Begin here").click()
    page.locator("#lesson-basics article.en math").wait_for()
    assert page.locator("#lesson-basics h2").first.inner_text() == "Scaling"
    verdict_says(page, "Write the function in the editor.")
    write(page, WRONG)
    verdict_says(page, "What the checks saw")
    assert page.locator("#scale [data-pill]").inner_text() == "not right yet"
    assert afresh.file("scale.py").read_text("utf-8") == WRONG
    assert not page.get_by_role("button", name="Solution").is_visible()
    page.locator("#scale").get_by_role("button", name="Hint").click()
    page.locator("#scale .more", has_text="Look at the signature.").wait_for()
    page.locator("#scale").get_by_role("button", name="Debugger").click()
    assert page.locator("#scale .more [data-copy]").inner_text() == "Copy"
    write(page, solution("scale"))
    verdict_says(page, "Everything passes.")
    page.locator("#scale").get_by_role("button", name="Solution").click()
    page.locator("#scale .more .k", has_text="return").wait_for()
    page.goto(afresh.origin)
    assert page.locator(".path .name").first.inner_text().endswith("Basics")
    assert "1 of 2 done" in page.locator(".path li").first.inner_text()
    assert page.get_by_role("link", name="Go on here").get_attribute("href") == "/unit/1#pair"


def test_what_is_asked_stands_above_the_code(afresh, visit):
    said = '"""A title.\n\nAnd more.\n"""\n\n'
    afresh.file("scale.py").write_text(said + 'TEXT = """one\ntwo"""\n' + WRONG, encoding="utf-8")
    page = visit(afresh, "/unit/1")
    asked = page.locator("#scale .statement .text.en")
    assert "Every entry of x times factor; ValueError if factor is 0." in asked.inner_text()
    assert "-> torch.Tensor" in asked.locator("pre.code").inner_text()
    page.locator("#scale .cm-foldPlaceholder").wait_for()
    assert shown(page).split("\n")[:4] == ['"""A title.…', "", 'TEXT = """one', 'two"""']
    page.get_by_role("button", name="中文").click()
    assert page.locator("#scale .statement .text.zh").is_visible()
    assert not asked.is_visible()


def test_what_is_wrong_stands_below_its_line(afresh, visit):
    page = visit(afresh, "/unit/1")
    write(page, "def scale(x, factor=2.0):\n    y = x\n    return y.nothing\n")
    said = page.locator("#scale .said")
    said.wait_for()
    assert said.inner_text() == "AttributeError: 'Tensor' object has no attribute 'nothing'"
    assert page.locator("#scale .wrong-line").inner_text().strip() == "return y.nothing"
    write(page, "def scale(x, factor=2.0):\n    while True:\n        pass\n")
    verdict_says(page, "line 2")
    write(page, "def scale(x, factor=2.0:\n    return x\n")
    verdict_says(page, "SyntaxError")
    write(page, solution("scale"))
    verdict_says(page, "Everything passes.")
    assert said.count() == 0


def test_what_is_printed_is_text(afresh, visit):
    page = visit(afresh, "/unit/1")
    write(page, "def scale(x, factor=2.0):\n    print('<img src=x onerror=alert(1)>')\n    return x + factor\n")
    verdict_says(page, "<img src=x onerror=alert(1)>")
    assert page.locator("#scale .found img").count() == 0


def test_undo_survives_a_reload(afresh, visit):
    page = visit(afresh, "/unit/1")
    write(page, WRONG)
    page.locator("#scale [data-saved]", has_text="saved").wait_for()
    verdict_says(page, "What the checks saw")
    page.reload()
    page.locator(EDITOR).click()
    assert shown(page).strip() == WRONG.strip()
    page.keyboard.press("Control+z")
    assert wait_until(lambda: "NotImplementedError" in shown(page), 60)


def test_a_change_from_outside_is_shown(afresh, visit):
    page = visit(afresh, "/unit/1")
    page.locator(EDITOR).wait_for()
    afresh.file("scale.py").write_text(solution("scale"), encoding="utf-8")
    verdict_says(page, "Everything passes.")
    assert shown(page).strip() == solution("scale").strip()
    assert page.locator("#scale [data-saved]").inner_text() == "changed outside this page, and shown"


@pytest.mark.parametrize("mine", [True, False])
def test_two_versions_at_once(afresh, visit, mine):
    page = visit(afresh, "/unit/1")
    page.locator(EDITOR).wait_for()
    page.route("**/files/scale.py", lambda route: route.abort())  # so that the page hears of it too late
    write(page, "# mine\n")
    afresh.file("scale.py").write_text("# theirs\n", encoding="utf-8")
    page.wait_for_timeout(500)
    page.unroute("**/files/scale.py")
    banner = page.locator("#scale [data-conflict]")
    banner.wait_for()
    assert "-# mine" in banner.inner_text()
    assert "+# theirs" in banner.inner_text()
    page.get_by_role("button", name="Keep what is on this page" if mine else "Take the file").click()
    banner.wait_for(state="hidden")
    page.locator("#scale [data-saved]", has_text="saved").wait_for()
    text, other = ("# mine\n", "# theirs\n") if mine else ("# theirs\n", "# mine\n")
    assert wait_until(lambda: afresh.file("scale.py").read_text("utf-8") == shown(page) == text, 60)
    kept = max((afresh.course / ".grader" / "backups").glob("scale.*.py"), key=lambda path: path.stat().st_mtime)
    assert kept.read_text("utf-8") == other
    page.complaints[:] = [said for said in page.complaints if "409" not in said and "ERR_FAILED" not in said]


def test_two_windows_show_one_file(afresh, visit):
    one, other = visit(afresh, "/unit/1"), visit(afresh, "/unit/1")
    other.locator(EDITOR).wait_for()
    write(one, solution("scale"))
    verdict_says(other, "Everything passes.")
    assert wait_until(lambda: shown(other).strip() == solution("scale").strip(), 60)


def test_the_server_is_killed_and_comes_back(start, visit):
    first = start()
    page = visit(first, "/unit/1")
    page.locator(EDITOR).wait_for()
    first.kill()
    page.locator("#away").wait_for()
    write(page, solution("scale"))
    page.locator("#scale [data-saved]", has_text="not saved; it is tried again").wait_for()
    assert "NotImplementedError" in first.file("scale.py").read_text("utf-8")
    start(first.course, "--port", first.port)
    verdict_says(page, "Everything passes.")
    assert first.file("scale.py").read_text("utf-8") == solution("scale")
    page.locator("#away").wait_for(state="hidden")
    page.complaints.clear()


def test_what_was_typed_while_the_server_was_away_survives_a_closed_page(start, visit):
    first = start()
    page = visit(first, "/unit/1")
    page.locator(EDITOR).wait_for()
    first.kill()
    write(page, WRONG)
    page.locator("#scale [data-saved]", has_text="not saved").wait_for()
    again = start(first.course, "--port", first.port)
    page.goto(again.origin + "/unit/1")
    verdict_says(page, "What the checks saw")
    assert again.file("scale.py").read_text("utf-8") == WRONG
    page.complaints.clear()


def test_a_deleted_file_keeps_its_text_here(afresh, visit):
    page = visit(afresh, "/unit/1")
    write(page, WRONG)
    verdict_says(page, "What the checks saw")
    afresh.file("scale.py").unlink()
    page.locator("#scale [data-saved]", has_text="deleted outside this page").wait_for()
    assert shown(page).strip() == WRONG.strip()
    page.locator(EDITOR).click()
    page.keyboard.press("Control+End")
    page.keyboard.type("# again\n")
    page.locator("#scale [data-saved]", has_text="saved").wait_for()
    assert wait_until(lambda: afresh.file("scale.py").exists(), 60)
    assert afresh.file("scale.py").read_text("utf-8") == WRONG + "# again\n"


def test_a_deleted_file_is_made_again_by_reset(afresh, visit):
    page = visit(afresh, "/unit/1")
    page.locator(EDITOR).wait_for()
    afresh.file("scale.py").unlink()
    page.locator("#scale [data-saved]", has_text="deleted outside this page").wait_for()
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("#scale").get_by_role("button", name="Reset").click()
    assert wait_until(lambda: afresh.file("scale.py").exists(), 60)
    assert afresh.file("scale.py").read_text("utf-8") == STUB
    assert wait_until(lambda: "NotImplementedError" in shown(page), 60)


def test_a_file_that_can_be_read_again_is_not_called_unreadable(afresh, visit):
    page = visit(afresh, "/unit/1")
    page.locator(EDITOR).wait_for()
    before = afresh.file("scale.py").read_bytes()
    afresh.file("scale.py").write_bytes(b"x = '\xff'\n")
    page.locator("#scale [data-saved]", has_text="not UTF-8").wait_for()
    afresh.file("scale.py").write_bytes(before)
    page.locator("#scale [data-saved]", has_text="changed outside this page").wait_for()
    page.complaints[:] = [said for said in page.complaints if "422" not in said]


def test_by_keyboard_alone(afresh, visit):
    page = visit(afresh, "/unit/1")
    page.locator(EDITOR).wait_for()
    for _ in range(2):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.className") == "skip":
            break
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#main"
    page.locator(EDITOR).focus()
    page.keyboard.press("Control+End")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.classList.contains('cm-content')")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert not page.evaluate("document.activeElement.classList.contains('cm-content')")


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_in_the_way_of_anybody(afresh, visit, dark, width):
    for path in ("/", "/unit/1"):
        page = visit(afresh, path, dark=dark, width=width)
        if path != "/":
            write(page, "def scale(x, factor=2.0):\n    return x.nothing\n")
            page.locator("#scale .said").wait_for()
            page.locator("#scale .found:not(.old) details summary").first.click()
        assert faults_of(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_in_chinese(afresh, visit):
    page = visit(afresh, "/unit/1")
    page.locator("#lesson-basics article").first.wait_for()
    page.get_by_role("button", name="中文").click()
    assert page.locator("#lesson-basics article.zh").is_visible()
    assert not page.locator("#lesson-basics article.en").is_visible()
    write(page, "def scale(x, factor=2.0):\n    return x.nothing\n")
    page.locator("#scale .said", has_text="AttributeError：").wait_for()
    verdict_says(page, "检查发现的问题")
    assert faults_of(page) == []


def test_questions_are_forms_over_the_sheet(afresh, visit):
    page = visit(afresh, "/unit/2")
    third = page.locator("#quiz-a_third")
    third.locator("input").fill("0.5")
    third.get_by_role("button", name="Check this answer").click()
    third.locator(".verdict.wrong", has_text="that is a half").wait_for()
    assert afresh.file("answers.yaml").read_text("utf-8") == "# mine\nquiz:\n  one:   # the second\n  a_third: 0.5\n"
    third.locator("input").fill("1/3")
    assert third.locator(".verdict").count() == 0
    third.locator("input").press("Enter")
    third.locator(".verdict.right").wait_for()
    assert page.locator("#quiz [data-score]").inner_text().startswith("2 / ")
    one = page.locator("#quiz-one")
    one.get_by_label("perhaps").check()
    assert wait_until(lambda: "one: c" in afresh.file("answers.yaml").read_text("utf-8"), 60)
    assert one.locator(".verdict").count() == 0
    page.reload()
    assert page.locator("#quiz-one").get_by_label("perhaps").is_checked()
    page.locator("#quiz-a_third .verdict.right").wait_for()
    assert faults_of(page) == []


def test_an_answer_that_was_given_while_the_server_was_away(start, visit):
    first = start()
    page = visit(first, "/unit/2")
    third = page.locator("#quiz-a_third")
    third.wait_for()
    first.kill()
    third.locator("input").fill("1/3")
    third.locator("input").press("Enter")
    third.locator(".result", has_text="not saved; it is tried again").wait_for()
    again = start(first.course, "--port", first.port)
    third.locator(".verdict.right").wait_for()
    assert "a_third: 1/3" in again.file("answers.yaml").read_text("utf-8")
    page.complaints.clear()


def test_a_sheet_that_is_edited_by_hand_shows(afresh, visit):
    page = visit(afresh, "/unit/2")
    page.locator("#quiz-one").wait_for()
    afresh.file("answers.yaml").write_text("quiz:\n  one: b\n", encoding="utf-8")
    page.locator("#quiz-one .verdict.right").wait_for()
    assert page.locator("#quiz-one input[value=b]").is_checked()


def test_a_question_comes_again_on_another_day(start, visit):
    study = start()
    page = visit(study, "/unit/2")
    third = page.locator("#quiz-a_third")
    third.locator("input").fill("0.5")
    third.locator("input").press("Enter")
    third.locator(".verdict.wrong").wait_for()
    path = study.course / ".grader" / "review.json"
    assert wait_until(path.exists, 60)
    kept = json.loads(path.read_text("utf-8"))
    card = kept["folders"]["exercises"]["quiz"]["a_third"]
    card.update(due="2026-01-02T00:00:00Z", last_review="2026-01-01T00:00:00Z")
    path.write_text(json.dumps(kept), encoding="utf-8")
    page.goto(study.origin)
    again = page.locator("#again-quiz-a_third")
    again.wait_for()
    assert again.locator("input").input_value() == ""
    again.locator("input").fill("1/3")
    again.locator("input").press("Enter")
    again.locator(".verdict.right").wait_for()
    assert "a_third: 0.5" in study.file("answers.yaml").read_text("utf-8")
    assert json.loads(path.read_text("utf-8"))["folders"]["exercises"]["quiz"]["a_third"]["share"] == 1
    page.reload()
    page.wait_for_load_state("networkidle")
    assert page.locator("#again-quiz-a_third").count() == 0


def test_ones_own_matrices(afresh, visit):
    page = visit(afresh, "/unit/1")
    write(page, "def scale(x, factor=2.0):\n    y = x + factor\n    return y\n")
    verdict_says(page, "What the checks saw")
    page.locator("#scale").get_by_role("button", name="My matrices").click()
    more = page.locator("#scale .more")
    more.get_by_text("y = x + factor").wait_for()
    assert "the first difference" in more.inner_text()
    assert faults_of(page) == []
