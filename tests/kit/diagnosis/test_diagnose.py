"""Every promise that is broken gets its own explanation: values, gradients, inputs, devices, refusals, memory."""

from __future__ import annotations

import sys

import pytest
import torch
from toy_suites import HEAD, course, refusing

from grader.diagnosis import diagnose
from grader.suites.local import LocalTarget
from grader.suites.target import NoAnswer
from grader.texts import Text

VALUES = ["test_values"]  # what is about something else is kept
TWO_ARGUMENTS = f"""{HEAD}
@points(1)
def test_values(matches_reference, make):
    for n in (4, 3):
        matches_reference.f(make.normal(n), make.normal(n))
"""
THREE = """
@points(1)
def test_three(matches_reference, make):
    matches_reference.f(make.normal(3), make.normal(3))
"""


def test_right_work_has_none(found):
    assert found(refusing(lambda x, k: k * x)) == {}


def test_a_refusal_that_is_missing_does_not_silence_wrong_values(found):
    """The stub too returns x for k = 0: nobody is told to have changed nothing for that."""
    assert found(lambda x, k=2.0: x + k) == {"f/adds": VALUES, "general/not_refused": ["test_zero"]}


def test_another_exception_does_not_either(found):
    def f(x, k=2.0):
        return {2.0: x * 2, 3.0: x * 2}[k]

    assert found(f) == {"f/ignores_k": ["test_values"], "general/refused_otherwise": ["test_zero"]}


def test_a_gradient_has_its_own_name_beside_a_refusal(found):
    def f(x, k=2.0):
        return x * k / 2 + (x * k / 2).detach()

    assert found(f) == {"f/halves_the_gradient": ["test_gradient"], "general/not_refused": ["test_zero"]}


def test_a_gradient_belongs_to_its_values(found):
    """The gradient of `halves_the_gradient`, whose values are right; here they are not, so it is another mistake."""
    assert found(refusing(lambda x, k: x * k / 2 + (x * k).detach())) == {}


def test_the_code_as_it_was_handed_out(suites_of_f):
    target = LocalTarget({"f": lambda x, k=2.0: x})
    said = diagnose("f", suites_of_f["f"], list(suites_of_f.run("f", target, 1)), target.call)
    assert [f.misconception for f in said] == ["f/as_given", "general/not_refused"]
    assert said[0].message == Text("This is the code as it was handed out.")


def test_explanations_come_from_the_catalogue(suites_of_f):
    target = LocalTarget({"f": refusing(lambda x, k: x + k)})
    said = diagnose("f", suites_of_f["f"], list(suites_of_f.run("f", target, 1)), target.call)
    assert [f.message for f in said] == [Text("k is added, not multiplied.")]


def test_a_mistake_that_is_none_of_the_known(found):
    assert found(refusing(lambda x, k: x * k * 1.1)) == {}
    assert found(refusing(lambda x, k: None)) == {}


def test_what_two_same_calls_answer_differently_is_random(found):
    assert next(iter(found(refusing(lambda x, k: x * k + torch.rand(x.shape))))) == "general/random"


def test_a_call_that_two_checks_make_alike_is_random_if_its_results_differ(tmp_path):
    suites = course(
        tmp_path,
        HEAD
        + """
X = torch.arange(3.0)

@points(1)
def test_once(matches_reference):
    matches_reference.f(X)

@points(1)
def test_again(matches_reference):
    matches_reference.f(X)
""",
    )
    drawn = torch.Generator().manual_seed(0)
    target = LocalTarget({"f": lambda x: x + torch.randn(3, generator=drawn)})
    said = diagnose("f", suites["f"], list(suites.run("f", target, 1)), target.call)
    assert [f.misconception for f in said] == ["general/random"]


CHOICE = (
    HEAD
    + """
@error_bound("f")
def bound(x):
    return 4 * x.abs(), None

@points(1)
def test_values(matches_reference, make):
    matches_reference.f(make.normal(3))

test_gradient = laws.gradient(1, lambda ask, make: ask.of(0).f(make.normal(3)))
test_remembers = laws.remembers_nothing(1, lambda ask, make: ask.f(make.normal(3)))

KNOWN = misconceptions("f", tripled=lambda x: (3 * x, x), held=lambda x: (2 * x.detach(), x), alone=lambda x: 2 * x)
"""
)


