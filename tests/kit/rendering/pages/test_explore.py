"""Drawings that a reader moves: their numbers are the solutions', and their state stands in the address."""

from __future__ import annotations

import json
import math
import re

import pytest
import torch
from browser import faults_of
from support import ROOT

pytest.importorskip("latex2mathml", reason="latex2mathml is not installed")

from grader.authoring import lessons
from grader.course import course as courses
from grader.rendering.lesson_text import Explorable, parts
from grader.rendering.pages import book

pytestmark = pytest.mark.slow
COURSE = courses.load(ROOT)
SOLUTION = lessons.LessonCourse(COURSE).solution
DOUBLE = torch.float64
LESSONS = {"softmax": "A", "scale": "B", "masks": "C", "rope": "F", "heads": "F", "tiles": "H"}
UNITS = [unit for unit in COURSE.path if {*unit.read_here} & {*LESSONS.values()}]
PAGES = {lesson: unit.id for unit in UNITS for lesson in unit.read_here}
PLACES = {kind: PAGES[lesson] for kind, lesson in LESSONS.items()}


@pytest.fixture(scope="module")
def texts():
    return lessons.build(
        courses.load(ROOT), [i for unit in UNITS for i in unit.read_here]
    )  # once more: its catalogue is in use now


@pytest.fixture(scope="module")
def site(texts, tmp_path_factory):
    """The folder with the book of the units that hold drawings to move."""
    out = tmp_path_factory.mktemp("book")
    for name, page in book.pages(COURSE, UNITS, texts, {}, "en", False):
        (out / name).write_text(page, encoding="utf-8")
    return out


