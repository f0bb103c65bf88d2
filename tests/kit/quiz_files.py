"""Reads quizzes as Moodle and Canvas do, and marks answers as they do: written from their code, not from ours.

Moodle: question/format/xml/format.php and question/type/multianswer/questiontype.php. Canvas: lib/cc/qti.
"""

from __future__ import annotations

import dataclasses
import io
import re
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Mapping, Sequence

NUMBER = r"-?(?:(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)(?:[eE][-+]?[0-9]+)?)"
FIELD = re.compile(rf"\{{([0-9]*):NUMERICAL:=({NUMBER}):({NUMBER})\}}")
QTI, CANVAS = "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}", "{http://canvas.instructure.com/xsd/cccv1p0}"
PACKAGE = "{http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1}"


@dataclasses.dataclass
class Asked:
    """A question as a system has it after the import: the numbers of several questions of one name are one's.

    options: by text, what each earns. words: what each left side can be matched with. fields: right, tolerance, points.
    """

    name: str
    kind: str
    points: float = 0
    text: str = ""
    told: str = ""
    rubric: str = ""
    options: dict[str, float] = dataclasses.field(default_factory=dict)
    pairs: dict[str, str] = dataclasses.field(default_factory=dict)
    words: set[str] = dataclasses.field(default_factory=set)
    fields: list[tuple[float, float, float]] = dataclasses.field(default_factory=list)

    def of_choice(self, chosen: Sequence[str]) -> float:
        """The share of the points for these options."""
        return min(max(sum(self.options[text] for text in chosen), 0), 1)

    def of_pairs(self, given: Mapping[str, str]) -> float:
        assert set(given) == set(self.pairs)
        assert set(given.values()) <= self.words
        return sum(self.pairs[left] == right for left, right in given.items()) / len(self.pairs)

    def of_numbers(self, given: Sequence[float]) -> float:
        whole = sum(points for *_, points in self.fields)
        near = [
            abs(value - right) <= most * (1 + 1e-9) for value, (right, most, _) in zip(given, self.fields, strict=True)
        ]
        return sum(ok * points for ok, (*_, points) in zip(near, self.fields, strict=True)) / whole


def seen(html: str) -> str:
    """The text of HTML, which has to be well formed."""
    return "".join(ET.fromstring(f"<div>{html}</div>").itertext())


def moodle(content: bytes) -> tuple[list[Asked], dict[str, list[str]]]:
    """The questions of a file, and their names by category."""
    root = ET.fromstring(content)
    assert root.tag == "quiz"
    found, places, place = [], {}, ""
    for node in root:
        assert node.tag == "question"
        if node.get("type") == "category":
            place = node.findtext("category/text", "")
            continue
        found.append(of_moodle(node))
        places.setdefault(place, []).append(found[-1].name)
    return found, places


def of_moodle(node: ET.Element) -> Asked:
    kind, text = node.get("type"), node.findtext("questiontext/text")
    asked = Asked(node.findtext("name/text"), kind, float(node.findtext("defaultgrade") or 0), seen(text))
    asked.told, asked.rubric = (seen(node.findtext(f"{tag}/text") or "") for tag in ("generalfeedback", "graderinfo"))
    assert all(e.get("format") == "html" for e in node.iter() if e.tag in ("questiontext", "generalfeedback"))
    if kind == "cloze":
        fields = [(float(right), float(most), float(weight)) for weight, right, most in FIELD.findall(text)]
        assert text.count("NUMERICAL") == len(fields) > 1
        asked.fields, asked.points = fields, sum(weight for *_, weight in fields)
    elif kind == "numerical":
        (answer,) = node.findall("answer")
        assert answer.get("fraction") == "100"
        asked.fields = [(float(answer.findtext("text")), float(answer.findtext("tolerance")), 1)]
    elif kind == "multichoice":
        answers = node.findall("answer")
        asked.options = {seen(a.findtext("text")): float(a.get("fraction")) / 100 for a in answers}
        single = node.findtext("single") == "true"
        known = {round(sign / n, 7) for n in range(1, 11) for sign in (1, -1)} | {0}  # Moodle refuses any other
        assert {round(share, 7) for share in asked.options.values()} <= known
        assert abs(sum(share for share in asked.options.values() if share > 0) - 1) < 1e-5
        asked.kind = "single" if single else "multiple"
        assert node.findtext("shuffleanswers") == "false"  # explanations go by letters
    elif kind == "matching":
        for part in node.findall("subquestion"):
            left, right = seen(part.findtext("text") or ""), part.findtext("answer/text", "")
            asked.words.add(right)
            if left:
                assert left not in asked.pairs
                asked.pairs[left] = right
    else:
        assert kind == "essay"
    return asked


