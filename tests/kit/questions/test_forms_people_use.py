"""Answers as people write them: right ones pass, or a line names the form; wrong ones never do."""

# ruff: noqa: E501 -- a case a line

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader import catalogues
from grader.questions import Choice, numbers, questions
from grader.questions.expressions import NoExpression, evaluated
from grader.texts import Text

PAPER = '''
import math
import torch
from grader.questions import Choice, Number, Numbers, Table, question

OPTIONS = {"a": "the queries", "b": "the weights", "c": "the values", "d": "the keys"}
YES = Choice({"yes": "yes", "no": "no"})
SAME = Choice({"changes": "changes", "same": "stays the same"})
MOVES = Choice({"rises": "rises", "falls": "falls", "stays": "stays the same"})

@question(1, Number(3))
def third(lab):
    """A third?"""
    return 1 / 3

@question(1, Number(2))
def root(lab):
    """The square root of 512?"""
    return math.sqrt(512)

@question(1, Number(0))
def whole(lab):
    """How many parameters, in all its 4 layers?"""
    return 1050624

@question(1, Number(0))
def huge(lab):
    """How many operations?"""
    return 14_000_000_000

@question(1, Number(1))
def large(lab):
    """Which number?"""
    return 65504.0

@question(1, Number(2))
def small(lab):
    """Which number?"""
    return 1.234

@question(1, Number(1))
def memory(lab):
    """How many MiB does it take?"""
    return 134.2177

@question(1, Numbers((4,), 3))
def weights(lab):
    """Four weights?"""
    return [0.1, 0.1053, 0.3, 0.4947]

@question(1, Numbers((2,), 0))
def shape(lab):
    """Which shape?"""
    return [64, 512]

@question(1, Numbers((3,), 0))
def counts(lab):
    """Three numbers?"""
    return [603979776, 1050624, 512]

@question(1, Numbers((2, 3), 2))
def matrix(lab):
    """A matrix?"""
    return torch.tensor([[1.0, 0.25, 0.5], [0.125, -3.0, 2.0]])

@question(1, Choice(OPTIONS))
def one(lab):
    """Which one?"""
    return "b"

@question(1, Choice(OPTIONS, many=True))
def some(lab):
    """Which ones?"""
    return ["a", "c"]

@question(1, Choice(OPTIONS, many=True))
def nothing(lab):
    """Which ones?"""
    return []

@question(1, Choice(OPTIONS, ordered=True))
def order(lab):
    """In which order?"""
    return ["c", "a", "b", "d"]

@question(1, Table(("query", "key"), ("weights", "output"), SAME))
def changing(lab):
    """What changes?"""
    return [["same", "changes"], ["changes", "changes"]]

@question(1, Table(("not scaled", "scaled"), ("max > 0.9", "norm > 0.3"), YES))
def facts(lab):
    """Is it so?"""
    return [["yes", "no"], ["no", "yes"]]

@question(1, Table(("query 1", "query 2"), ("weight",), MOVES))
def moving(lab):
    """Does it rise or fall?"""
    return [["rises"], ["falls"]]

@question(1, Table(("W_q", "all"), ("rows", "columns"), Number(0)))
def sizes(lab):
    """Rows and columns?"""
    return [[12288, 128], [1050624, 2]]

@question(1, Table(("first", "second"), ("m", "l"), Number(3)))
def running(lab):
    """m and l?"""
    return [[2.0, 1.3679], [4.0, 1.1353]]
'''


CHINESE = {
    "the queries": "查询", "the weights": "权重", "the values": "值", "the keys": "键", "yes": "是", "no": "否",
    "changes": "改变", "stays the same": "不变", "rises": "上升", "falls": "下降",
    "How many parameters, in all its 4 layers?": "一共多少个参数？", "How many MiB does it take?": "占多少 MiB？",
}  # fmt: skip


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Iterator[questions.Paper]:
    """The paper, with a catalogue in which its options are called otherwise."""
    folder: Path = tmp_path_factory.mktemp("paper")
    (folder / "q.py").write_text(PAPER, encoding="utf-8")
    (folder / "languages").mkdir()
    entries = (f'msgid "{english}"\nmsgstr "{chinese}"\n' for english, chinese in CHINESE.items())
    head = 'msgid ""\nmsgstr ""\n"Language: zh_CN\\n"\n"Plural-Forms: nplurals=1; plural=0;\\n"\n'
    (folder / "languages" / "zh.po").write_text("\n".join([head, *entries]), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalogues, "_files", dict(catalogues._files))
        patch.setattr(catalogues, "_known", {})
        catalogues.take(folder)
        yield questions.Paper(folder / "q.py", folder)


