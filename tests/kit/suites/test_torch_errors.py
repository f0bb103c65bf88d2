"""Torch's own words are kept, with the student's line, and what they mean is said beside them.

Every case raises the real exception of the torch at hand: a new wording of torch's is found here.
"""

# ruff: noqa: E501 -- tables with one line a line of code

from __future__ import annotations

import re

import pytest
import torch

from grader.sandbox.processes import Inspect, Load, Raised
from grader.sandbox.worker.worker import Session
from grader.suites import exceptions, torch_errors
from grader.suites.target import Call, StudentError

pytestmark = pytest.mark.usefixtures("as_before")

HEAD = "import torch\nfrom torch import nn\n\n\ndef f(x, m):  # x [2, 3], m [4, 5]\n    "
LINE = HEAD.count("\n") + 1
X, M = torch.arange(6.0).reshape(2, 3), torch.arange(20.0).reshape(4, 5)


def raised(body: str, gradients: bool = False, contract: bool = False) -> StudentError:
    """What the body of f raises in a worker."""
    session = Session()
    session.answer(Inspect(HEAD + body + "\n", "f", (), ("f",)), bytearray())
    session.answer(Load(1 << 20, ()), bytearray())
    request, parts = Call("f", (X, M), gradients=gradients, contract=contract).encoded
    reply, _ = session.answer(request, bytearray(b"".join(parts)))
    assert isinstance(reply, Raised), reply
    return StudentError.of(reply)


# What torch.compile ends with in the sandbox; made outside, as its compiler takes seconds to load.
NO_GPU = "Torch not compiled with CUDA enabled"  # what torch says depends on the machine
UNCOMPILED = "PermissionError: [Errno 1] Operation not permitted Set TORCHDYNAMO_VERBOSE=1 for the internal stack trace"