def test_what_is_the_students_choice_hides_no_mistake(tmp_path):
    """The second result may be anything of its form; the first is compared with that of the known mistakes."""
    suites = course(tmp_path, CHOICE, "def f(x):\n    return 2 * x, x\n")
    texts = "".join(f"{name}: {name}.\n" for name in ("tripled", "held", "alone"))
    (tmp_path / "hidden" / "f.yaml").write_text(texts, encoding="utf-8")

    def names(function, alone=None):
        target = LocalTarget({"f": function})
        said = diagnose("f", suites["f"], list(suites.run("f", target, 1)), alone or target.call)
        return [f.misconception for f in said]

    assert names(lambda x: (2 * x, x.flip(0))) == []
    assert names(lambda x: (3 * x, x.flip(0))) == ["f/tripled"]
    assert names(lambda x: (2 * x.detach(), x.flip(0))) == ["f/held"]
    assert names(lambda x: 2 * x) == ["f/alone"]
    assert names(lambda x: (3 * x, x[:2])) == []
    came = []

    def remembers(x):
        came.append(x)
        return 2 * came[0], x.flip(0)

    fresh = LocalTarget({"f": lambda x: (2 * x, x.flip(0))})
    assert names(remembers, fresh.call)[0] == "general/remembers"


TWICE = (
    HEAD
    + """
@points(1)
def test_values(matches_reference, make):
    matches_reference.f(make.normal(3))

KNOWN = misconceptions("f", tripled=lambda x: 3 * x, added=lambda x: x + x + x)
"""
)


def test_two_mistakes_in_the_same_words_are_said_once(tmp_path):
    suites = course(tmp_path, TWICE)
    texts = "".join(f"{name}: Three times.\n" for name in ("tripled", "added"))
    (tmp_path / "hidden" / "f.yaml").write_text(texts, encoding="utf-8")
    target = LocalTarget({"f": lambda x: 3 * x})
    said = diagnose("f", suites["f"], list(suites.run("f", target, 1)), target.call)
    assert [f.message.to("en") for f in said] == ["Three times."]


def test_two_calls_in_a_row_with_the_same_arguments_are_random_if_their_results_differ(tmp_path):
    suite = HEAD + "\n@points(1)\ndef test_seeds(matches_reference):\n    matches_reference.turns.f((1,), (1,), (2,))\n"
    suites = course(tmp_path, suite, "import torch\n\ndef f(seed):\n    return torch.tensor([1.0 * seed])\n")
    drawn = torch.Generator().manual_seed(0)
    target = LocalTarget({"f": lambda seed: torch.randn(1, generator=drawn)})
    said = diagnose("f", suites["f"], list(suites.run("f", target, 1)), target.call)
    assert [f.misconception for f in said] == ["general/random"]
    target = LocalTarget({"f": lambda seed: torch.tensor([-1.0 * seed])})
    assert diagnose("f", suites["f"], list(suites.run("f", target, 1)), target.call) == []


BLOCK = f"""{HEAD}
def block(probe, **options):
    return probe.made(state={{"scale": torch.tensor([2.0, 3.0])}}, **options).Block(torch.ones(2))

@points(1)
def test_once(matches_reference):
    block(matches_reference)

@points(1)
def test_in_training(matches_reference):
    block(matches_reference, train=True)

@points(1)
def test_again(matches_reference):
    block(matches_reference)
"""
SCALE = """
from torch import nn

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(2))

    def forward(self, x):
        return x * self.scale
"""


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("x * self.scale", []),
        ("x + self.scale", []),
        ("x * self.scale * (torch.rand(2, generator=DRAWN) if self.training else 1)", ["general/random"]),
        ("x * self.scale * torch.rand(2, generator=DRAWN)", ["general/random"]),
    ],
)
def test_what_objects_answer_is_compared_with_what_they_answer_again(tmp_path, formula, said):
    """Weights made anew for each check, so that the same call is equal to another one and not the same object."""
    suites = course(tmp_path, BLOCK, f"import torch{SCALE}")
    wrong = {"torch": torch, "DRAWN": torch.Generator().manual_seed(0)}
    exec(SCALE.replace("x * self.scale", formula), wrong)
    target = LocalTarget({"Block": wrong["Block"]})
    told = diagnose("f", suites["f"], list(suites.run("f", target, 1)), target.call)
    assert [f.misconception for f in told] == said


