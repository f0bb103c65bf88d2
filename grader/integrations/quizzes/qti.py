"""Writes QTI 1.2 in a zip, as Canvas writes and reads it: a quiz for each section.

Each of several numbers becomes a question, since Canvas compares a list of them letter by letter. The library text2qti
has no pairs to match, which tables need.
"""

from __future__ import annotations

import dataclasses
import hashlib
import html
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence

from grader.authoring import zipped
from grader.integrations.markup import document, node
from grader.integrations.quizzes.items import QuizItem, Section
from grader.texts import Text, translated

FILE, SYSTEM = "questions.zip", "Canvas"
SPLIT = translated("{question}: it becomes {count} questions, one for each number, of {points:g} points each")
RUBRIC = translated("{question}: Canvas has no field for the rubric, so the question's comment holds it")
TYPES = {
    "one": "multiple_choice_question", "many": "multiple_answers_question", "matching": "matching_question",
    "numbers": "numerical_question", "essay": "essay_question",
}  # fmt: skip
CANVAS, QTI = "http://canvas.instructure.com/xsd/cccv1p0", "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
MANIFEST = "http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"
META = "associatedcontent/imscc_xmlv1p1/learning-application-resource"
FIRST_ANSWER, FIRST_WORD, RESPONSE = 1001, 5001, "response1"


def write(title: str, sections: Sequence[Section]) -> bytes:
    """Return the zip: a manifest, and for each section its questions and Canvas's settings of the quiz."""
    files: dict[str, bytes] = {}
    resources = ET.Element("resources")
    for section in sections:
        id, name = _ident(f"{title}/{section.id}"), f"{section.unit} · {section.title}"
        questions, meta = f"{id}/{id}.xml", f"{id}/assessment_meta.xml"
        files |= {questions: document(_assessment(id, name, section)), meta: document(_meta(id, name, section))}
        needs = node("dependency", identifierref=f"{id}_meta")
        resources.append(node("resource", node("file", href=questions), needs, identifier=id, type="imsqti_xmlv1p2"))
        resources.append(node("resource", node("file", href=meta), identifier=f"{id}_meta", type=META, href=meta))
    about = node("metadata", node("schema", "IMS Content"), node("schemaversion", "1.1.3"))
    whole = (about, ET.Element("organizations"), resources)
    files["imsmanifest.xml"] = document(node("manifest", *whole, identifier=_ident(title), xmlns=MANIFEST))
    return zipped(files.items())


def lost(item: QuizItem) -> Iterator[Text]:
    """Yield what Canvas does differently from the course."""
    yield from item.lost
    count = len(item.numbers)
    if count > 1:
        yield SPLIT.format(question=item.name, count=count, points=item.points / count)
    if item.kind == "essay" and item.rubric != item.feedback:
        yield RUBRIC.format(question=item.name)


def _assessment(id: str, title: str, section: Section) -> ET.Element:
    root = ET.Element("section", ident="root_section")
    for versions in section.questions:
        for n, parts in enumerate(zip(*map(_parts, versions), strict=True)):
            name = f"{id}/{parts[0].name}/{n}"
            items = [_item(f"{name}/{v}", part) for v, part in enumerate(parts)]
            root.extend([_drawn(name, parts[0], items)] if len(items) > 1 else items)
    attempts = node("qtimetadata", _fact("cc_maxattempts", "1"))
    return node("questestinterop", node("assessment", attempts, root, ident=id, title=title), xmlns=QTI)


def _parts(item: QuizItem) -> list[QuizItem]:
    """Return the questions that one becomes."""
    if len(item.numbers) < 2:
        return [item]
    each = dataclasses.replace(item, points=item.points / len(item.numbers))
    text = [f"{item.text}<p><strong>{html.escape(number.label)}</strong></p>" for number in item.numbers]
    return [dataclasses.replace(each, text=t, numbers=(n,)) for t, n in zip(text, item.numbers, strict=True)]


def _drawn(name: str, item: QuizItem, items: Sequence[ET.Element]) -> ET.Element:
    """Return versions of a question, of which each student gets one."""
    points = node("selection_extension", node("points_per_item", f"{item.points:.6g}"))
    selection = node("selection_ordering", node("selection", node("selection_number", "1"), points))
    return node("section", selection, *items, ident=_ident(f"{name}/group"), title=item.name)