def canvas(content: bytes) -> dict[str, list[tuple[int, list[Asked]]]]:
    """What each quiz of a package asks, by its title: how many to draw (0: all), of which questions."""
    archive = zipfile.ZipFile(io.BytesIO(content))
    assert archive.testzip() is None
    files = {name: ET.fromstring(archive.read(name)) for name in archive.namelist()}
    manifest = files.pop("imsmanifest.xml")
    assert manifest.tag == f"{PACKAGE}manifest"
    resources = {r.get("identifier"): r for r in manifest.iter(f"{PACKAGE}resource")}
    assert {f.get("href") for f in manifest.iter(f"{PACKAGE}file")} == {*files}
    quizzes, known = {}, set()
    for resource in resources.values():
        if resource.get("type") != "imsqti_xmlv1p2":
            continue
        meta = resources[resource.find(f"{PACKAGE}dependency").get("identifierref")]
        about, root = files[meta.get("href")], files[resource.find(f"{PACKAGE}file").get("href")]
        assert (root.tag, about.tag) == (f"{QTI}questestinterop", f"{CANVAS}quiz")
        (assessment,) = root
        assert assessment.get("ident") == about.get("identifier") == resource.get("identifier")
        assert about.findtext(f"{CANVAS}hide_results") == "always"
        title = about.findtext(f"{CANVAS}title", "")
        entries = entries_of(assessment.find(f"{QTI}section"))
        quizzes[title] = entries
        worth = sum(questions[0].points for _, questions in entries)
        assert abs(float(about.findtext(f"{CANVAS}points_possible")) - worth) < 1e-3
        idents = [i.get("ident") for i in root.iter(f"{QTI}item")]
        assert len({*idents}) == len(idents)
        assert not known & {*idents}
        known |= {*idents}
    return quizzes


def entries_of(section: ET.Element) -> list[tuple[int, list[Asked]]]:
    entries: list[tuple[int, list[Asked]]] = []
    for node in section:
        if node.tag == f"{QTI}item":
            entries.append((0, [of_canvas(node)]))
        else:
            questions = [of_canvas(item) for item in node.findall(f"{QTI}item")]
            drawn = node.find(f"{QTI}selection_ordering/{QTI}selection")
            each = float(drawn.findtext(f"{QTI}selection_extension/{QTI}points_per_item"))
            assert all(q.points == each for q in questions)
            entries.append((int(drawn.findtext(f"{QTI}selection_number")), questions))
    return entries


def of_canvas(item: ET.Element) -> Asked:
    parts = [child.tag.removeprefix(QTI) for child in item]
    assert parts == ["itemmetadata", "presentation", "resprocessing", "itemfeedback"]
    facts = {f[0].text: f[1].text for f in item.iter(f"{QTI}qtimetadatafield")}
    kind = facts["question_type"].removesuffix("_question")
    asked = Asked(item.get("title"), kind, float(facts["points_possible"]))
    shown = item.find(f"{QTI}presentation")
    asked.text = seen(shown.findtext(f"{QTI}material/{QTI}mattext"))
    asked.told = seen(item.findtext(f"{QTI}itemfeedback/{QTI}flow_mat/{QTI}material/{QTI}mattext"))
    feedback, *marking = item.findall(f"{QTI}resprocessing/{QTI}respcondition")
    assert feedback.find(f"{QTI}displayfeedback").get("linkrefid") == item.find(f"{QTI}itemfeedback").get("ident")
    lists = {}  # what can be chosen by its identifier, for each place where something can be
    for response in shown.findall(f"{QTI}response_lid"):
        labels = response.iter(f"{QTI}response_label")
        texts = {label.get("ident"): label.find(f".//{QTI}mattext") for label in labels}
        html = kind != "matching"
        assert all((text.get("texttype") == "text/html") == html for text in texts.values())
        lists[response.get("ident")] = {i: seen(text.text) if html else text.text for i, text in texts.items()}
    equal = {(e.get("respident"), e.text) for m in marking for e in m.iter(f"{QTI}varequal")}
    if kind in ("multiple_choice", "multiple_answers"):
        (options,) = lists.values()
        denied = {e.text for m in marking for n in m.iter(f"{QTI}not") for e in n}
        right = {ident for _, ident in equal} - denied
        part = 1 / len(right)
        wrong = -part if kind == "multiple_answers" else 0
        asked.options = {text: part if ident in right else wrong for ident, text in options.items()}
    elif kind == "matching":
        lefts = {r.get("ident"): r.findtext(f"{QTI}material/{QTI}mattext") for r in shown.findall(f"{QTI}response_lid")}
        assert all(re.fullmatch(r"response_\d+", ident) for ident in lefts)
        asked.pairs = {lefts[place]: lists[place][ident] for place, ident in equal}
        asked.words = {word for words in lists.values() for word in words.values()}
        assert abs(sum(float(s.text) for m in marking for s in m.iter(f"{QTI}setvar")) - 100) < 0.2
    elif kind == "numerical":
        ((_, value),) = equal
        bounds = [float(b.text) for m in marking for tag in ("vargte", "varlte") for b in m.iter(f"{QTI}{tag}")]
        low, high = bounds or (float(value), float(value))
        assert abs((low + high) / 2 - float(value)) <= 1e-9 * max(1, abs(float(value)))
        asked.fields = [(float(value), (high - low) / 2, asked.points)]
    else:
        assert kind == "essay"
    return asked


def joined(questions: Sequence[Asked]) -> list[Asked]:
    """Canvas's questions, those of one name as one."""
    found: dict[str, Asked] = {}
    for question in questions:
        if question.name in found:
            found[question.name].fields += question.fields
            found[question.name].points += question.points
        else:
            found[question.name] = question
    return [*found.values()]