def marked(paper: questions.Paper, name: str, given: object) -> tuple[str, str, str]:
    result = next(r for r, _ in paper.mark({name: given}) if r.id == name)
    return result.verdict, result.reason.to("en"), result.reason.to("zh")


RIGHT: dict[str, list[Any]] = {
    "third": [
        "0.333", "0.3333", ".333", "1/3", "1 / 3", "33.3%", "33.33 %", "33.3 percent", "33.33 per cent", "百分之33.3",
        "≈ 0.333", "~0.333", "= 0.333", "about 0.333", "约 0.333", "大约0.333", "x = 0.333", "p ≈ 0.333", "1/3 = 0.333",
        "1/3 ≈ 0.3333", "0.333 (1/3)", "0.333...", "0.333…", "0.3333.", "0.333。", "0.333，", "０.３３３", "０．３３３",
        "0。333", "1／3", "1÷3", "⅓", "3.333e-1", "3.333 x 10^-1", "3.333×10⁻¹", "3.333*10**-1", "`0.333`", "$0.333$",
        "**0.333**", '"0.333"', "“0.333”", "[0.333]", "(0.333)", "(1/3)", "tensor(0.3333)", "tensor([0.3333])",
        "torch.tensor(0.3333, dtype=torch.float64)", "+0.333", "answer: 0.333", "答案：0.333", ["0.333"], "2/6", "1/sqrt(9)", "三分之一",
        "0.333?", "0.333 ?!", "0.333！", "I think 0.333", "not sure: 0.333", "maybe 0.333", "我觉得是 0.333", "不确定：1/3", "0.333, I guess", "0.333 (not sure)",
        "~~0.5~~ 0.333", "<s>0.5</s> 1/3", "-> 0.333", "0.333 (I checked)", "0.333（已验证）", "0.333 (not 0.5)", r"\frac{1}{3}", r"$\dfrac{1}{\sqrt{9}}$", r"\(1/3\)",
        "3^{-1}", "1/sqrt 9", "1/sqrt9", "«0.333»", "【0.333】", "3⁻¹",
    ],
    "root": [
        "22.63", "22.627", "sqrt(512)", "√512", "√(512)", "512^0.5", "512**0.5", "16*sqrt(2)", "16√2", "16 * √2",
        "math.sqrt(512)", "2^4.5", "sqrt(512) = 22.63", "√512≈22.63", "512^(1/2)",
    ],
    "whole": [
        "1050624", "1,050,624", "1 050 624", "1\u00a0050\u00a0624", "1_050_624", "1'050'624", "1，050，624", "1050624.0",
        "1.050624e6", "1050624 parameters", "1,050,624 params", "1050624 个参数", "1050624个", "2*525312", "1024*1026", "1.050624 × 10^6", "1.050624·10^6", "1024·1026", "2·512·1026", "１０５０６２４", "n = 1050624",
        "一百零五万零六百二十四", "一百零五万六百二十四", "一百零五万零六百二十四个参数", "1050600 + 24 = 1050624", "It takes 1050624 parameters.",
        "1024 x 1026", "1024x1026", "1024 X 1026 = 1050624", "1050624 (=1024 x 1026)", "1050624 (1025² - 1)",
    ],
    "huge": ["14000000000", "14,000,000,000", "1.4e10", "14 * 10^9", "1.4×10¹⁰"],
    "large": ["65504", "65,504", "65504.0", "65 504", "65,504.0"],
    "small": ["1.234", "1.23", "1.24"],
    "memory": ["134.2", "134.2 MiB", "134.2MiB", "134.22"],
    "weights": [
        "[0.1, 0.105, 0.3, 0.495]", "0.1, 0.105, 0.3, 0.495", "0.1 0.105 0.3 0.495", "0.1,0.105,0.3,0.495",
        "[0.1,0.105,0.3,0.495]", "0.1，0.105，0.3，0.495", "0.1、0.105、0.3、0.495", "0.1；0.105；0.3；0.495",
        "0.1。0.105。0.3。0.495", "1 / 10, 10.53 %, 3/10, 0.495", "[1/10, 10.53%, 0.3, 49.47 %]", "(0.1, 0.105, 0.3, 0.495)",
        "{0.1, 0.105, 0.3, 0.495}", "tensor([0.1000, 0.1053, 0.3000, 0.4947])", "torch.tensor([.1, .1053, .3, .4947])",
        "tensor([0.1000, 0.1053, 0.3000, 0.4947], dtype=torch.float64)", "np.array([0.1, 0.105, 0.3, 0.495])",
        "tensor([0.1000, 0.1053, 0.3000, 0.4947], grad_fn=<SoftmaxBackward0>)", "w = [0.1, 0.105, 0.3, 0.495]",
        ["0.1", "0.105", "0.3", "0.495"], "０.１，０.１０５，０.３，０.４９５", "≈0.1, ≈0.105, ≈0.3, ≈0.495",
        "0.1; 0.105; 0.3; 0.495", "0.1 | 0.105 | 0.3 | 0.495", "[0.1 0.105 0.3 0.495]", "[0.1, 0.105, 0.3, 0.495",
        "[[0.1, 0.105, 0.3, 0.495]]", "[0.1, 0.105, 0.3, 0.495,]", "0.1, 0.105, 0.3 and 0.495", "0.1\n0.105\n0.3\n0.495",
        "[0.1, 0.105, 0.3, 0.495].", "[0.1, 0.105, 0.3, 0.495] (I checked)", "[0.1, 0.105, 0.3, 0.495]（用 torch 验证过）", "[0.1, 0.105, 0.3, 0.495] ?",
        "softmax([1, 2, 3, 4]) = [0.1, 0.105, 0.3, 0.495]", "0.1 / 0.105 / 0.3 / 0.495", "0.1/0.105/0.3/0.495", "【0.1，0.105，0.3，0.495】", "~~[1, 2, 3, 4]~~ [0.1, 0.105, 0.3, 0.495]",
        "1e-1, 1.053e-1, 3e-1, 4.947e-1", "0．1，0．105，0．3，0．495", "[[0.1], [0.105], [0.3], [0.495]]",
    ],
    "shape": [
        "[64, 512]", "(64, 512)", "64, 512", "64,512", "64 512", "64 x 512", "64×512", "64 * 512", "torch.Size([64, 512])",
        "64，512", "64、512", "[64,512]", "（64，512）", "64 -> 512", "64 and 512", "64 和 512", "64;512",
        ["64", "512"], "64 rows, 512 columns", "[8^2, 2^9]", "sqrt(4096), 512", "(out, in) = (64, 512)", "64 / 512", "64x, 512x",
    ],
    "counts": [
        "603979776, 1050624, 512", "603,979,776, 1,050,624, 512", "603 979 776, 1 050 624, 512", "603_979_776 1_050_624 512",
        "[603,979,776, 1,050,624, 512]", "603,979,776; 1,050,624; 512", "603979776 1050624 512", "603，979，776；1，050，624；512",
        "6.03979776e8, 1.050624e6, 512", "603979776 parameters, 1050624 parameters, 512 parameters", "603,979,776 1,050,624 512",
    ],
    "matrix": [
        "[[1, 0.25, 0.5], [0.125, -3, 2]]", "1, 0.25, 0.5; 0.125, -3, 2", "[1, 0.25, 0.5], [0.125, -3, 2]", "[1 0.25 0.5]\n[0.125 -3 2]",
        "1 0.25 0.5\n0.125 −3 2", "tensor([[ 1.0000,  0.2500,  0.5000], [ 0.1250, -3.0000,  2.0000]])", [["1", "1/4", "1/2"], ["1/8", "-3", "2"]],
        ["[1, 0.25, 0.5]", "[0.125, -3, 2]"], "((1, 0.25, 0.5), (0.125, -3, 2))", "1 0.25 0.5 0.125 -3 2", "1, 0.25, 0.5 | 0.13, -3.00, 2.0",
        "[[1., .25, .5], [.13, -3., 2.]]", "1，0.25，0.5；0.125，-3，2", "[[1,0.25,0.5],[0.125,-3,2]]", "[[100%, 25%, 50%], [12.5%, -3, 2]]",
    ],
    "one": [
        "b", "B", "b.", "(b)", "b)", "[b]", "（b）", "Ｂ", "b: the weights", "b：权重", "b. the weights", "b) the weights", "b - the weights",
        "(b) the weights", "the weights", "The Weights.", "权重", "option b", "Option B", "answer: b", "选 b", "选b", "答案：b", "选项 b",
        "`b`", "'b'", "“b”", ["b"], {"b": "the weights"}, "b: what mixes the values",
        "weights", "the weights (b)", "b?", "b!", "b, I think", "b -- not sure", "I think b", "not sure: b", "not sure, but b", "maybe b", "我觉得是b", "可能是 b", "猜b", "不确定，b", "b（不确定）",
        "~~a~~ b", "<del>c</del> b", "-> b", "b选项", "「b」", "$b$", "b\\", "ⓑ", "a ✗ b ✓ c ✗ d ✗", "a: no, b: yes, c: no, d: no", "b (not a)",
    ],
    "some": [
        "[a, c]", "a, c", "a c", "ac", "AC", "a，c", "a、c", "a;c", "c, a", "a and c", "a & c", "a + c", "a/c", "a和c", "a 和 c", "{a, c}", "(a, c)",
        "a: the queries, c: the values", "a) the queries; c) the values", "the queries, the values", "查询，值", "查询和值", ["a", "c"],
        ["a: the queries", "c"], {"a": "yes", "c": "yes"}, {"a": "yes", "b": "no", "c": "yes", "d": "no"}, {"a": "是", "b": "否", "c": "对", "d": "错"},
        {"a": "the queries", "c": "the values"}, "a, c.", "[A, C]", "Ａ，Ｃ", "options a and c", "答：a, c", "Answer: a, c", "a,c,a", "a\nc", "a: yes, b: no, c: yes, d: no", "a ✓ b ✗ c ✓ d ✗", "a对 b错 c对 d错", "a√ b× c√ d×", "a yes, b no, c yes, d no",
        "{a: true, b: false, c: true, d: false}", "(a) true (b) false (c) true (d) false", "a: right, c: right", {"a": "yes", "b": "", "c": "yes", "d": ""}, "a, ~~b~~, c", "©, a", "a, c (not b)",
    ],
    "nothing": ["none", "None", "NONE", "none of them", "[none]", "[]", "无", "没有", "都不符合", "以上都不是", ["none"]],
    "order": [
        "[c, a, b, d]", "c a b d", "cabd", "c > a > b > d", "c→a→b→d", "c -> a -> b -> d", "c->a->b->d", "c => a => b => d", "c, a, b, d", "c、a、b、d",
        "c then a then b then d", ["c", "a", "b", "d"], "the values, the queries, the weights, the keys", "(c, a, b, d)", "C A B D", "c; a; b; d", "c-a-b-d", "c—a—b—d", "c --> a --> b --> d", "1. c 2. a 3. b 4. d", "1=c, 2=a, 3=b, 4=d", "(1) c (2) a (3) b (4) d",
        "a: 2, b: 3, c: 1, d: 4", {"1": "c", "2": "a", "3": "b", "4": "d"}, {"a": "2", "b": "3", "c": "1", "d": "4"}, "c: the values, a: the queries, b: the weights, d: the keys",
    ],
    "changing": [
        {"query": {"weights": "same", "output": "changes"}, "key": {"weights": "changes", "output": "changes"}},
        {"query": "{weights: same, output: changes}", "key": "{weights: changes, output: changes}"},
        {"query": "{weights: 不变, output: 改变}", "key": "{weights: 改变, output: 改变}"},
        {"query": "{weights: stays, output: change}", "key": "{weights: changed, output: changes}"},
        {"query": "{weights: unchanged, output: 变}", "key": "{weights: 会变, output: 变化}"},
        {"query": "stays the same, changes", "key": "changes, changes"}, {"Query": "same changes", "KEY": "changes changes"},
        {"query": ["same", "changes"], "key": ["changes", "changes"]}, [["same", "changes"], ["changes", "changes"]],
        "[[same, changes], [changes, changes]]", "query: {weights: same, output: changes}\nkey: {weights: changes, output: changes}",
        "query: same, changes\nkey: changes, changes", {"query": "{weights: same, output: changes", "key": "changes | changes"},
        "same changes; changes changes", {"query": "{weights：不变，output：改变}", "key": "weights=changes, output=changes"},
        {"query": "{“weights”: same, “output”: changes}", "key": "{«weights»: changes?, «output»: I think changes}"}, {"query": "~~changes~~ same, changes", "key": "changes, changes"},
    ],
    "facts": [
        {"not scaled": '{"max > 0.9": yes, "norm > 0.3": no}', "scaled": '{"max > 0.9": no, "norm > 0.3": yes}'},
        {"not scaled": '{"max > 0.9": true, "norm > 0.3": false}', "scaled": '{"max > 0.9": False, "norm > 0.3": True}'},
        {"not scaled": "是，否", "scaled": "否，是"}, {"not scaled": "对 错", "scaled": "错 对"}, {"not scaled": "Y, N", "scaled": "n, y"},
        {"not scaled": "✓ ✗", "scaled": "✗ ✓"}, {"not scaled": ["yes", "no"], "scaled": ["不是", "正确"]},
    ],
    "moving": [
        {"query 1": "{weight: rises}", "query 2": "{weight: falls}"}, {"query 1": "rises", "query 2": "falls"}, {"query 1": "上升", "query 2": "下降"},
        {"query 1": "increases", "query 2": "decreases"}, {"query 1": "rise", "query 2": "fall"}, "rises; falls",
    ],
    "sizes": [
        {"W_q": "{rows: 12288, columns: 128}", "all": "{rows: 1,050,624, columns: 2}"}, {"W_q": "12288, 128", "all": "1050624, 2"}, {"W _ q": "12288, 128", "all": "1050624, 2"}, {"w q": "12288, 128", "all": "1050624, 2"},
        {"W_q": "12,288, 128", "all": "1,050,624, 2"}, {"W_q": "12288 128", "all": "1050624 2"}, "[[12288, 128], [1050624, 2]]",
        {"W_q": "{rows: 96*128, columns: 2^7}", "all": "{rows: 1 050 624, columns: 2}"}, [["12288", "128"], ["1050624", "2"]],
    ],
    "running": [
        {"first": "{m: 2, l: 1.368}", "second": "{m: 4, l: 1.135}"}, [["2", "1.3679"], ["4.0", "1.1353"]], {"first": "2 1.368", "second": "4 1.135"},
    ],
}  # fmt: skip


