"""What MkDocs calls while it makes the book. It runs in MkDocs's Python, where Pygments is.

Navigation, pages and pictures come from pages.py. MkDocs does the rest: the theme, the search, the server.
"""

import json
import logging
import os
import posixpath
import re
import sys
from html import unescape
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from markdown.extensions.toc import nest_toc_tokens
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.livereload import LiveReloadServer
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import TableOfContents, get_toc
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.util import ClassNotFound

from book import pages
from book.markdown import Heading
from book.pages import Book
from shared import console
from shared.chapters import ROOT
from shared.language import ENGLISH, NAMES, languages

LANGUAGE = "BOOK_LANGUAGE"  # an environment variable
WATCH_PAGES = "BOOK_WATCH_PAGES"  # an environment variable: the folder that holds those that are made
CODE = re.compile(r'<pre><code class="language-([\w+-]+)">(.*?)</code></pre>', re.DOTALL)
LINE = re.compile(r'"(#?)L-(\d+)"')  # Pygments's names
DARK = "@media (prefers-color-scheme: dark)"  # in a picture; on what the reader has chosen it does not depend

logging.getLogger("mkdocs.structure.nav").setLevel(
    logging.WARNING
)  # it lists all source files, which are not in the navigation

book: Book


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    global book
    book = pages.collect(ROOT, os.environ.get(LANGUAGE, ENGLISH), Path(os.environ.get(WATCH_PAGES, "")))
    config["nav"] = book.navigation
    config["site_name"] = book.pages[pages.FRONT].title
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    def add(name: str, folder: str | Path) -> None:
        files.append(File(name, str(folder), config["site_dir"], use_directory_urls=False))

    for name in sorted(book.pages):
        add(name, ROOT)
    folder = Path(os.environ.get(WATCH_PAGES, ""), book.folder)
    for name in sorted(book.watched):
        if (folder / name).is_file():
            add(name, folder)
    if book.folder:  # the rest is in the English book
        return files
    for name in sorted(book.as_they_are):
        add(name, ROOT)
    for name in sorted(book.sources):
        add(f"{name}.md", ROOT)
    return files


def on_page_read_source(page: Page, config: MkDocsConfig) -> str:
    """Its title and how it is shown. The text comes later, as HTML."""
    name = page.file.src_uri
    if name in book.pages:
        return f"---\ntitle: {json.dumps(book.pages[name].title)}\n---\n"
    return f"---\ntitle: {json.dumps(name.removesuffix('.md'))}\ntemplate: source.html\n---\n"


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    name = page.file.src_uri
    if name not in book.pages:
        return _source(name.removesuffix(".md"))
    page.toc = _contents(book.pages[name].headings)
    text = CODE.sub(lambda match: _highlighted(unescape(match[2]), match[1]), book.pages[name].html)
    return _languages(book.pages[name]) + text


def _languages(page: pages.Page) -> str:
    """Links to the page in the other languages, and how much of it is English because nobody has translated it."""
    here = posixpath.dirname(posixpath.join(book.folder, page.source))
    links = []
    for language in languages(ROOT):
        if language != book.translation.language:
            folder = "" if language == ENGLISH else language
            there = posixpath.relpath(posixpath.join(folder, pages.address(page.source)), here or ".")
            links.append(f'<a href="{there}" hreflang="{language}" lang="{language}">{NAMES.get(language, language)}</a>')
    note = ""
    if page.english_parts:
        note = book.translation.phrase("Not translated yet, and shown in English: {number} paragraphs of this page.")
        note = f"<span>{note.format(number=page.english_parts)}</span>"
    return f'<p class="languages">{" ".join(links)}{note}</p>' if links else ""


def on_post_build(config: MkDocsConfig) -> None:
    site = Path(config["site_dir"])
    for name in book.as_they_are.intersection(book.labelled) if book.folder else book.as_they_are:
        if name.endswith(".svg"):
            picture = book.translation.picture((ROOT / name).read_text(encoding="utf-8"))
            console.write_file(site / name, picture.replace(DARK, "@media not all"))
    _finish_search(site)


def on_serve(server: LiveReloadServer, config: MkDocsConfig, builder: object) -> LiveReloadServer:
    for name in {*book.pages, *book.sources, *book.as_they_are}:
        server.watch(str(ROOT / name))
    return server


def _contents(headings: list[Heading]) -> TableOfContents:
    tokens = [{"level": heading.level, "id": heading.slug, "name": heading.html} for heading in headings]
    return get_toc(nest_toc_tokens(tokens))


def _source(name: str) -> str:
    """A source file: its name, the folder's lesson, and the highlighted text with GitHub's names for the lines: L12."""
    text = (ROOT / name).read_text(encoding="utf-8")
    folder = Path(name).parent
    lesson = next((f"{up}/README.md" for up in (folder, *folder.parents) if f"{up}/README.md" in book.pages), pages.FRONT)
    back = os.path.relpath(pages.address(lesson), folder)
    try:
        lexer = get_lexer_for_filename(name).aliases[0]
    except ClassNotFound:
        lexer = "text"
    lines = LINE.sub(r'"\1L\2"', _highlighted(text, lexer, lineanchors="L"))
    return f'<p><a href="{back}">{book.pages[lesson].title}</a></p>\n<h1>{Path(name).name}</h1>\n{lines}'


def _highlighted(code: str, language: str, **options: str) -> str:
    try:
        lexer = get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        lexer = get_lexer_by_name("text", stripnl=False)
    return str(highlight(code, lexer, HtmlFormatter(cssclass="highlight", wrapcode=True, **options)))


def _finish_search(site: Path) -> None:
    """Takes the source files out of the index, where they would bury the lessons, lets Chinese words be found, and writes what
    search.js loads."""
    path = site / "search" / "search_index.json"
    index = json.loads(path.read_text(encoding="utf-8"))
    sources = {pages.address(name) for name in book.sources}
    index["docs"] = [entry for entry in index["docs"] if entry["location"].partition("#")[0] not in sources]
    path.write_text(json.dumps(index, ensure_ascii=False), encoding="utf-8")
    (worker,) = site.glob("assets/javascripts/workers/search.*.min.js")
    if book.folder:
        with worker.open("a", encoding="utf-8") as end:
            end.write(f"\n{Path(__file__).with_name('two_characters.js').read_text(encoding='utf-8')}")
    parts = {"__index": index, "__searchWorker": worker.read_text(encoding="utf-8")}
    script = "".join(f"var {name} = {json.dumps(part, ensure_ascii=False)}\n" for name, part in parts.items())
    (site / "search" / "search_index.js").write_text(script, encoding="utf-8")
