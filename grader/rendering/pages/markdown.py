"""Markdown of lessons as HTML: formulas as MathML, drawings as figures, headings that can be linked to."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from typing import Any
from xml.etree import ElementTree

import latex2mathml.converter
from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markupsafe import Markup

from grader.rendering import lesson_text

Drawn = Callable[[lesson_text.Drawing], Markup]
_SIGN = re.compile(r"&amp;(#x[0-9A-Fa-f]+;)")


def html(markdown: str, drawn: Drawn, prefix: str = "") -> Markup:
    """The text as HTML. `drawn` makes a figure of a drawing; headings get the ids `prefix`1, `prefix`2 and so on."""
    parser = _parser()
    tokens = parser.parse(markdown)
    headings = [token for token in tokens if token.type == "heading_open" and token.tag == "h2"]
    for number, token in enumerate(headings, 1):
        token.attrSet("id", f"{prefix}{number}")
    return Markup(parser.renderer.render(tokens, parser.options, {"drawn": drawn}))


def inline(markdown: str) -> Markup:
    """A line without a paragraph around it."""
    return Markup(_parser().renderInline(markdown))


def mathml(formula: str, block: bool = False) -> Markup:
    """A formula as MathML; what stands in `\\text` is no markup, and nothing is a link."""
    found = latex2mathml.converter.convert_to_element(formula, display="block" if block else "inline")
    for node in found.iter():
        for name in ("href", "style"):
            node.attrib.pop(name, None)
    text = ElementTree.tostring(found, encoding="unicode")
    return Markup(_SIGN.sub(r"&\1", text))  # which the converter names by number


@functools.cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.inline.ruler.before("escape", "formula", _formula)
    parser.add_render_rule("formula", _render_formula)
    parser.add_render_rule("fence", _render_fence)
    parser.add_render_rule("table_open", lambda *_: '<div class="scroll" tabindex="0"><table class="plain">')
    parser.add_render_rule("table_close", lambda *_: "</table></div>")
    return parser


def _formula(state: StateInline, silent: bool) -> bool:
    """Take a formula, from dollar sign to dollar sign."""
    match = lesson_text.FORMULA.match(state.src, state.pos)
    if not match:
        return False
    if not silent:
        token = state.push("formula", "math", 0)
        token.content, token.meta = match[1] or match[2], {"block": bool(match[1])}
    state.pos = match.end()
    return True


def _render_formula(_self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    token = tokens[index]
    block = token.meta["block"]
    shown = mathml(token.content, block)
    return f'<span class="scroll formula" tabindex="0">{shown}</span>' if block else str(shown)


def _render_fence(_self: Any, tokens: Sequence[Token], index: int, _options: Any, env: Any) -> str:
    token = tokens[index]
    if token.info.strip() == lesson_text.FENCE:
        return str(env["drawn"](lesson_text.read(token.content)))
    return str(Markup("<pre>{}</pre>\n").format(token.content))