@pytest.mark.parametrize(("name", "given"), [(n, g) for n, gs in RIGHT.items() for g in gs])
def test_a_right_answer_in_any_form(paper, name, given):
    assert marked(paper, name, given) == ("passed", "", "")


ASKED = "asked for: "
FORM: dict[str, list[Any]] = {  # right or not, the form does not say: the line says which form is wanted, and nothing of the experiment
    "third": ["0,333", "0,3333", ",333", "a third", "one third", "0.33-0.34", "0.3 0.33", "百分之三十三点三", "1:3", "0.333 or 0.334", "1/3/1", "1/3 = 0.5",
              "0.3.33", "0x1", "- 0.333", "--0.333", "3,33e-1", "see above", "nan", "0.333 k", "0.333 million", "1/0", {"p": "0.333"}],
    "whole": ["1050600 + 24 = 1050625", "一百零五万零六二四", "一共 105 万", "1.050.624", "1050,624", "1050624 K", "1.05 million", "1050.624k", "1,05,0624", "105万", "1 MiB", "one million", "1 05 0624"],
    "large": ["65,5", "65504,0", "65.504,0"],
    "memory": ["0.1342 GiB", "134,2 MiB", "134.2 M"],
    "weights": ["[0,1, 0,105, 0,3, 0,495]", "0,1; 0,105; 0,3; 0,495", "0,1 0,105 0,3 0,495", "[0.1, 0.105, 0.3]", "0.1 0.105 0.3 0.2 0.295",
                "a: 0.1, b: 0.105, c: 0.3, d: 0.495", "0.1, x, 0.3, 0.495", "none", {"a": "0.1", "b": "0.105"}, "softmax", "[0,1 0,105 0,3 0,495]"],
    "shape": ["64", "[64]", "64 512 1", "sixty-four, 512", "[B, 512]", "64 KB, 512 KB"],
    "counts": ["603,979,776,1,050,624,512", "603.979.776, 1.050.624, 512", "604M, 1M, 512", "603979776"],
    "matrix": ["[[1, 0.125], [0.25, -3], [0.5, 2]]", "1 0.25 0.5", "[[1, 0.25], [0.5, 0.125, -3, 2]]", "[[1; 0,25; 0,5], [0,125; -3; 2]]"],
    "one": ["e", "a b", "a or b", "b: the values", "the weight of b", "7", "a: the weights", "bb", "none", "[a, b]", "all"],
    "some": ["a, e", "a or c", "not b", "a: the values, c: the queries", "query", "1, 3", "a-c", {"e": "yes"}],
    "order": ["c a b", "[c, a]", "c a b d a", "c first", "a: the values", "none"],
    "changing": [{"query": "same", "key": "changes, changes"}, {"query": "same, changes"}, {"query": "same, maybe", "key": "changes, changes"},
                 {"query": "{weights: same}", "key": "changes, changes"}, {"query": "{weights: same, outputs: changes}", "key": "changes changes"},
                 {"query": "same, changes", "key": "changes, changes", "value": "same, same"}, "same changes", {"query": "yes, no", "key": "yes, yes"},
                 {"query": {"weights": "same", "result": "changes"}, "key": "changes changes"}],
    "facts": [{"not scaled": "yes, perhaps", "scaled": "no, yes"}, {"not scaled": "changes, same", "scaled": "same, changes"}],
    "sizes": [{"W_q": "12288", "all": "1050624, 2"}, {"W_q": "{rows: 12288, columns: x}", "all": "1050624, 2"}, {"W_q": "12.288.000, 128", "all": "1050624, 2"}],
    "running": [{"first": "{m: 2, l: 1,37}", "second": "{m: 4, l: 1,14}"}],
}  # fmt: skip