MEANS = {  # the line, what is said of it
    "x + m": "these shapes do not broadcast: counted from 0, dimension 1 is 3 in one and 5 in the other, and neither is 1",
    "x[m[:2, 0] > 0] = 0; x[m > 0] = 0": "a boolean index has the shape of what it picks from: [2, 3], not [4, 5]; torch.where broadcasts it, and keepdim=True keeps a dimension",
    "return x[:1].expand(4, 3).log_()": "an expanded tensor is changed in place, and many of its entries are one; make a new tensor",
    "import math; math.log(0)": "the module math has no value for this number: a logarithm of 0, say, or the root of a negative one",
    "import math; math.sqrt(-1)": "the module math has no value for this number: a logarithm of 0, say, or the root of a negative one",
    "x.expand(4, 3)": "a tensor cannot be expanded from size 2 to 4; only a dimension of size 1 can be",
    "x.max(-1) == x or torch.where(x.max(-1), 0, x)": "along a dimension, max gives two things, values and indices",
    "x.view(2, 6 / 2)": "a size is a float here; / always gives one, // gives a whole number",
    "torch.ones(2, None)": "a size is None here: was an optional argument left out?",
    "torch.sqrt(x.shape[-1])": "torch.sqrt takes a tensor; for a number there is the module math, or ** 0.5 for a root",
    "m @ x[0]": "a matrix of 4x5 times a vector of 3: the inner sizes differ; are the factors the wrong way round?",
    "x @ m": "a matrix product of 2x3 and 4x5: the inner sizes differ; is a transpose missing?",
    "torch.bmm(x[None], m[None])": "a batched matrix product whose sizes differ: the second should begin with [1, 3], not [1, 4]",
    "torch.mm(x[None], m)": "this product or transpose takes a fixed number of dimensions; `@` and .transpose(-2, -1) take any",
    "torch.mm(x, m[None])": "this product or transpose takes a fixed number of dimensions",
    "torch.bmm(x, m[None])": "this product or transpose takes a fixed number of dimensions",
    "x[None].t()": "this product or transpose takes a fixed number of dimensions",
    "x.T.view(6)": ".view needs a tensor that is contiguous in memory",
    "x.reshape(4, 2)": "6 entries do not fit into the shape [4, 2]: its sizes must multiply to 6",
    "x @ m[:3].double()": "two tensors of different dtypes meet here; give what you make yourself the dtype of the input",
    "nn.functional.linear(x, m[:, :3].half())": "two tensors of different dtypes meet here",
    "x.half().masked_fill(x > 0, -1e9)": "the number does not fit into this dtype (the largest float16 is 65504)",
    "x.softmax(3)": "the tensor has no dimension 3: it has -2 to 1",
    "x.bfloat16().numpy()": "numpy has no BFloat16, and cannot take part in autograd; stay with torch",
    "x[0].shape[1]": "what is indexed has fewer parts; a tensor's shape has as many as the tensor has dimensions",
    "x[2]": "index 2 in a dimension of size 2, whose last index is one less than its size",
    "torch.cat([x, m])": "joined along dimension 0, all other sizes must agree: here 3 meets 5; another dim?",
    "torch.cat([x, m[0]])": "what is joined must have the same number of dimensions: here 2 and 1",
    "x.permute(0, 1, 2)": "permute must name every dimension of the tensor, once each",
    "x if x > 0 else m": "`if`, `and`, `or` and `not` want one truth value, and a tensor has many",
    "float(x)": "a tensor with many entries cannot become one number; .item(), int() and math take one entry",
    "x.item()": "a tensor with many entries cannot become one number",
    "range(x)": "a tensor with many entries cannot become one number",
    "1 - (x > 0) - (x < 0)": "booleans cannot be subtracted; ~mask turns a boolean mask around",
    "torch.einsum('ij,jk->ik', x, m)": "the letters of einsum do not fit the shapes: one letter a dimension, one size a letter",
    "torch.nn.functional.gelu(x.long())": "torch has no such operation for Long tensors; convert first, or compute in another dtype",
    "x.long().div_(2.5)": "the result is Float and cannot be stored in a tensor of Long; make that tensor in the right dtype",
    "b, t, d = x.shape": "3 names on the left, but not 3 values on the right; how many dimensions are there?",
    "b, = x.shape": "1 names on the left, but not 1 values on the right",
    "None.shape": "a value here is None: an optional argument that was left out, or a function without return",
    "x * None": "a value here is None",
    "f(x, mask=m)": "callers pass mask= by its name: the parameters keep the names that the stub gives them",
    "np.exp(x)": "an import is missing at the top of the file",
    "F.softmax(x, -1)": "an import is missing at the top of the file",
    "torch.mv(x, m)": "this product or transpose takes a fixed number of dimensions",
    "[row for row in x.sum()]": "this tensor is a single number, without dimensions: it has no entries to go through or pick from",
    "len(x.sum())": "this tensor is a single number, without dimensions",
    "x.sum()[0]": "this tensor is a single number, without dimensions",
    "x.sum()[:1]": "this tensor is a single number, without dimensions",
    "setattr(object.__new__(nn.Linear), 'w_q', nn.Linear(2, 2))": "super().__init__() has to be the first line of __init__",
    "nn.Module()(x)": "the class has no method forward: how is it spelt, and is it indented as part of the class?",
    "x.size[-1]": "a method is called with round brackets, x.size(-1); a shape is indexed, x.shape[-1]",
    "x.shape(-1)": "round brackets call a function, and this is a tensor or a shape: x.T, x.shape[-1], 2 * (a + b)",
    "x.T()": "round brackets call a function, and this is a tensor or a shape",
    "w = w + x": "this variable gets its value in a branch or loop that did not run; give it one before",
    "torch.stack([x, m])": "torch.stack takes tensors of one shape, not [2, 3] and [4, 5]; torch.cat joins along a dimension",
    "torch.cat(x)": "what is joined is passed as one list: torch.cat([a, b])",
    "x.masked_fill(x, 0)": "a tensor of numbers stands where True and False are wanted: compare (x == 0), or take .bool()",
    "~x": "a tensor of numbers stands where True and False are wanted",
    "torch.where(x, x, 0)": "a tensor of numbers stands where True and False are wanted",
    "range(6 / 2)": "a whole number is wanted here; / always gives a float, // gives a whole number",
    "x[: 6 / 2]": "a whole number is wanted here",
    "x.triu(6 / 2)": "a whole number is wanted here",
}
BACKWARD = {
    "e = x.exp(); e += 1; return e": "the backward pass needs a value that was overwritten",
    "x -= 1; return x": "an input is changed in place (`x -= m`, `x[...] = 0`, `x.exp_()`), which autograd refuses",
    "x[0] = 0; return x": "an input is changed in place",
    "return x.numpy()": "numpy cannot take part in autograd; stay with torch, and gradients flow",
    "x.detach().sum().backward()": "no gradient can flow: a detach, .data, no_grad or a new tensor made from values has cut it",
}


