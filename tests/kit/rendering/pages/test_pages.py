"""The pages, as people open them: what they say, that they work, and that nothing of a stranger's becomes markup."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from support import TOY

from grader.cli import main
from grader.course import suite_texts
from grader.errors import MachineError
from grader.intake import similarity
from grader.intake.submission import Source, Submission
from grader.rendering.pages import class_page as page_class
from grader.rendering.pages import pages as html
from grader.rendering.pages import student_view as page_student
from grader.rendering.pages import svg
from grader.report import class_tally
from grader.report import results as aftermath
from grader.report.report import Check, Diagnosis, Environment, ExerciseReport, Picture, Report, total
from grader.report.summary import Fault, Row

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>&lt;b&gt;\u2028{{7*7}}\"'><!--"
ENVIRONMENT = Environment("kit", "3.11", "2.13", {"cpu": "ran", "cuda": "no CUDA device"}, ("landlock",))
ADDS = "The factor is added instead of multiplied."  # the toy course's own words for scale/adds_instead
TITLE = "Every entry is multiplied by the factor."
PICTURE = Picture("the result", [2, 3], [[0.1, 0.2, 0.7], [1.0, 0.0, -2.5]], [[0.1, 0.5, 0.7], ["nan", 0.0, "inf"]])


def check(id: str, verdict: str = "passed", reason: str = "", **more) -> Check:
    points = 1.0 if verdict == "passed" else 0.0
    return Check(**{"id": id, "title": TITLE, "verdict": verdict, "points": points, "max_points": 1.0, "reason": reason,
                    "seconds": 0.01, **more})  # fmt: skip


def right(id: str) -> ExerciseReport:
    return ExerciseReport(id, "passed", None, 2.0, 2.0, (check("test_values[cpu-float32]"), check("test_zero[cpu]")))


def wrong(id: str, reason: str = "scale(x [3] float32): the result is off by up to 2", **more) -> ExerciseReport:
    checks = (check("test_values[cpu-float32]", "failed", reason, **more), check("test_zero[cpu]"))
    found = (Diagnosis("scale/adds_instead", ADDS, ("test_values[cpu-float32]",)),)
    return ExerciseReport(id, "failed", reason, 1.0, 2.0, checks, found, "printed")


def missing(id: str) -> ExerciseReport:
    return ExerciseReport(id, "missing", f"{id}.py is missing", 0.0, 2.0)


def report(student: str, *exercises: ExerciseReport, **more) -> Report:
    score, most = (total(getattr(e, name) for e in exercises) for name in ("score", "max_score"))
    values = {"student": student, "status": "graded", "reason": None, "score": score, "max_score": most}
    values |= {"fingerprint": "source=1 suites=2", "environment": ENVIRONMENT, "exercises": exercises}
    return Report(**values | more)


@pytest.fixture
def results(tmp_path):
    """`results(report, ...)` is a RESULTS folder that holds them."""

    def make(*reports: Report):
        (tmp_path / "reports").mkdir(exist_ok=True)
        for number, one in enumerate(reports):
            (tmp_path / "reports" / f"r{number:04}.json").write_text(one.to_json(), encoding="utf-8")
        return tmp_path

    return make


@pytest.fixture
def class_page(toy):
    """`class_page(folder)` writes the page of the class and returns its path."""
    return lambda folder, **more: page_class.write(folder, toy, suite_texts.read(toy), "en", **more)


SMALL = (
    report("ann", right("scale"), right("pair")),
    report("bob", wrong("scale", picture=PICTURE), right("pair")),
    report("cem", wrong("scale"), missing("pair")),
    report("dee", status="rejected", reason="dee.zip is no readable zip file"),
)


def text_of(page: str) -> str:
    """What a page says, without tags, styles and scripts."""
    return " ".join(re.sub(r"<[^>]+>", " ", re.sub(r"(?s)<(style|script).*?</\1>", " ", page)).split())


# one student ---------------------------------------------------------------------------------------------------------


def test_a_report_says_what_to_look_at_first(toy):
    said = text_of(html.student_page(SMALL[1], toy, "en", suite_texts.read(toy)))
    assert "bob" in said
    assert "3 of / 4 points" in said  # both languages are in the page; one shows
    assert "Look at this first: 先看这里： Multiply by a factor" in said
    assert ADDS in said
    assert "the result is off by up to 2" in said


def test_titles_and_explanations_come_in_both_languages_where_the_suite_still_says_the_same(toy):
    texts = suite_texts.read(toy)
    page = html.student_page(SMALL[1], toy, "zh", texts)
    assert 'data-lang="zh"' in page
    assert texts.title("scale", "test_values[cpu-float32]", TITLE).zh in page
    assert texts.explanation("scale/adds_instead", ADDS).zh in page
    changed = texts.title("scale", "test_values[cpu-float32]", "an older title")
    assert changed == "an older title"


def test_without_suites_the_report_speaks_for_itself(toy):
    """A student's copy of the course has no hidden suites."""
    page = html.student_page(SMALL[1], toy, "en")
    assert TITLE in page
    assert "报告中的原因是英文" in page