OWN = f"""{HEAD}
from grader.suites import expect

@points(1)
def test_new(student):
    expect(bool((student.made().Block(torch.ones(2)).abs() < 1).all()), "a new one is too large")

@points(1)
def test_once(matches_reference):
    matches_reference.made(state={{"scale": torch.tensor([2.0, 3.0])}}).Block(torch.ones(2))

@points(1)
def test_method(matches_reference):
    matches_reference.made(state={{"scale": torch.tensor([2.0, 3.0])}}).by_method("grow").Block(torch.ones(2))


class Added(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.zeros(2))

    def forward(self, x):
        return x + self.scale

    def grow(self, by):
        self.scale.data += by
        return self.scale.data.clone()


KNOWN = misconceptions("Block", added=Added)
"""
GROWING = """
from torch import nn

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(SIZE * torch.rand(2))

    def forward(self, x):
        return x * self.scale

    def grow(self, by):
        self.scale.data += by
        return self.scale.data.clone()
"""


@pytest.mark.parametrize(
    ("size", "change", "said"),
    [
        ("0.9", ("x * self.scale", "x + self.scale"), ["f/added"]),
        ("9.0", ("x * self.scale", "x + self.scale"), ["f/added"]),
        ("9.0", ("", ""), []),
        ("0.9", ("+= by", "-= by"), []),
    ],
)
def test_what_weights_of_their_own_lead_to_is_no_matter_and_a_method_may_change_its_object(
    tmp_path, size, change, said
):
    suites = course(tmp_path, OWN, "import torch" + GROWING.replace("SIZE", "0.5"))
    (tmp_path / "hidden" / "f.yaml").write_text("added: Added.\n", encoding="utf-8")
    wrong = {"torch": torch}
    exec(GROWING.replace("SIZE", size).replace(*change), wrong)
    target = LocalTarget({"Block": wrong["Block"]})
    told = diagnose("f", suites["f"], list(suites.run("f", target, 1)), target.call)
    assert [f.misconception for f in told] == said


def test_random_numbers_are_no_matter_where_the_result_has_another_form(found):
    assert found(refusing(lambda x, k: torch.rand(len(x) + 1))) == {}


def test_what_is_computed_in_half_precision_is_nearly_right(found):
    told = found(refusing(lambda x, k: (x.bfloat16() * k).to(x.dtype)))
    assert told == {"general/nearly": ["test_gradient", *VALUES]}


def test_another_default_is_told_where_the_call_that_names_the_right_one_is_right(found, suites_of_f):
    def f(x, k=5.0):
        return refusing(lambda x, k: x * k)(x, k)

    assert found(f) == {"general/other_default": ["test_values"]}
    target = LocalTarget({"f": f})
    (said,) = diagnose("f", suites_of_f["f"], list(suites_of_f.run("f", target, 1)), target.call)
    assert said.message.to("en").startswith("The same call is right once k=2.0 is written out")
    assert "k=2.0" in said.message.to("zh")


@pytest.mark.parametrize(("answer", "name"), [(lambda x, y: x, "x"), (lambda x, y: y + 0, "y")])
def test_an_argument_that_comes_back_is_told(tmp_path, answer, name):
    suites = course(tmp_path, TWO_ARGUMENTS, "def f(x, y):\n    return x * y\n")
    target = LocalTarget({"f": answer})
    (said,) = diagnose("f", suites["f"], list(suites.run("f", target, 1)), target.call)
    assert said.misconception == "general/given_back"
    assert said.message.to("en").startswith(f"The function returns its argument {name} unchanged")
    assert f"参数 {name}：" in said.message.to("zh")


def test_an_argument_that_comes_back_from_one_wrong_call_only_is_not(tmp_path):
    suites = course(tmp_path, TWO_ARGUMENTS + THREE, "def f(x, y):\n    return x * y\n")
    target = LocalTarget({"f": lambda x, y: x if len(x) == 4 else x * x + y})
    assert diagnose("f", suites["f"], list(suites.run("f", target, 1)), target.call) == []


def test_calls_by_names_that_are_not_known_hide_no_mistake(tmp_path):
    """The error of a check of names says what is wrong with them; what the function computes is looked at without."""
    named = TWO_ARGUMENTS.replace("make.normal(n), make.normal(n)", "make.normal(n), y=make.normal(n)")
    text = TWO_ARGUMENTS + named.removeprefix(HEAD).replace("test_values", "test_keywords")
    text += "\nKNOWN = misconceptions('f', adds=lambda x, y: x + y)\n"
    suites = course(tmp_path, text, "def f(x, y):\n    return x * y\n")

    def told(answer):
        target = LocalTarget({"f": answer})
        return [s.misconception for s in diagnose("f", suites["f"], list(suites.run("f", target, 1)), target.call)]

    assert told(lambda x, other: x + other) == ["f/adds"]
    assert told(lambda x, y: sorted(x + y, no="such name")) == []