@pytest.fixture(scope="module")
def chapter(chromium, site):
    """`chapter(kind, state)` is the drawing of this kind after its link was opened; the page must not complain."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    page, complaints = context.new_page(), []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))

    def go(kind, **state):
        page.goto("about:blank")
        page.goto((site / f"{PLACES[kind]}.html").as_uri() + link(kind, **state))
        return figure(page, kind)

    yield go
    context.close()
    assert complaints == []


def link(kind: str, **state) -> str:
    return f"#explore-{kind}" + "".join(f";{name}={value}" for name, value in state.items())


def figure(page, kind: str):
    return page.locator(f'.explore[data-explore*=\'"kind":"{kind}"\']:visible')


def told(shown) -> dict[str, str]:
    """What the sentence below the drawing says, by the names of its places."""
    pairs = "all => all.map((one) => [one.dataset.number, one.textContent])"
    return {name: text.replace("−", "-") for name, text in shown.locator("[data-number]").evaluate_all(pairs)}


def number(text: str) -> float:
    return float(text.replace(",", "").replace("∞", "inf"))


def row(text: str) -> torch.Tensor:
    return torch.tensor(json.loads(text), dtype=DOUBLE)


def close(one, other) -> bool:
    return torch.allclose(*(torch.as_tensor(x, dtype=DOUBLE) for x in (one, other)), rtol=0, atol=6e-5)


@pytest.mark.parametrize(("scores", "add", "t"), [([2.5, 1.3, 3.7, 0.8], 0, 1), ([-4, 4, 0.3, 0], 4, 0.1)])
def test_softmax(chapter, scores, add, t):
    said = told(chapter("softmax", **dict(zip("abcd", scores, strict=True)), add=add, t=t))
    weights = SOLUTION("softmax").softmax(torch.tensor(scores, dtype=DOUBLE) / t)
    assert close(row(said["weights"]), weights)
    assert close(number(said["largest"]), weights.max())
    assert close(number(said["entropy"]), torch.special.entr(weights).sum())
    assert close(number(said["most"]), math.log(4))


@pytest.mark.parametrize("scaled", [0, 1])
@pytest.mark.parametrize("d", [1, 16, 256])
def test_scores_and_scale(chapter, d, scaled):
    """The page draws other vectors than the solution does, so that means agree but for chance."""
    said = told(chapter("scale", d=d, scaled=scaled, query=3))
    scores = row(said["scores"])
    weights = SOLUTION("softmax").softmax(scores)
    assert torch.allclose(row(said["weights"]), weights, rtol=0, atol=2e-4)
    assert number(said["entropy"]) == pytest.approx(torch.special.entr(weights).sum().item(), abs=2e-3)
    due = SOLUTION("score_stats").score_stats(d, 6, bool(scaled), 1)
    assert number(said["variance"]) == pytest.approx(due["var"], rel=0.2)
    assert number(said["mean"]) == pytest.approx(due["max_weight"], abs=0.05)


@pytest.mark.parametrize(("t", "s", "window"), [(4, 7, 16), (2, 5, 2), (8, 8, 3), (1, 9, 1)])
def test_masks(chapter, t, s, window):
    shown = chapter("masks", t=t, s=s, offset=s - t, window=window, causal=1)
    mask = SOLUTION("sliding_window").sliding_window_mask(t, window, s)
    if window == 16:
        assert torch.equal(mask, SOLUTION("causal_mask").causal_mask(t, s))
    assert number(told(shown)["seen"]) == mask.sum()
    kinds = shown.locator("svg rect").evaluate_all("all => all.map((one) => one.getAttribute('class'))")
    cells = [kind == "p6" for kind in kinds if kind in ("p6", "off")]
    assert cells == mask.flatten().tolist()
    shown.locator("summary").click()
    spans = shown.locator("tr td:nth-child(2)").all_inner_texts()
    seen = [line.nonzero().flatten().tolist() for line in mask]
    assert [[int(n) for n in re.findall(r"\d+", span)] for span in spans] == [sorted({k[0], k[-1]}) for k in seen]


def test_a_query_that_sees_nothing(chapter):
    said = told(chapter("masks", t=2, s=3, offset=8, window=1, causal=1))
    assert (said["dead"], said["first"]) == ("2", "none")


@pytest.mark.parametrize(
    ("m", "n", "both", "pair", "base"), [(3, 1, 0, 0, 10000), (5, 33, 70, 1, 100), (40, 0, 9, 3, 10)]
)
def test_rotary_positions(chapter, m, n, both, pair, base):
    said = told(chapter("rope", m=m, n=n, both=both, pair=pair, base=base))
    rotate = SOLUTION("rope_scores").rotate
    point = torch.tensor([1.0] * 4 + [0.0] * 4, dtype=DOUBLE)[None]
    query, key = (rotate(point, torch.tensor([at + both]), base)[0] for at in (m, n))
    own = [pair, pair + 4]
    assert close(row(said["query"]), query[own])
    assert close(row(said["key"]), key[own])
    assert close(number(said["pair"]), query[own] @ key[own])
    assert close(number(said["all"]), query @ key)


@pytest.mark.parametrize(
    ("heads", "kv", "head", "dim", "tokens"), [(8, 2, 5, 96, 4096), (16, 1, 15, 128, 131072), (4, 4, 3, 32, 1)]
)
def test_shared_heads(chapter, heads, kv, head, dim, tokens):
    said = told(chapter("heads", heads=heads, kv=kv, head=head, dim=dim, tokens=tokens))
    asks = torch.ones(1, heads, 1, 1, dtype=DOUBLE)
    numbered = torch.arange(float(kv), dtype=DOUBLE).reshape(1, kv, 1, 1)
    read = SOLUTION("gqa").grouped_query_attention(asks, numbered, numbered)[0].flatten()
    assert number(said["reads"]) == read[head]
    assert number(said["each"]) == (read == read[head]).sum()
    bytes_of = SOLUTION("gqa_budget").gqa_budget
    assert number(said["token"]) == bytes_of(heads * dim, heads, kv)[1]
    assert number(said["total"]) == tokens * bytes_of(heads * dim, heads, kv)[1]
    assert number(said["full"]) == tokens * bytes_of(heads * dim, heads, heads)[1]


@pytest.mark.parametrize("block", [1, 2, 3, 8])
def test_tiles(chapter, texts, block):
    drawing = next(part for part in parts(texts["H"]["en"]) if isinstance(part, Explorable))
    scores, values = (torch.tensor(drawing.data[name], dtype=DOUBLE) for name in ("scores", "values"))
    steps = math.ceil(8 / block)
    shown = chapter("tiles", block=block, step=steps)
    rows = [
        [cell.replace("−", "-") for cell in line.locator("td").all_inner_texts()]
        for line in shown.locator("tr").all()[1:]
    ]
    assert len(rows) == steps
    merging, part, factors = SOLUTION("merge_softmax"), None, []
    for i, cells in enumerate(rows):
        keys = slice(i * block, (i + 1) * block)
        new = merging.softmax_part(scores[None, keys], values[keys, None])
        before, part = part, merging.merge_softmax(part, new) if part else new
        factors.append((before[0] - part[0]).exp().item() if before else 0.0)
        m, total, mixed = (x.flatten()[0] for x in part)
        assert close([number(cell) for cell in cells[2:]], [m, factors[-1], total, mixed, mixed / total])
    q, k = torch.ones(1, 1, dtype=DOUBLE), scores[:, None]
    due = SOLUTION("flash_attention").flash_attention(q, k, values[:, None], block).item()
    assert close([number(told(shown)[name]) for name in ("ratio", "whole")], [due, due])


def test_nothing_is_read_yet(chapter):
    said = told(chapter("tiles", block=2, step=0))
    assert (said["m"], said["l"], said["ratio"]) == ("-∞", "0.0000", "–")


@pytest.mark.parametrize("kind", PLACES)
def test_every_drawing_begins_as_its_lesson_says(chapter, kind):
    shown = chapter(kind)
    assert shown.count() == 1
    for one in json.loads(shown.get_attribute("data-explore"))["controls"]:
        control = shown.get_by_label(one["label"], exact=True)
        if control.get_attribute("type") == "checkbox":
            assert control.is_checked() is bool(one["start"])
        else:
            assert number(control.get_attribute("aria-valuetext").replace("−", "-")) == one["start"]


def test_a_link_restores_what_was_set(visit, site):
    page = visit(site / f"{PAGES['B']}.html", fragment="#explore-scale;d=256;scaled=1")
    shown = figure(page, "scale")
    assert shown.get_by_label("channels d").get_attribute("aria-valuetext") == "256"
    assert shown.get_by_label("divide by √d").is_checked()
    assert 0 <= shown.bounding_box()["y"] < 100
    shown.get_by_label("divide by √d").press("Space")
    shown.get_by_label("channels d").press("ArrowLeft")
    page.wait_for_url("**/path2.html#explore-scale;d=128;scaled=0;query=1")
    variance = told(shown)["variance"]
    assert number(variance) > 90
    page.click("[data-set=lang][value=zh]")
    figure(page, "scale").locator("[data-number=variance]").wait_for()
    assert told(figure(page, "scale"))["variance"] == variance
    assert "方差" in figure(page, "scale").locator(".says").inner_text()
    page.evaluate("location.hash = '#explore-scale;d=1'")
    page.wait_for_function("document.querySelector('[data-control=d]').value === '0'")


@pytest.mark.parametrize(
    "hash_", ["#explore-scale;d=x;scaled=;query", "#explore-scale;d=70", "#explore-none;d=1", "#%"]
)
def test_a_link_that_says_nothing_or_nearly_so(visit, site, hash_):
    page = visit(site / f"{PAGES['B']}.html", fragment=hash_)
    assert figure(page, "scale").get_by_label("channels d").get_attribute("aria-valuetext") == "64"


def test_the_numbers_are_said_after_a_pause_and_once(visit, site):
    page = visit(site / f"{PAGES['A']}.html")
    status = (shown := figure(page, "softmax")).locator("[role=status]")
    for _ in range(3):
        shown.get_by_label("score 1").press("ArrowRight")
        assert status.text_content() == ""
    page.wait_for_function("[...document.querySelectorAll('.explore [role=status]')].some((one) => one.textContent)")
    assert status.text_content() == shown.locator(".says").inner_text()


def test_a_limit_follows_another_control(visit, site):
    page = visit(site / f"{PAGES['F']}.html", fragment="#explore-heads;heads=16;kv=8;head=15")
    shown = figure(page, "heads")
    assert told(shown)["reads"] == "7"
    for _ in range(2):
        shown.get_by_label("query heads", exact=True).press("ArrowLeft")
    assert (told(shown)["head"], told(shown)["reads"]) == ("3", "3")
    shown.get_by_role("button", name="Reset").click()
    assert (told(shown)["head"], told(shown)["reads"]) == ("5", "1")


@pytest.mark.parametrize(("dark", "width", "lang"), [(False, 390, "en"), (True, 640, "zh")])  # 640: 1280 at 200 %
@pytest.mark.parametrize("unit", sorted(set(PLACES.values())))
def test_drawings_are_accessible(visit, site, unit, dark, width, lang):
    page = visit(site / f"{unit}.html", dark, width)
    page.click(f"[data-set=lang][value={lang}]")
    page.locator(".explore svg:visible").last.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert faults_of(page) == []


def test_a_print_shows_how_a_drawing_begins(visit, site):
    page = visit(site / f"{PAGES['A']}.html", fragment="#explore-softmax;t=100")
    shown = figure(page, "softmax")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert told(shown)["weights"] == "[0.2082, 0.0627, 0.6911, 0.0380]"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert told(shown)["weights"] != "[0.2082, 0.0627, 0.6911, 0.0380]"


def test_without_scripts_words_and_a_still_drawing_stay(chromium, site):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((site / f"{PAGES['C']}.html").as_uri())
    shown = figure(page, "masks")
    assert shown.locator(".look").is_visible()
    assert shown.locator(".still svg").is_visible()
    assert shown.locator(".moving").is_hidden()
    assert shown.locator("noscript p").is_visible()
    context.close()


def test_a_drawing_that_is_inserted_later(visit, site):
    page = visit(site / f"{PAGES['A']}.html")
    page.evaluate(
        """() => {
      const main = document.querySelector("main"), copy = document.createElement("main");
      copy.innerHTML = new DOMParser().parseFromString(SOURCE, "text/html").querySelector("main").innerHTML;
      main.replaceWith(copy);
      window.explore(copy);
    }""".replace("SOURCE", json.dumps((site / f"{PAGES['A']}.html").read_text(encoding="utf-8")))
    )
    figure(page, "softmax").get_by_label("temperature").press("ArrowRight")
    assert told(figure(page, "softmax"))["entropy"] != "0.8800"


def test_the_script_knows_every_kind(texts):
    used = {p.kind for units in texts.values() for p in parts(units["en"]) if isinstance(p, Explorable)}
    assert used == set(PLACES)
    assert used == set(re.findall(r"^    (\w+)\(.*width\) \{$", COURSE.script("lessons/explore.js"), re.MULTILINE))