def test_a_chinese_report_is_recognised():
    chinese = report("s", wrong("scale", "结果最多相差 2", title="每个元素都乘以因子。"))
    assert page_student.language(chinese) == "zh"
    assert page_student.language(SMALL[1]) == "en"


def test_everything_passed(toy):
    assert "Everything passes" in text_of(html.student_page(SMALL[0], toy, "en"))


def test_the_first_thing_to_do_is_what_was_begun():
    stub = dataclasses.replace(missing("scale"), status="failed", reason="still raises NotImplementedError",
                               checks=(check("t", "failed", "still raises NotImplementedError"),))  # fmt: skip
    blocks = page_student.blocks(report("s", stub, wrong("pair")), None, html.NO_TEXTS)
    assert [b.status for b in blocks] == ["unstarted", "failed"]
    assert page_student.first_to_mend(blocks).id == "pair"


def test_the_fragment_for_notebooks_has_one_language_and_no_script(toy):
    english, chinese = (html.fragment(SMALL[1], lang, toy) for lang in ("en", "zh"))
    assert english.startswith('<div class="ak" lang="en">')
    assert "<script" not in english + chinese
    assert "Look at this first" in english
    assert "先看这里" not in english
    assert "先看这里" in chinese


def test_a_picture_shows_expected_actual_and_difference(toy):
    page = html.student_page(SMALL[1], toy, "en")
    assert page.count("<svg") == 3
    assert page.count('class="framed"') == 3
    for words in ("expected", "your result", "difference", ">nan<", ">∞<", ">.50<", ">-2.50<"):
        assert words in page
    assert '<td class="wrong">nan' in page  # the numbers for who cannot see the drawing


def test_a_pattern_has_no_difference():
    masks = Picture("the result", [2, 2], [[1, 0], [1, 1]], [[1, 1], [1, 1]])
    assert [name for name, _ in svg.matrices(masks)] == ["expected", "actual"]
    assert str(dict(svg.matrices(masks))["expected"]).count('class="on"') == 3


def test_the_same_infinity_is_no_difference():
    picture = Picture("r", [1, 2], [["-inf", "nan"]], [["-inf", "nan"]])
    assert svg.differences(picture) == [[0.0, 0.0]]


def test_places_say_where_moved_entries_belong():
    moved = Picture("r", [2, 2], [[1.0, 2.0], [3.0, 4.0]], [[1.0, 3.0], [9.0, 4.0]])
    drawing = str(svg.places(moved))
    assert re.findall(r">([\d,·]+)<", drawing) == ["0,0", "1,0", "·", "1,1"]
    assert svg.places(Picture("r", [1, 2], [[1.0, 1.0]], [[1.0, 2.0]])) is None


