"""Formulas of lessons, written in LaTeX, as a line of plain text: fractions with a slash, roots with their sign."""

from __future__ import annotations

import re

from grader.errors import CourseError

SIGNS = {
    "alpha": "α", "beta": "β", "theta": "θ", "lambda": "λ", "mu": "μ", "sigma": "σ", "varepsilon": "ε", "pi": "π",
    "phi": "φ", "Delta": "Δ", "partial": "∂", "sum": "Σ", "cdot": "·", "times": "×", "odot": "⊙", "pm": "±",
    "le": "≤", "ge": "≥", "ne": "≠", "approx": "≈", "ll": "≪", "gg": "≫", "in": "∈", "to": "→", "infty": "∞",
    "top": "ᵀ", "quad": "   ", "ldots": "…", "cdots": "⋯", "exp": "exp", "ln": "ln", "log": "log", "max": "max",
    "min": "min", "cos": "cos", "sin": "sin",
    "tanh": "tanh", "prod": "Π", "mid": "|", "lVert": "‖", "rVert": "‖", "lfloor": "⌊", "rfloor": "⌋",
    "left": "", "right": "", ",": " ", ";": " ", "{": "{", "}": "}", "%": "%",
}  # fmt: skip
WORDS = ("text", "mathrm", "operatorname", "mathbf")
RAISED = {"2": "²", "3": "³", "ᵀ": "ᵀ"}
_TOKEN = re.compile(r"\\(?:[A-Za-z]+|.)|\s+|.", re.DOTALL)
_INSIDE = re.compile(r"(?<=\() | (?=\))")
_SPACED = re.compile(r"\s*([=≤≥≠≈≪≫∈→·×⊙])\s*")


def plain(formula: str) -> str:
    """The formula as one line.

    Raises:
        CourseError: it uses a command that has no plain form.
    """
    text, rest = _row(_TOKEN.findall(formula), stop="")
    if rest:
        raise CourseError(f"the formula ${formula}$ has a brace too many")
    return _INSIDE.sub("", " ".join(_SPACED.sub(r" \1 ", text).split()))


def _row(tokens: list[str], stop: str) -> tuple[str, list[str]]:
    """The text up to `stop`, and the tokens behind it."""
    text = ""
    while tokens and tokens[0] != stop:
        if tokens[0] in ("^", "_"):
            sign, (inner, tokens) = tokens[0], _one(tokens[1:])
            text = text.rstrip() + _raised(inner) if sign == "^" else f"{text.rstrip()}_{_grouped(inner)}"
        else:
            piece, tokens = _one(tokens)
            text += piece
    return text, tokens[1:]


def _one(tokens: list[str]) -> tuple[str, list[str]]:
    """The next thing: a group in braces, a command with what it takes, a sign."""
    while tokens and tokens[0].isspace():
        tokens = tokens[1:]
        if tokens and tokens[0] not in ("^", "_", "}"):
            piece, rest = _one(tokens)
            return " " + piece, rest
    if not tokens or tokens[0] in ("^", "_", "}"):
        return "", tokens
    token, rest = tokens[0], tokens[1:]
    if token == "{":
        return _row(rest, "}")
    if not token.startswith("\\"):
        return f" {token} " if token in "+=<>|" else token, rest
    name = token[1:]
    if name in WORDS:
        end = rest.index("}")
        return "".join(rest[1:end]), rest[end + 1 :]  # the letters in braces as they are
    if name == "sqrt":
        inner, rest = _one(rest)
        return f"√{_grouped(inner)}", rest
    if name == "overline":
        inner, rest = _one(rest)
        return f"conj({inner.strip()})", rest
    if name == "frac":
        over, rest = _one(rest)
        under, rest = _one(rest)
        return f"{_grouped(over)} / {_grouped(under)}", rest
    if name not in SIGNS:
        raise CourseError(f"a formula uses {token}, which has no plain form; see grader/rendering/terminal/formulas.py")
    return SIGNS[name], rest


def _raised(inner: str) -> str:
    inner = inner.strip()
    return RAISED.get(inner) or (f"^({inner})" if "_" in inner else f"^{_grouped(inner)}")


def _grouped(inner: str) -> str:
    """In brackets, unless it is one word or is in brackets already."""
    inner = inner.strip()
    return inner if re.fullmatch(r"[\wΑ-ω∞ᵀ²³]+|\([^()]*\)|√\w+", inner) else f"({inner})"