def test_rounding_that_a_known_mistake_explains_better_is_told_once(tmp_path):
    text = f"""{HEAD}
@error_bound("f")
def bound(x):
    return x.abs()

@points(1)
@dtypes("float16", "float32")
def test_values(matches_reference, make, dtype):
    matches_reference.f(make.normal(40))

KNOWN = misconceptions("f", rounds=lambda x: (x / 4).round(decimals=1))
"""
    suites = course(tmp_path, text, "def f(x):\n    return x / 4\n")
    target = LocalTarget({"f": lambda x: (x * 0.25).round(decimals=1)})
    (said,) = diagnose("f", suites["f"], list(suites.run("f", target, 1)), target.call)
    assert said.misconception == "f/rounds"
    assert len(said.checks) == 2


def test_results_in_another_order_are_told(tmp_path):
    suites = course(tmp_path, TWO_ARGUMENTS, "def f(x, y):\n    return x * y, x, [y]\n")

    def named(answer):
        target = LocalTarget({"f": answer})
        return diagnose("f", suites["f"], list(suites.run("f", target, 1)), target.call)

    (said,) = named(lambda x, y: (x, [y], x * y))
    assert said.misconception == "general/other_order"
    assert said.message.to("en").endswith("return yours as 3, 1, 2.")
    assert "3、1、2" in said.message.to("zh")
    assert named(lambda x, y: (x, [y], x + y)) == []


def test_results_in_another_order_are_told_beside_calls_that_end_in_an_exception(tmp_path):
    suites = course(tmp_path, TABLES, "def f(x, y):\n    return x[None] * y[:, None], x\n")

    def named(*order):
        def answer(x, y):
            assert len(x) < 5
            return [(x[None] * y[:, None], x)[n] for n in order]

        target = LocalTarget({"f": answer})
        return [
            (s.misconception, len(s.checks))
            for s in diagnose("f", suites["f"], [*suites.run("f", target, 1)], target.call)
        ]

    assert named(1, 0) == [("general/other_order", 2)]
    assert named(0, 1) == []


TABLES = HEAD + "".join(
    f"""
@points(1)
def test_{n}(matches_reference, make):
    matches_reference.f(make.normal({n}, 3), make.normal(4, 3))
"""
    for n in (1, 2, 5)
)


def test_axes_in_another_order_are_told(tmp_path):
    suites = course(tmp_path, TABLES, "def f(x, y):\n    return x[None] * y[:, None]\n")

    def named(answer):
        target = LocalTarget({"f": answer})
        return diagnose("f", suites["f"], list(suites.run("f", target, 1)), target.call)

    (said,) = named(lambda x, y: (x[None] * y[:, None]).permute(2, 0, 1))
    assert said.misconception == "general/other_axes"
    assert said.message.to("en").endswith("put yours in the order 1, 2, 0.")
    assert "1、2、0" in said.message.to("zh")
    assert named(lambda x, y: (x[None] + y[:, None]).permute(2, 0, 1)) == []


def test_a_result_that_is_always_the_same_is_told(tmp_path):
    suites = course(tmp_path, TABLES, "def f(x, y):\n    return (x[None] * y[:, None]).sum(0)\n")

    def named(answer):
        target = LocalTarget({"f": answer})
        return [s.misconception for s in diagnose("f", suites["f"], list(suites.run("f", target, 1)), target.call)]

    assert named(lambda x, y: torch.ones(2, 3)) == ["general/constant"]
    assert named(lambda x, y: torch.ones(len(x), 3)) == []
    assert named(lambda x, y: torch.ones(2, 3, device="meta")) == []
    assert named(lambda x, y: None) == []


def test_an_argument_without_effect_is_told(tmp_path):
    suites = course(tmp_path, TWO_ARGUMENTS, "def f(x, y):\n    return x * y\n")
    target = LocalTarget({"f": lambda x, y: x * x})
    (said,) = diagnose("f", suites["f"], list(suites.run("f", target, 1)), target.call)
    assert said.misconception == "general/no_difference"
    assert said.message.to("en") == "Changing y leaves the result of f as it is. Is an argument forgotten?"