def test_pairs_are_points_that_lie_in_their_rings_where_they_are_right():
    turned = Picture("r", [1, 4], [[1.0, 0.5, 0.0, 0.5]], [[1.0, 0.5, 0.0, -0.5]])
    drawing = str(svg.pairs(turned))
    assert drawing.count('class="due"') == 2
    assert drawing.count('<circle class="good"') == drawing.count('<circle class="bad"') == 1
    assert svg.pairs(Picture("r", [1, 3], [[1, 2, 3]], [[1, 2, 3]])) is None
    assert svg.pairs(Picture("r", [1, 2], [["nan", 1.0]], [[1.0, 1.0]])) is None


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (-0.0, "0"), (1.0, "1"), (-3.0, "-3"), (0.5, ".50"), (-0.25, "-.25"), (0.999, "1.00"),
     (12.345, "12.3"), (123.4, "123"),
     (1e9, "1e9"), (1e-5, "1e-5"), ("nan", "nan"), ("inf", "∞"), ("-inf", "-∞"), (True, "1")],
)  # fmt: skip
def test_numbers_are_short(value, text):
    assert svg.number(value) == text


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_hostile_texts_stay_texts_in_every_page(toy, lang):
    hostile = report(HOSTILE, wrong("scale", HOSTILE, title=HOSTILE), reason=HOSTILE)
    hostile = dataclasses.replace(hostile, environment=dataclasses.replace(ENVIRONMENT, kit=HOSTILE))
    for page in (html.student_page(hostile, toy, lang), html.fragment(hostile, lang)):
        assert "<script>alert" not in page
        assert "<img" not in page
        assert "49" not in text_of(page)


def test_data_inside_a_script_cannot_end_it():
    written = str(html.embedded({"a": [HOSTILE]}))
    assert not set("<>&\u2028\u2029") & set(written)
    assert json.loads(written) == {"a": [HOSTILE]}


def test_pages_load_nothing_and_run_only_their_own_script(toy, results, class_page):
    pages = [html.student_page(SMALL[1], toy, "en"), class_page(results(*SMALL)).read_text(encoding="utf-8")]
    for page in pages:
        assert "default-src 'none'; script-src 'sha256-" in page.replace("&#39;", "'")
        assert not re.search(r"""(?:src|href)=["'](?:https?:)?//|@import|url\(""", page)


def test_a_damaged_picture_is_an_error_that_says_so(toy):
    ragged = dataclasses.replace(PICTURE, actual=[[1.0]])
    with pytest.raises(ValueError, match="zip"):
        html.student_page(report("s", wrong("scale", picture=ragged)), toy, "en")


# a class -------------------------------------------------------------------------------------------------------------


def test_the_page_of_a_class_answers_the_first_questions_first(results, class_page):
    said = text_of(class_page(results(*SMALL)).read_text(encoding="utf-8"))
    order = [
        "3 graded", "1 rejected", "median", "Most often misunderstood:", ADDS, "dee.zip is no readable zip file",
        "What the class misunderstood", "For the next lecture", "Scores", "Everyone", "Checks that most fail",
        "Slowest checks",
    ]  # fmt: skip
    places = [said.find(words) for words in order]
    assert -1 not in places, order[places.index(-1)]
    assert places == sorted(places)


def test_the_lecture_gets_an_example_without_a_name(results, class_page):
    page = class_page(results(*SMALL)).read_text(encoding="utf-8")
    lecture = page[page.index("For the next lecture") : page.index('id="scores"')]
    assert "<svg" in lecture
    assert "the result is off by up to 2" in lecture
    assert "bob" not in lecture


def test_faults_damaged_reports_and_what_a_regrade_changed(results, class_page):
    folder = results(*SMALL)
    (folder / "reports" / "zed.json").write_text("{")
    old, new = (
        Row.of(r, "en") for r in (SMALL[2], dataclasses.replace(SMALL[2], score=0.5, fingerprint="source=1 suites=3"))
    )
    aftermath.keep(folder, [Fault("eve", "no memory left"), new], {"cem": old})
    said = text_of(class_page(folder).read_text(encoding="utf-8"))
    assert "1 not graded" in said
    assert "eve no memory left" in said
    assert "zed.json" in said
    assert "1 of / 1 scores changed" in said
    assert "1 / 4 0.5 / 4" in said
    assert "suites" in said


