"""For mkdocs: pages of the root folder become pages of the site, and links to what is no page become text."""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
TAKEN = {"index.md": "README.md"} | {name: name for name in ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")}
LINK = re.compile(r"\[([^\]]*)\]\((?!https?:|#)([^)#\s]*)(#[^)]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the root folder."""
    for page, source in TAKEN.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=LINK.sub(_from_root, text)))
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """Links to what is no page of the site lose the link."""
    return LINK.sub(_from_docs, markdown)


def _from_root(link: re.Match[str]) -> str:
    """Where a link of a page of the root folder leads, seen from `docs/`."""
    text, path, anchor = link[1], link[2], link[3] or ""
    named = {source: page for page, source in TAKEN.items()}
    if path in named:
        return f"[{text}]({named[path]}{anchor})"
    return f"[{text}]({path.removeprefix('docs/') if path.startswith('docs/') else f'../{path}'}{anchor})"


def _from_docs(link: re.Match[str]) -> str:
    text, path, anchor = link[1], link[2], link[3] or ""
    if Path(path).name in TAKEN.values() and path.startswith("../"):
        return f"[{text}]({path.removeprefix('../')}{anchor})"
    outside = path.startswith("../") or not path.endswith(".md")
    return text if outside and path else link[0]