@pytest.mark.parametrize(("name", "given"), [(n, g) for n, gs in FORM.items() for g in gs])
def test_a_form_that_is_refused_gets_a_line_on_the_form(paper, name, given):
    verdict, english, chinese = marked(paper, name, given)
    assert verdict == "failed"
    assert ASKED in english
    assert "要求的形式：" in chinese
    assert "experiment" not in english
    assert "\n" not in english


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [("small", "1,234", "write 1.234"), ("small", "1·234", "write 1.25"), ("third", "0·333", "two ways"), ("third", "0,333", "decimal comma"), ("weights", "[0,1, 0,105, 0,3, 0,495]", "decimal comma"),
     ("shape", "64,512,1", "write 1.234"), ("running", {"first": "2; 1,368", "second": "4; 1,135"}, "write 1.234"), ("weights", "1,053; 1,053; 3,000; 4,947", "write 1.234"), ("third", "0.33", "at least 3 decimals"), ("running", [["2", "1.37"], ["4", "1.14"]], "at least 3 decimals"),
     ("weights", "0.1, 0.11, 0.3, 0.495", "at least 3 decimals"), ("weights", "0.1, 0.11, 0.3, 0.49", "at least 3 decimals"),
     ("weights", "0,25,0,75", "write decimals with a point"), ("matrix", "[[1, 0.125], [0.25, -3], [0.5, 2]]", "2 rows of 3"),
     ("whole", "1.050.624", "dots between thousands"), ("whole", "1050624 K", "without 'K'"), ("sizes", {"W_q": "12288", "all": "1, 2"}, "needs 2 cells")],
)  # fmt: skip
def test_what_is_said_of_a_form(paper, name, given, said):
    verdict, english, _ = marked(paper, name, given)
    assert verdict == "failed"
    assert said in english
    assert "experiment" not in english