def test_a_regrade_lists_losses_first_and_where_points_moved():
    before = {s: Row(s, "graded", None, 2.0, 4.0, {"scale": 1.0, "pair": 1.0}, "", "suites=1") for s in "abcd"}
    after = [
        Row("a", "graded", None, 3.0, 4.0, {"scale": 2.0, "pair": 1.0}, "", "suites=2"),
        Row("b", "graded", None, 1.0, 4.0, {"scale": 1.0, "pair": 0.0}, "pair: late", "suites=2"),
        before["c"], Fault("d", "x"),
    ]  # fmt: skip
    found = aftermath.changes(before, after)
    assert found.compared == 3
    assert [(c.student, c.exercises, c.why) for c in found.changes] == [
        ("b", (("pair", 1.0, 0.0),), ("suites",)),
        ("a", (("scale", 1.0, 2.0),), ("suites",)),
    ]


def test_what_a_batch_left_is_read_again(tmp_path):
    assert aftermath.faults(tmp_path) == []
    assert aftermath.regrade(tmp_path) is None
    old, new = (Row("s", "graded", None, n, 4.0, {"scale": n}, "", f"suites={n}") for n in (1.0, 2.0))
    aftermath.keep(tmp_path, [new, Fault("t", "x")], {"s": old})
    assert aftermath.faults(tmp_path) == [Fault("t", "x")]
    kept = aftermath.regrade(tmp_path)
    assert (kept.compared, kept.changes) == (1, aftermath.changes({"s": old}, [new]).changes)
    aftermath.keep(tmp_path, [new], {})
    assert aftermath.faults(tmp_path) == []
    assert aftermath.regrade(tmp_path) == kept
    (tmp_path / "faults.json").write_text("[")
    with pytest.raises(MachineError, match=r"faults\.json: cannot be read: .*delete it, or grade again"):
        aftermath.faults(tmp_path)


def test_no_report_yet(results, class_page):
    assert "There is no report here yet." in text_of(class_page(results()).read_text(encoding="utf-8"))


def test_what_most_fail_and_what_is_slow():
    counted = class_tally.Tally()
    for number, one in enumerate((*SMALL, report("slow", right("scale")))):
        counted.add(one, f"r{number}")
    assert [(f.id, f.failures) for f in counted.hardest(9)] == [("test_values[cpu-float32]", 2)]
    slow = dataclasses.replace(right("scale"), checks=(check("test_values[cpu-float32]", seconds=3.0),))
    counted.add(report("eve", slow), "r9")
    assert [(f.longest, f.longest_by) for f in counted.slowest(1)] == [(3.0, "eve")]


def test_bins_and_quartiles():
    assert class_tally.bins([0.0, 0.05, 0.95, 1.0], 10) == [2, 0, 0, 0, 0, 0, 0, 0, 0, 2]
    assert class_tally.spread([]) == (0.0, 0.0, 0.0)
    assert class_tally.spread([3.0]) == (3.0, 3.0, 3.0)
    assert class_tally.spread([1.0, 2.0, 3.0, 4.0, 5.0]) == (2.0, 3.0, 4.0)


# submissions that are alike ---------------------------------------------------------------------------------------------

LONG = """def scale(x, factor=2.0):
    if factor == 0:
        raise ValueError("zero")
    rows = x.shape[0]
    wide = x.reshape(rows, -1)
    out = wide.clone()
    for row in range(rows):
        out[row] = wide[row] * factor
    return out.reshape(x.shape)
"""
STUB = "def scale(x, factor=2.0):\n    raise NotImplementedError\n"


def handed_in(**sources: str) -> list[Submission]:
    return [Submission(name, {"scale": Source(text)}) for name, text in sources.items()]


def test_comments_docstrings_and_spacing_do_not_hide_a_copy():
    copy = '"""Mine."""\n' + LONG.replace("\n    out", "\n\n    # the result\n    out").replace(" * ", "*").replace(
        "    ", "\t"
    )
    assert similarity.normal(copy).split() == similarity.normal(LONG).split()
    found = similarity.find(
        handed_in(ann=LONG, bob=LONG.replace("rows", "rows  ") + "# end\n", cem=STUB), {"scale": STUB}, {}
    )
    assert found.looked_at == 3
    assert found.groups == (similarity.Group("", ("ann", "bob")),)