OPTIONAL = (
    HEAD
    + """
@points(1)
def test_without(matches_reference, make):
    matches_reference.f(make.normal(3))

@points(1)
def test_with(matches_reference, make):
    matches_reference.f(make.normal(3), y=make.normal(3))

@points(1)
def test_more(matches_reference, make):
    matches_reference.f(make.normal(4), y=make.normal(4))
"""
)


def test_an_optional_argument_is_tried_where_the_result_is_right_and_it_is_passed(tmp_path):
    suites = course(tmp_path, OPTIONAL, "def f(x, y=None):\n    return x if y is None else x * y\n")
    target = LocalTarget({"f": lambda x, y=None: x if y is None or len(x) > 3 else x * y})
    assert diagnose("f", suites["f"], list(suites.run("f", target, 1)), target.call) == []


def test_an_argument_that_has_an_effect_where_the_result_is_right_is_not_called_forgotten(tmp_path):
    suites = course(tmp_path, TWO_ARGUMENTS, "def f(x, y):\n    return x * y\n")
    target = LocalTarget({"f": lambda x, y: x * (y if len(x) == 4 else x)})
    assert diagnose("f", suites["f"], list(suites.run("f", target, 1)), target.call) == []


def test_an_argument_that_has_an_effect_in_another_wrong_result_is_not_called_forgotten(tmp_path):
    suites = course(tmp_path, TWO_ARGUMENTS + THREE, "def f(x, y):\n    return x * y\n")
    target = LocalTarget({"f": lambda x, y: x * (x if len(x) == 4 else x + y)})
    assert diagnose("f", suites["f"], list(suites.run("f", target, 1)), target.call) == []


def test_a_constant_or_nan_is_no_argument_without_effect(tmp_path):
    suites = course(tmp_path, TWO_ARGUMENTS, "def f(x, y):\n    return x * y\n")
    for answer in (0.0, float("nan")):
        target = LocalTarget({"f": lambda x, y, answer=answer: torch.full_like(x, answer)})
        assert diagnose("f", suites["f"], list(suites.run("f", target, 1)), target.call) == []


class Counting:
    """A function that multiplies by one more at each call."""

    def __init__(self) -> None:
        self.before = 0

    def __call__(self, x, k=2.0):
        self.before += 1
        return refusing(lambda x, k: x * (k + self.before - 1))(x, k)


def fresh(call):
    return LocalTarget({"f": Counting()}).call(call)


def test_what_is_right_when_called_alone_remembers(found):
    name, checks = next(iter(found(Counting(), fresh).items()))
    assert name == "general/remembers"
    assert {"test_remembers", "test_values"} <= {*checks}


def test_what_is_wrong_when_called_alone_too_does_not(found):
    assert "general/remembers" not in found(Counting())


def test_a_result_that_a_later_call_overwrites_remembers(found):
    """Each call by itself is right, so only calls in a row show it."""
    kept = torch.zeros(3)

    def f(x, k):
        y = x * k
        return y if y.requires_grad or y.shape != kept.shape or y.dtype != kept.dtype else kept.copy_(y)

    assert found(refusing(f)) == {"general/remembers": ["test_remembers"]}


def test_what_is_made_on_the_cpu_was_remembered(found):
    first = []

    def f(x, k):
        first.append(x * k)
        return first[0] if first[0].shape == x.shape else x * k

    said = found(refusing(f), lambda call: LocalTarget({"f": refusing(lambda x, k: x * k)}).call(call))
    assert list(said) == ["general/remembers"]


def test_what_does_not_answer_alone_does_not(found):
    def lost(call):
        raise NoAnswer("crashed", Text("gone"))

    assert "general/remembers" not in found(Counting(), lost)


@pytest.mark.skipif(sys.platform != "linux", reason="the fork server is Linux only")
def test_a_report_tells_an_unknown_value_beside_a_known_mistake(scale):
    """That a refusal is missing takes nothing from what can be said of the values."""
    report = scale("def scale(x, factor=2.0):\n    return x - factor\n")
    assert [d.misconception for d in report.diagnoses] == ["general/not_refused"]
    assert report.chief == "test_values[cpu-float32]"
    assert "none of the known mistakes; what can be seen: the result lies between" in report.reason.to("en")