SENTENCES = [
    ("third", "It is 0.333."), ("third", "The answer is about 0.333"), ("third", "答案是 0.333"), ("third", "大约是0.333"), ("third", "约为 0.333"),
    ("third", "权重是 0.333，因为三个分数相等"), ("third", "0.333, because all three are alike"), ("whole", "1048576 + 2048 = 1050624"),
    ("root", "512 的平方根"), ("root", "the square root of 512"),
    ("weights", "大约是 0.1、0.105、0.3、0.495"), ("weights", "输出：[0.1, 0.105, 0.3, 0.495]"), ("weights", "It is 0.1, 0.105, 0.3 and 0.495, because exp(1)/sum"),
    ("weights", "答案：[0.1, 0.105, 0.3, 0.495]"), ("weights", "(1) 0.1 (2) 0.105 (3) 0.3 (4) 0.495"), ("weights", "1: 0.1, 2: 0.105, 3: 0.3, 4: 0.495"),
    ("counts", "603,979,776, 1,050,624 and 512"), ("shape", "64x and 512x"), ("matrix", "first [1, 0.25, 0.5], second [0.125, -3, 2]"),
    ("matrix", "(1, 0.25, 0.5) and (0.125, -3, 2)"), ("matrix", "W_1 = [1, 0.25, 0.5], W_2 = [0.125, -3, 2]"),
    ("one", "The answer is b"), ("one", "it is b"), ("one", "b，因为值由权重混合"), ("one", "b (what mixes the values)"), ("one", "B（权重）"),
    ("some", "A. and C."), ("some", "A. and C"), ("some", "only a and c"), ("some", "只有 a 和 c"), ("some", "a, c because b is wrong"),
    ("some", "a、c 正确"), ("some", "a, c（b 和 d 不对）"), ("some", "对的是 a、c"), ("some", "the queries; the values"), ("order", "先 c，再 a，然后 b，最后 d"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "given"), SENTENCES)