def test_stubs_are_nobodys_work_and_the_reference_is_named():
    found = similarity.find(handed_in(ann=STUB, bob=STUB, cem=LONG, dee=LONG), {"scale": STUB}, {"scale": LONG})
    assert found.groups == (similarity.Group("", ("cem", "dee"), reference=True),)


def test_renamed_code_is_similar():
    pytest.importorskip("copydetect")
    renamed = LONG.replace("out", "result").replace("wide", "flat").replace("rows", "count")
    other = (
        "import torch\n\ndef scale(x, factor=2.0):\n    assert factor, [torch]\n    return torch.mul(x, other=factor)\n"
    )
    found = similarity.find(handed_in(ann=LONG, bob=renamed, cem=other), {"scale": STUB}, {})
    assert [(p.one, p.other) for p in found.pairs] == [("ann", "bob")]
    assert found.pairs[0].share > 0.9


def test_a_file_too_long_to_compare_is_named():
    found = similarity.find(handed_in(ann="x = 1\n" * 10_000, bob=LONG), {"scale": STUB}, {})
    assert found.skipped == ("ann: scale",)


def test_the_page_calls_it_a_hint(results, class_page):
    found = similarity.find(handed_in(ann=LONG, bob=LONG), {"scale": STUB}, {})
    said = text_of(class_page(results(*SMALL), findings=found).read_text(encoding="utf-8"))
    assert "A hint where to look, not a verdict" in said
    assert "the whole submission" in said
    nobody = text_of(class_page(results(*SMALL)).read_text(encoding="utf-8"))
    assert "grader report RESULTS --submissions DIR" in nobody


# the commands --------------------------------------------------------------------------------------------------------


def run(*arguments, capsys) -> tuple[int, str, str]:
    code = main.main([*map(str, arguments), "--course", str(TOY)])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def test_report_writes_a_class_and_its_students(results, capsys):
    folder = results(*SMALL)
    code, out, _ = run("report", folder, "--pages", capsys=capsys)
    assert code == 0
    assert out == f"wrote 4 pages in {folder / 'pages'}\nwrote {folder / 'index.html'}\n"
    assert "bob" in (folder / "pages" / "r0001.html").read_text(encoding="utf-8")


def test_report_of_one_student(results, tmp_path, capsys):
    folder = results(*SMALL)
    page = folder / "pages" / "r0001.html"
    assert run("report", folder, "--student", "bob", capsys=capsys)[:2] == (0, f"wrote {page}\n")
    page.unlink()
    assert run("report", folder / "reports" / "r0001.json", capsys=capsys)[:2] == (0, f"wrote {page}\n")
    out = tmp_path / "elsewhere" / "bob.html"
    assert run("report", folder, "--student", "bob", "--out", out, capsys=capsys)[1] == f"wrote {out}\n"
    assert out.read_text(encoding="utf-8") == page.read_text(encoding="utf-8")