def _item(name: str, item: QuizItem) -> ET.Element:
    count = len(item.pairs or item.options or item.numbers)
    answers = ",".join(str(FIRST_ANSWER + n) for n in range(count))
    facts = {"question_type": TYPES[item.kind], "points_possible": f"{item.points:.6g}", "original_answer_ids": answers}
    told = item.rubric or item.feedback
    metadata = node("itemmetadata", node("qtimetadata", *(_fact(*fact) for fact in facts.items())))
    asked = node("presentation", _material(f"<div>{item.text}</div>"), *_responses(item))
    score = node("decvar", maxvalue="100", minvalue="0", varname="SCORE", vartype="Decimal")
    show = node("displayfeedback", feedbacktype="Response", linkrefid="general_fb")
    always = node("respcondition", node("conditionvar", ET.Element("other")), show)
    always.set("continue", "Yes")
    marking = node("resprocessing", node("outcomes", score), always, *_conditions(item))
    comment = node("itemfeedback", node("flow_mat", _material(told)), ident="general_fb")
    return node("item", metadata, asked, marking, comment, ident=_ident(name), title=item.name)


def _responses(item: QuizItem) -> Iterator[ET.Element]:
    """Yield the elements for the answer."""
    if item.kind in ("essay", "numbers"):
        field = node("render_fib", node("response_label", ident="answer1"))
        if item.kind == "numbers":
            field.set("fibtype", "Decimal")
        yield node("response_str", field, ident=RESPONSE, rcardinality="Single")
    elif item.kind == "matching":
        for n, (left, _) in enumerate(item.pairs):
            words = [_label(FIRST_WORD + w, node("mattext", word)) for w, word in enumerate(item.words)]
            asked = node("material", node("mattext", left, texttype="text/plain"))
            yield node("response_lid", asked, node("render_choice", *words), ident=f"response_{FIRST_ANSWER + n}")
    else:
        labels = [_label(FIRST_ANSWER + n, _html(text)) for n, (text, _) in enumerate(item.options)]
        many = "Multiple" if item.kind == "many" else "Single"
        yield node("response_lid", node("render_choice", *labels), ident=RESPONSE, rcardinality=many)


def _conditions(item: QuizItem) -> Iterator[ET.Element]:
    """Yield the points of each answer, in percent."""
    if item.kind == "essay":
        yield node("respcondition", node("conditionvar", ET.Element("other")))
    elif item.kind == "matching":
        part = f"{100 / len(item.pairs):.2f}"
        for n, (_, word) in enumerate(item.pairs):
            right = _equal(str(FIRST_WORD + item.words.index(word)), f"response_{FIRST_ANSWER + n}")
            yield _earns(right, part, "Add")
    elif item.kind == "numbers":
        (number,) = item.numbers
        value, most = float(number.value), float(number.tolerance)
        places = max(len(number.tolerance.partition(".")[2]), 1)
        bounds = [("vargte", value - most), ("varlte", value + most)] if most else []
        near = [node(tag, f"{bound:.{places}f}", respident=RESPONSE) for tag, bound in bounds]
        yield _earns(node("or", _equal(number.value), *([node("and", *near)] if near else ())))
    else:
        idents = [(_equal(str(FIRST_ANSWER + n)), right) for n, (_, right) in enumerate(item.options)]
        if item.kind == "one":
            yield _earns(next(equal for equal, right in idents if right))
        else:
            yield _earns(node("and", *(equal if right else node("not", equal) for equal, right in idents)))


def _earns(condition: ET.Element, percent: str = "100", action: str = "Set") -> ET.Element:
    return node(
        "respcondition", node("conditionvar", condition), node("setvar", percent, action=action, varname="SCORE")
    )


def _equal(value: str, response: str = RESPONSE) -> ET.Element:
    return node("varequal", value, respident=response)


def _label(ident: int, text: ET.Element) -> ET.Element:
    return node("response_label", node("material", text), ident=str(ident))


def _html(text: str) -> ET.Element:
    return node("mattext", text, texttype="text/html")


def _material(text: str) -> ET.Element:
    return node("material", _html(text))


def _fact(label: str, entry: str) -> ET.Element:
    return node("qtimetadatafield", node("fieldlabel", label), node("fieldentry", entry))


def _meta(id: str, title: str, section: Section) -> ET.Element:
    """Return Canvas's settings of a quiz: one attempt, not published, no answers shown until the teacher allows it."""
    facts = {
        "title": title, "shuffle_answers": "false", "scoring_policy": "keep_highest", "hide_results": "always",
        "quiz_type": "assignment", "points_possible": f"{section.points:g}", "show_correct_answers": "false",
        "allowed_attempts": "1", "available": "false",
    }  # fmt: skip
    return node("quiz", *(node(tag, text) for tag, text in facts.items()), identifier=id, xmlns=CANVAS)


def _ident(name: str) -> str:
    """Return an identifier that XML takes, the same for the same name, so that Canvas recognises another import."""
    return f"g{hashlib.sha256(name.encode()).hexdigest()[:32]}"