def test_an_answer_in_a_sentence(paper, name, given):
    assert marked(paper, name, given) == ("passed", "", "")


DENIED = [
    ("third", "It is not 0.333"), ("third", "不是 0.333"), ("third", "the wrong one is 0.333"), ("third", "it is 0.333 or 0.5"), ("third", "less than 0.333"),
    ("third", "1 + 1 = 0.333"), ("weights", "not [0.1, 0.105, 0.3, 0.495]"), ("weights", "(1) 0.1 (2) 0.105 (3) 0.3"),
    ("one", "It is not b"), ("one", "不是 b"), ("one", "b (or c)"), ("one", "b (c)"), ("one", "b 不正确"), ("some", "a, c 不对"),
    ("some", "a: no, c: no"), ("some", "a: wrong, c: wrong"), ("some", "a: 错, c: 错"), ("some", "{a: no, c: no}"), ("some", "b: no, d: no"), ("some", {"b": "no", "d": "no"}), ("some", {"a": "no", "c": "no"}),
    ("some", "a: needed, c: not needed"), ("some", "a: 不成立, c: 不成立"), ("some", "a: -, c: -"), ("some", "a: x, c: x"), ("some", "a[ ] c[ ]"), ("some", "[x] a [ ] c"),
    ("some", "a, c (both wrong)"), ("some", "a, c（都是错的）"), ("some", "a, b -> a, c"), ("some", "A: b, c"), ("some", "maybe not a, c"), ("some", "a, c, maybe b"),
    ("one", "~~b~~"), ("one", "b: no"), ("one", "b (wrong)"), ("one", "b（错）"), ("one", "b -> a"), ("one", "I think b or c"), ("one", "probably not b"),
    ("third", "0.333 (wrong)"), ("third", "0.333 (no, 0.5)"), ("third", "0.333（不对）"), ("third", "~~0.333~~"), ("third", "maybe not 0.333"), ("third", "0.333 -> 0.5"),
    ("weights", "~~[0.1, 0.105, 0.3, 0.495]~~"), ("weights", "[0.1, 0.105, 0.3, 0.495] (wrong)"), ("order", "1. c 1. a 3. b 4. d"),
    ("some", "A = C 或 A = 1：a, c"), ("some", "a. or c."),
]  # fmt: skip


