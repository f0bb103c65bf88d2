"""The meaning of the most frequent exceptions of torch and Python, in a sentence for somebody who meets them first."""

from __future__ import annotations

import re

from grader.texts import Text, either, plain, translated

NO_CUDA = "Torch not compiled with CUDA|NVIDIA driver|No CUDA GPUs|no CUDA-capable device"

_KNOWN: tuple[tuple[str, Text], ...] = (
    (
        r"TORCHDYNAMO_VERBOSE",
        translated(
            "torch.compile builds programs on the way, which the sandbox forbids; leave it out, nothing else changes"
        ),
    ),
    (
        r"torch\.return_types\.(?P<name>\w+)",
        translated(
            "along a dimension, {name} gives two things, values and indices; take .values (for max and min there are "
            "amax and amin)"
        ),
    ),
    (
        r"failed to unpack the object at pos \d+ with error \"type must be tuple of ints, ?but got float",
        translated("a size is a float here; / always gives one, // gives a whole number"),
    ),
    (
        r"failed to unpack the object at pos \d+ with error \"type must be tuple of ints, ?but got NoneType",
        translated("a size is None here: was an optional argument left out?"),
    ),
    (
        r"(?P<name>\w+)\(\): argument 'input' \(position 1\) must be Tensor, not (?P<kind>int|float)",
        translated("torch.{name} takes a tensor; for a number there is the module math, or ** 0.5 for a root"),
    ),
    (
        r"size mismatch, got input \(\d+\), mat \((?P<mat>\S+)\), vec \((?P<vec>\d+)\)",
        translated(
            "a matrix of {mat} times a vector of {vec}: the inner sizes differ; are the factors the wrong way round?"
        ),
    ),
    (
        r"The size of tensor a \((?P<a>\d+)\) must match the size of tensor b \((?P<b>\d+)\) at non-singleton dimension"
        r" (?P<dim>\d+)",
        translated(
            "these shapes do not broadcast: counted from 0, dimension {dim} is {a} in one and {b} in the other, and "
            "neither is 1"
        ),
    ),
    (
        r"The expanded size of the tensor \((?P<a>\d+)\) must match the existing size \((?P<b>\d+)\)",
        translated("a tensor cannot be expanded from size {b} to {a}; only a dimension of size 1 can be"),
    ),
    (
        r"mat1 and mat2 shapes cannot be multiplied \((?P<a>\S+) and (?P<b>\S+)\)",
        translated("a matrix product of {a} and {b}: the inner sizes differ; is a transpose missing?"),
    ),
    (
        r"Expected size for first two dimensions of batch2 tensor to be: \[(?P<want>.*?)\] but got: \[(?P<got>.*?)\]",
        translated(
            "a batched matrix product whose sizes differ: the second should begin with [{want}], not [{got}]; is a "
            "transpose missing, or are the wrong dimensions swapped?"
        ),
    ),
    (
        r"(self must be a matrix|mat2 must be a matrix|batch1 must be a 3D tensor|batch2 must be a 3D tensor"
        r"|1D tensors expected|vector \+ matrix @ vector expected|t\(\) expects a tensor with <= 2 dimensions)",
        translated("this product or transpose takes a fixed number of dimensions; `@` and .transpose(-2, -1) take any"),
    ),
    (
        r"iteration over a 0-d tensor|len\(\) of a 0-d tensor|(invalid index of|be applied to) a 0-dim tensor",
        translated("this tensor is a single number, without dimensions: it has no entries to go through or pick from"),
    ),
    (
        r"cannot assign (module|parameters?) before Module\.__init__\(\) call",
        translated("super().__init__() has to be the first line of __init__"),
    ),
    (
        r"is missing the required \"forward\" function",
        translated("the class has no method forward: how is it spelt, and is it indented as part of the class?"),
    ),
    (
        r"'builtin_function_or_method' object is not subscriptable",
        translated("a method is called with round brackets, x.size(-1); a shape is indexed, x.shape[-1]"),
    ),
    (
        r"'(torch\.Size|Tensor)' object is not callable",
        translated("round brackets call a function, and this is a tensor or a shape: x.T, x.shape[-1], 2 * (a + b)"),
    ),
    (
        r"cannot access local variable '(?P<name>\w+)'|local variable '(?P<old>\w+)' referenced before assignment",
        translated("this variable gets its value in a branch or loop that did not run; give it one before"),
    ),
    (
        r"stack expects each tensor to be equal size, but got \[(?P<a>.*?)\] at entry 0 and \[(?P<b>.*?)\]",
        translated("torch.stack takes tensors of one shape, not [{a}] and [{b}]; torch.cat joins along a dimension"),
    ),
    (
        r"must be tuple of Tensors, not Tensor",
        translated("what is joined is passed as one list: torch.cat([a, b])"),
    ),
    (
        r"only supports boolean masks|is only implemented on integer and Boolean-type|condition to be a boolean tensor",
        translated("a tensor of numbers stands where True and False are wanted: compare (x == 0), or take .bool()"),
    ),
    (
        r"'float' object cannot be interpreted as an integer|slice indices must be integers|must be int, not float",
        translated("a whole number is wanted here; / always gives a float, // gives a whole number"),
    ),
    (
        r"view size is not compatible with input tensor's size and stride",
        translated(
            ".view needs a tensor that is contiguous in memory, and after transpose or permute it is not; use "
            ".reshape, or .contiguous() first"
        ),
    ),
    (
        r"shape '(?P<shape>.*?)' is invalid for input of size (?P<size>\d+)",
        translated("{size} entries do not fit into the shape {shape}: its sizes must multiply to {size}"),
    ),
    (
        r"one of the variables needed for gradient computation has been modified by an inplace operation",
        translated(
            "the backward pass needs a value that was overwritten: something like `x -= m`, `x[...] = 0` or "
            "`x.exp_()` changes a tensor in place; make a new one"
        ),
    ),
    (
        r"a (view of a )?leaf Variable that requires grad is being used in an in-place operation",
        translated(
            "an input is changed in place (`x -= m`, `x[...] = 0`, `x.exp_()`), which autograd refuses; make a new one"
        ),
    ),
    (
        r"element 0 of tensors does not require grad",
        translated("no gradient can flow: a detach, .data, no_grad or a new tensor made from values has cut it"),
    ),
    (
        r"expected scalar type \w+ but found \w+|expected .* to have the same dtype",
        translated("two tensors of different dtypes meet here; give what you make yourself the dtype of the input"),
    ),
    (
        r"value cannot be converted to type (at::Half|c10::Half|at::BFloat16|c10::BFloat16|\w+) without overflow",
        translated("the number does not fit into this dtype (the largest float16 is 65504); -inf fits into every one"),
    ),
    (
        r"Dimension out of range \(expected to be in range of \[(?P<low>-?\d+), (?P<high>-?\d+)\], but got"
        r" (?P<dim>-?\d+)\)",
        translated("the tensor has no dimension {dim}: it has {low} to {high}"),
    ),
    (
        r"index (?P<index>-?\d+) is out of bounds for dimension (?P<dim>\d+) with size (?P<size>\d+)",
        translated("index {index} in a dimension of size {size}, whose last index is one less than its size"),
    ),
    (
        r"Sizes of tensors must match except in dimension (?P<dim>\d+)\. Expected size (?P<want>\d+) but got size"
        r" (?P<got>\d+)",
        translated("joined along dimension {dim}, all other sizes must agree: here {want} meets {got}; another dim?"),
    ),
    (
        r"Tensors must have same number of dimensions: got (?P<a>\d+) and (?P<b>\d+)",
        translated("what is joined must have the same number of dimensions: here {a} and {b}"),
    ),
    (
        r"number of dimensions in the tensor input does not match the length of the desired ordering",
        translated("permute must name every dimension of the tensor, once each"),
    ),
    (
        r"Boolean value of Tensor with more than one value is ambiguous",
        translated(
            "`if`, `and`, `or` and `not` want one truth value, and a tensor has many; for entries use &, | and ~, for "
            "a condition .any() or .all()"
        ),
    ),
    (
        r"(a Tensor with \d+ elements cannot be converted to Scalar|only one element tensors can be converted"
        r"|only integer tensors of a single element can be converted)",
        translated("a tensor with many entries cannot become one number; .item(), int() and math take one entry"),
    ),
    (
        r"Can't call numpy\(\) on Tensor that requires grad",
        translated("numpy cannot take part in autograd; stay with torch, and gradients flow"),
    ),
    (
        r"Got unsupported ScalarType (?P<dtype>\w+)",
        translated("numpy has no {dtype}, and cannot take part in autograd; stay with torch"),
    ),
    (
        r"tuple index out of range",
        translated("what is indexed has fewer parts; a tensor's shape has as many as the tensor has dimensions"),
    ),
    (
        r"The `-` operator, with a bool tensor is not supported|`-` operator, with a bool tensor",
        translated("booleans cannot be subtracted; ~mask turns a boolean mask around"),
    ),
    (
        r"The shape of the \w+ \[(?P<got>.*?)\] at index \d+ does not match the shape of the indexed tensor"
        r" \[(?P<want>.*?)\]",
        translated(
            "a boolean index has the shape of what it picks from: [{want}], not [{got}]; torch.where broadcasts "
            "it, and keepdim=True keeps a dimension"
        ),
    ),
    (
        r"more than one element of the written-to tensor refers to a single memory location",
        translated("an expanded tensor is changed in place, and many of its entries are one; make a new tensor"),
    ),
    (
        r"math domain error|expected a (positive input|nonnegative input)",
        translated(
            "the module math has no value for this number: a logarithm of 0, say, or the root of a negative one"
        ),
    ),
    (
        r"einsum\(\): (?P<rest>.*)",
        translated("the letters of einsum do not fit the shapes: one letter a dimension, one size a letter"),
    ),
    (
        r'"(?P<kernel>[\w ]+)" not implemented for \'(?P<dtype>\w+)\'',
        translated("torch has no such operation for {dtype} tensors; convert first, or compute in another dtype"),
    ),
    (
        r"result type (?P<a>\w+) can't be cast to the desired output type (?P<b>\w+)",
        translated("the result is {a} and cannot be stored in a tensor of {b}; make that tensor in the right dtype"),
    ),
    (
        r"(too many|not enough) values to unpack \(expected (?P<want>\d+)",
        translated("{want} names on the left, but not {want} values on the right; how many dimensions are there?"),
    ),
    (
        r"'NoneType' object has no attribute|unsupported operand type\(s\) for .*'NoneType'",
        translated("a value here is None: an optional argument that was left out, or a function without return"),
    ),
    (
        r"Expected all tensors to be on the same device|one tensor is on the device of the inputs, another on the CPU",
        translated("two devices meet here: torch.arange, zeros, ones and tensor take device=x.device"),
    ),
    (
        NO_CUDA,
        translated("there is no GPU here; what you make or move takes the device of an input, x.device"),
    ),
    (
        r"got an unexpected keyword argument '(?P<name>\w+)'",
        translated("callers pass {name}= by its name: the parameters keep the names that the stub gives them"),
    ),
    (r"name '(torch|math|nn|F|np)' is not defined", translated("an import is missing at the top of the file")),
    (
        r"No module named ",
        translated(
            "Python's own modules, those of the course and the files that you hand in are there: hand that file in "
            "too, or do without it"
        ),
    ),
    (
        r"invalid character '.' \(U\+",
        translated(
            "this character belongs to prose, not to Python: type quotes, brackets, commas and colons on an English "
            "keyboard, \" ( ) , : everywhere in the file"
        ),
    ),
    (
        r"invalid non-printable character U\+",
        translated(
            "web pages and word processors put invisible characters into a text: replace them with "
            "ordinary spaces everywhere in the file"
        ),
    ),
    (
        r"inconsistent use of tabs and spaces",
        translated("some lines begin with tabs and others with spaces, which look alike; use spaces everywhere"),
    ),
)  # fmt: skip


# What torch says: sizes, and names as it has them. A student's code may put its inputs into a message that looks alike.
_PLAIN = re.compile(r"[-\d x,]{0,40}|[A-Za-z_]{1,24}\d{0,2}")


def explained(message: str) -> Text | None:
    """Return what the message of an exception means, if it is known."""
    for pattern, text in _KNOWN:
        if found := re.search(pattern, message):
            said = {name: value or "" for name, value in found.groupdict().items()}
            hidden = {name: v if _PLAIN.fullmatch(v) else either(v, plain("...")) for name, v in said.items()}
            return text.format(**hidden)
    return None