ALONE = {  # of a file that cannot be run
    "import no_such_module\n\nf = no_such_module.f": "Python's own modules, those of the course and the files that you hand in are there",
    "def f（x）：\n    return x": "this character belongs to prose, not to Python",
    "s = “x”": "this character belongs to prose, not to Python",
    "def f(x):\n\u00a0\u00a0return x": "web pages and word processors put invisible characters into a text",
    "if 1:\n        x = 1\n\ty = 2": "some lines begin with tabs and others with spaces, which look alike",
}


def unread(source: str) -> StudentError:
    """What a file with this source comes to in a worker."""
    session = Session()
    found, _ = session.answer(Inspect(source, "f", (), ("f",)), bytearray())
    reply = found if isinstance(found, Raised) else session.answer(Load(1 << 20, ()), bytearray())[0]
    assert isinstance(reply, Raised), reply
    return StudentError.of(reply)


@pytest.mark.parametrize("source", ALONE)
def test_what_keeps_a_file_from_running(source):
    said = exceptions.import_failed(unread(source), "f.py")
    assert f"[{ALONE[source]}" in said.to("en"), said.to("en")
    assert said.to("zh") != said.to("en")


@pytest.mark.parametrize("line", MEANS)
def test_what_an_exception_means(line):
    error = raised(line)
    said = exceptions.raised(error)
    assert f" on line {LINE}, `{line}`" in said.to("en")
    assert f"[{MEANS[line]}" in said.to("en"), said.to("en")
    assert said.to("zh") != said.to("en")


@pytest.mark.parametrize("line", BACKWARD)
def test_what_an_exception_on_the_way_back_means(line):
    said = exceptions.raised(raised(line, gradients=True))
    assert f"[{BACKWARD[line]}" in said.to("en"), said.to("en")


def test_what_two_devices_mean():
    said = exceptions.raised(raised("x + torch.ones(3)", contract=True))
    assert f" on line {LINE}, `x + torch.ones(3)`: add: " in said.to("en")
    assert "[two devices meet here: torch.arange, zeros, ones and tensor take device=x.device" in said.to("en")


def test_a_stub_is_told_from_an_operation_that_torch_does_not_have():
    """Both raise NotImplementedError."""
    assert exceptions.raised(raised("raise NotImplementedError")) == exceptions.NOT_STARTED
    assert exceptions.raised(raised("raise NotImplementedError('later')")) == exceptions.NOT_STARTED
    assert exceptions.raised(raised("return torch.nn.functional.gelu(x.long())")) != exceptions.NOT_STARTED
    assert exceptions.raised(raised("return nn.Module()(x)")) != exceptions.NOT_STARTED


def test_the_shapes_of_the_line_are_named():
    assert exceptions.raised(raised("x @ m")).to("en").endswith("is a transpose missing?; x [2, 3], m [4, 5]]")


def test_who_called_is_named():
    said = exceptions.raised(raised("return g(x, m)\n\ndef g(a, b):\n    return a @ b"))
    assert f"on line {LINE + 3}, `return a @ b`, called from line {LINE}" in said.to("en")


def test_torchs_own_words_stay():
    assert "mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)" in exceptions.raised(raised("x @ m")).to("en")


def test_what_is_not_known_is_left_as_it_is():
    assert torch_errors.explained("something else altogether") is None
    assert (
        exceptions.raised(raised("raise KeyError('k')")).to("en")
        == f"raises KeyError on line {LINE}, `raise KeyError('k')`: 'k'"
    )


def test_every_explanation_is_tried():
    """The patterns that no case above matches: none."""
    messages = [raised(line).message for line in MEANS] + [raised(line, True).message for line in BACKWARD]
    messages += [unread(source).message for source in ALONE]
    messages.append(raised("x + torch.ones(3)", contract=True).message)
    messages += [UNCOMPILED, NO_GPU]
    matched = {p for p, _ in torch_errors._KNOWN if any(re.search(p, m) for m in messages)}
    assert [p for p, _ in torch_errors._KNOWN if p not in matched] == []


def test_a_gpu_that_is_not_there_is_told_to_be_left_out():
    meaning = torch_errors.explained(NO_GPU)
    assert "takes the device of an input" in meaning.to("en")
    assert meaning.to("zh") != meaning.to("en")


def test_a_compiler_that_may_not_work_is_told_to_be_left_out():
    meaning = torch_errors.explained(UNCOMPILED)
    assert "leave it out" in meaning.to("en")
    assert "去掉" in meaning.to("zh")