@pytest.mark.parametrize(("name", "given"), DENIED)
def test_a_sentence_that_says_something_else(paper, name, given):
    verdict, english, _ = marked(paper, name, given)
    assert verdict == "failed"
    assert "experiment" not in english


def test_a_choice_of_numbers_takes_them_without_commas():
    form = Choice({"a": "50,000", "b": "50,257"})
    assert form.read("50257") == form.read("50,257") == ("b",)


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [("third", "33.3", "write the sign"), ("weights", "10 10.53 30 49.47", "write the sign"), ("third", "66.7", "not what the experiment"),
     ("weights", "[0, 0, 1, 0]", "not what the experiment"), ("weights", "[0.1, 0.2, 0.3, 0.5]", "not what the experiment"),
     ("weights", "sum 0.1, weight 0.105, third 0.3, last 0.495", "sum is not a number"), ("weights", "the weights themselves", "the weights themselves is not a number"),
     ("whole", "1050624 个的一半", "asked for"), ("whole", "1.05e6", "give the exact number"), ("counts", "6.04e8, 1050624, 512", "give the exact number")],
)  # fmt: skip
def test_what_is_said_is_true(paper, name, given, said):
    verdict, english, _ = marked(paper, name, given)
    assert verdict == "failed"
    assert said in english


def test_words_to_choose_from_are_called_words():
    assert Choice({"yes": "yes", "no": "no"}).about().to("en") == "one of the words"
    assert Choice({"a": "yes", "b": "no"}).about().to("en") == "one letter"