WRONG = {
    "no results": (["report", "NOWHERE"], "no folder reports in it; name the --out folder of `grader grade`"),
    "nobody": (["report", "RESULTS", "--student", "zoe"], "no report of 'zoe'; --student names one who was graded"),
    "no report": (["report", "JUNK"], "junk.json: cannot be shown: "),
    "out for a class": (["report", "RESULTS", "--out", "x.html"], "--out names the page of one student"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_command_is_explained(results, tmp_path, capsys, case):
    (tmp_path / "junk.json").write_text('{"format": 1}')
    places = {"NOWHERE": tmp_path / "nowhere", "RESULTS": results(*SMALL), "JUNK": tmp_path / "junk.json"}
    arguments, message = WRONG[case]
    code, out, err = run(*(places.get(a, a) for a in arguments), capsys=capsys)
    assert (code, out) == (2, "")
    assert message in err


def test_report_compares_hand_ins(results, tmp_path, capsys):
    for name in ("ann", "bob"):
        (tmp_path / "class" / name).mkdir(parents=True)
        (tmp_path / "class" / name / "scale.py").write_text(LONG)
    folder = results(*SMALL)
    assert run("report", folder, "--submissions", tmp_path / "class", capsys=capsys)[0] == 0
    assert "the whole submission" in (folder / "index.html").read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")
def test_real_reports_become_pages(grade, toy, results, class_page):
    """What the grader writes, not what this file makes up."""
    bad = grade(scale="def scale(x, factor=2.0): return x + factor\n", pair="def pair(x): raise NotImplementedError\n")
    page = html.student_page(bad, toy, "zh", suite_texts.read(toy))
    assert suite_texts.read(toy).explanations["scale/adds_instead"].zh in page
    assert "尚未开始" in page
    assert "2 rarer" not in text_of(class_page(results(bad)).read_text(encoding="utf-8"))


@pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")
def test_check_writes_a_page(tmp_path):
    page = tmp_path / "mine.html"
    check = [sys.executable, "-m", "grader.cli", "check", "--course", str(TOY), "--lang", "en"]
    done = subprocess.run(
        [*check, "--dir", str(TOY / "solutions"), "--html", str(page)], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert f"page: {page}" in done.stdout
    assert "Everything passes" in page.read_text(encoding="utf-8")
    swallowed = subprocess.run([*check, "--html", "scale"], capture_output=True, text=True)
    assert swallowed.returncode == 2
    assert "--html scale: a page's name ends in .html; exercises go before --html" in swallowed.stderr


# in a browser --------------------------------------------------------------------------------------------------------


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
    """`visit(path)` opens a page; at the end nothing may have been complained about, loaded or popped up."""
    opened, complaints = [], []

    def go(path, dark=False, width=1280, fragment=""):
        scheme = "dark" if dark else "light"
        context = chromium.new_context(color_scheme=scheme, viewport={"width": width, "height": 900}, bypass_csp=True)
        opened.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.on("request", lambda request: request.url.startswith("file:") or complaints.append(request.url))
        page.goto(path.as_uri() + fragment)
        return page

    yield go
    for context in opened:
        context.close()
    assert complaints == []


@pytest.fixture
def student_page(tmp_path, toy):
    def write(one: Report):
        path = tmp_path / "student.html"
        path.write_text(html.student_page(one, toy, "en", suite_texts.read(toy)), encoding="utf-8")
        return path

    return write


def faults_of(page) -> list[str]:
    """What axe-core finds that is serious or worse."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    found = axe.Axe().run(page).response["violations"]
    return [
        f"{v['id']}: {n['html'][:200]}" for v in found if v["impact"] in ("serious", "critical") for n in v["nodes"]
    ]


def rows(page) -> list[str]:
    return page.locator("#matrix tbody th").all_inner_texts()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_a_student_page_is_accessible(visit, student_page, dark, width):
    page = visit(student_page(SMALL[1]), dark, width)
    for summary in page.locator("summary").all():
        summary.click()
    assert faults_of(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_a_class_page_is_accessible(visit, results, class_page, dark, width):
    folder = results(*SMALL)
    aftermath.keep(folder, [Fault("eve", "no memory left")], {"x": Row.of(SMALL[0], "en")})
    found = similarity.find(handed_in(ann=LONG, bob=LONG), {"scale": STUB}, {})
    page = visit(class_page(folder, findings=found), dark, width)
    for summary in page.locator("summary").all():
        summary.click()
    assert faults_of(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.click("#matrix tbody tr:nth-child(2) a")
    assert page.locator("dialog[open]").count() == 1
    assert faults_of(page) == []


def test_the_language_switch(visit, student_page):
    page = visit(student_page(SMALL[1]))
    assert page.locator("h2").first.inner_text() == "Exercises"
    page.click('[data-set="lang"][value="zh"]')
    assert page.locator("h2").first.inner_text() == "练习"
    assert page.locator("html").get_attribute("lang") == "zh"
    assert page.locator(".callout p").inner_text() != ADDS
    page.reload()
    assert page.locator("h2").first.inner_text() == "练习"


def test_the_colour_switch(visit, student_page):
    page = visit(student_page(SMALL[1]))
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(colour)
    page.click('[data-set="theme"][value="dark"]')
    assert page.evaluate(colour) != light
    page.click('[data-set="theme"][value="light"]')
    assert page.evaluate(colour) == light


def test_sort_filter_search(visit, results, class_page):
    page = visit(class_page(results(*SMALL)))
    assert rows(page) == ["ann", "bob", "cem", "dee"]
    page.click("#matrix thead th:first-child button")
    assert rows(page) == ["dee", "cem", "bob", "ann"]
    assert page.locator("#matrix thead th:first-child").get_attribute("aria-sort") == "descending"
    page.get_by_role("button", name="Total").press("Enter")
    assert rows(page)[0] == "ann"
    page.get_by_role("button", name="Total").press("Enter")
    assert rows(page)[-1] == "ann"
    page.select_option("#filter-state", label="missing")
    assert rows(page) == ["cem"]
    page.select_option("#filter-exercise", label="Multiply by a factor")
    assert rows(page) == []
    assert page.inner_text("#shown") == "No student fits."
    page.click("#filter-clear")
    page.fill("#filter-text", "E")
    assert set(rows(page)) == {"cem", "dee"}
    assert page.inner_text("#shown") == "2 of 4 students"
    page.click("#filter-clear")
    page.click("[data-mistake='0']")
    assert set(rows(page)) == {"bob", "cem"}
    page.click("[data-from='70']")
    assert rows(page) == ["bob"]
    page.click("[data-from='70']")
    assert len(rows(page)) == 4


def test_bars_are_as_high_as_their_counts(visit, results, class_page):
    page = visit(class_page(results(*SMALL, report("eve", right("scale")), report("fay", right("scale")))))
    heights = page.locator(".histogram i").evaluate_all("bars => bars.map((bar) => bar.getBoundingClientRect().height)")
    assert heights[2] == pytest.approx(heights[9] / 3, abs=1)  # cem alone at a quarter of the points, three at all


def test_looking_closer_at_a_student(visit, results, class_page):
    path = class_page(results(*SMALL))
    page = visit(path)
    page.click("#matrix tbody tr:nth-child(2) a")
    shown = page.locator("dialog")
    assert shown.locator("h2").inner_text() == "bob"
    assert ADDS in shown.inner_text()
    assert "off by up to 2" in shown.inner_text()
    page.keyboard.press("Escape")
    assert not shown.is_visible()
    page.wait_for_function("location.hash === ''")
    linked = visit(path, fragment="#student=cem")
    assert linked.locator("dialog h2").inner_text() == "cem"
    linked.click("dialog .callout a")
    assert not linked.locator("dialog").is_visible()
    assert linked.url.endswith("#mistake-0")


def test_a_large_class_comes_in_pages(visit, results, class_page):
    page = visit(class_page(results(*(report(f"s{n:04}", right("scale"), wrong("pair")) for n in range(250)))))
    assert len(rows(page)) == 100
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Next").click()
    assert rows(page)[-1] == "s0249"
    assert page.get_by_role("button", name="Next").is_disabled()
    page.fill("#filter-text", "s0007")
    assert rows(page) == ["s0007"]


def test_hostile_students_stay_text_in_the_browser(visit, results, class_page, student_page):
    hostile = report(HOSTILE, wrong("scale", HOSTILE, title=HOSTILE), right("pair"), reason=HOSTILE)
    mistaken = dataclasses.replace(hostile.exercises[0], diagnoses=(Diagnosis(HOSTILE, HOSTILE, (HOSTILE,)),))
    hostile = dataclasses.replace(hostile, exercises=(mistaken, hostile.exercises[1]))
    folder = results(hostile, *SMALL)
    aftermath.keep(folder, [Fault(HOSTILE, HOSTILE)], {})
    page = visit(class_page(folder))
    page.locator("#matrix tbody a").filter(has_text="alert").click()
    assert page.locator("dialog h2").inner_text() == HOSTILE.replace("\u2028", " ") or HOSTILE in page.inner_text(
        "dialog"
    )
    alone = visit(student_page(hostile))
    for one in (page, alone):
        assert one.locator("img").count() == 0
        assert one.locator("script:not([type])").count() == 1