WRONG: dict[str, list[Any]] = {
    "third": ["~~0.333~~ 0.5", "0.335", "0.3", "1/4", "34%", "3.33", "0.667", "-1/3", "33.3", "0.33333333334e1", "1/3%", "sqrt(3)", "e/3", "1"],
    "root": ["22.6", "512", "22.60", "sqrt(51)", "256", "16*sqrt(3)", "2^5"],
    "whole": ["1050625", "1050623", "1,050,625", "1.050625e6", "1050624.5", "1050624/2", "1e6", "1.05e6", "1 050 625"],
    "huge": ["14000000014", "13999999999", "14000000001", "1.4000000001e10", "1.4e9", "14,000,000,014"],
    "large": ["65505", "65503.5", "6.5504"],
    "small": ["1.2", "1,234", "1234", "1.5"],
    "weights": ["0.1 0.105 0.495 0.3", "0.1 0.105 0.3 0.5", "10 10.53 30 49.47", "0.1 0.1 0.3 0.5"],
    "shape": ["512, 64", "64, 513", "64,511", "[64.5, 512]"],
    "matrix": ["[[1, 0.25, 0.5], [0.125, 3, 2]]", "[[0.125, -3, 2], [1, 0.25, 0.5]]"],
    "one": ["~~b~~ a", "a", "the queries", "值", "d: because of the weights"],
    "some": ["a: yes, c: no", "~~a~~, c", "a", "a, b, c", "none", "all", "b, d", "ab", {"a": "no", "b": "yes", "c": "no", "d": "yes"}],
    "nothing": ["a", "abcd", "all"],
    "order": ["a: 1, b: 2, c: 3, d: 4", "1. a 2. b 3. c 4. d", "a b c d", "d b a c", "a > b > c > d"],
    "changing": [{"query": "changes, changes", "key": "changes, changes"}, {"query": "changes, same", "key": "changes, changes"}],
    "facts": [{"not scaled": "no, yes", "scaled": "yes, no"}],
    "sizes": [{"W_q": "128, 12288", "all": "1050624, 2"}, {"W_q": "12288, 128", "all": "1050625, 2"}],
    "running": [[["2", "1.3690"], ["4.0", "1.1353"]]],
}  # fmt: skip


@pytest.mark.parametrize(("name", "given"), [(n, g) for n, gs in WRONG.items() for g in gs])
def test_a_wrong_answer_does_not_pass(paper, name, given):
    assert marked(paper, name, given)[0] == "failed"


@pytest.mark.parametrize(
    "given",
    [
        "?",
        "-",
        "...",
        "…",
        "n/a",
        "N/A",
        "TODO",
        "todo",
        "~",
        "_",
        "___",
        "??",
        "—",
        "/",
        "*",
        "null",
        "",
        " ",
        None,
        [],
        {},
    ],
)
def test_what_is_no_answer(paper, given):
    for name in ("third", "one", "weights", "changing"):
        assert marked(paper, name, given)[:2] == ("failed", "not answered yet")


@pytest.mark.parametrize(
    "text", ["1+1", "2-1", "()", "sqrt", "sqrt()", "(1", "1)", "1//2", "9^9^9^9", "2^99999", "lg(2)", "a", "1/(1-1)", "sqrt(0-1)", "__import__", "1;2", "(" * 60, "2^(2^(2^(2^9)))", "ln(0)", "1 2", "1/2*3"]
)  # fmt: skip
def test_what_is_no_expression(text):
    with pytest.raises(NoExpression):
        evaluated(text)


def test_expressions_are_exact_where_they_can_be():
    from fractions import Fraction

    assert evaluated("2^10") == Fraction(1024)
    assert evaluated("sqrt(9/16)") == Fraction(3, 4)
    assert evaluated("12*64*64") == 49152
    assert isinstance(evaluated("1/3"), Fraction)
    assert evaluated("e^2/(1+e^2)") == pytest.approx(0.880797)
    assert evaluated("1/(1+exp(-2))") == pytest.approx(0.880797)


def test_every_refusal_names_no_experiment():
    for name, text in vars(numbers).items():
        if isinstance(text, Text):
            assert "experiment" not in text.to("en"), name


LONG = ["(1) " * 500, "is " * 660, "," * 4_990, "a\n" * 990, "only " * 400, "(b) " * 500, ";0" * 950, "a;" * 980 + "zz"]
LONG += ['only "' + "\n" * 1_900 + "x", "because ½" + "\n" * 4_980 + "root", "…" * 4_990 + "x"]


@pytest.mark.parametrize("given", LONG)
def test_a_long_answer_is_looked_at_only_so_often(paper, given):
    """A sheet has room for a hundred such answers: a grading process would read for minutes else."""
    import time

    started = time.process_time()
    for name in ("some", "one", "weights", "third"):
        assert marked(paper, name, given)[0] == "failed"
    assert time.process_time() - started < 0.5
