"""./lab book, on a small repository: what a page shows, where links lead, and the search, also without a server."""

import functools
import http.server
import json
import re
import shutil
import threading
import unittest

from support import FakeRepository, Folder
import browser
from book import links, pages
from book.links import Scripted
from building import dependencies
from building.dependencies import NeededBy
from watch_test import watched_program

PROGRESS = r"lab: MkDocs makes the website \(\d+ s\)\n"  # told of what takes more than ten seconds
FOUND = "return document.querySelector('.md-search-result__item a')?.href"  # the index is read in the background
CUT = "return [...document.querySelectorAll('pre > code')].filter((code) => code.scrollWidth > code.clientWidth).length"
SLOW = {  # by what readers may type before it
    "worker": """
        const Fast = window.Worker
        window.Worker = class extends Fast {
          postMessage(message) { setTimeout(() => super.postMessage(message), 500) }
        }""",
    "index": """
        const append = Element.prototype.append, fetched = window.fetch
        Element.prototype.append = function (...nodes) {
          setTimeout(() => append.apply(this, nodes), nodes[0]?.src?.endsWith("search_index.js") ? 500 : 0)
        }
        window.fetch = async (...request) => {
          await new Promise((resolve) => setTimeout(resolve, 500))
          return fetched(...request)
        }""",
}
MISSING = ", ".join(row.what for row in dependencies.missing([NeededBy.BOOK, NeededBy.PAGES]))

README = """\
[中文](README.zh.md) <!-- links -->

# The course

Begin with [chapter 03](03_vector_add/), or look up [a warp](GLOSSARY.md#warp).
"""

GLOSSARY = "# Glossary\n\n### warp\n\n32 threads.\n"

LESSON = """\
# 03 · Vector addition

```sh
./lab run 3  # 120 columns: TO_THE_END
```

| | |
|---|--:|
| **You need** | a [warp](../GLOSSARY.md#warp) |

1. The stage [`2_second`](2_second.cu), quokka:

   ```cuda
   __global__ void second() {}
   ```

2. The picture
   - once,
   - and [again](#1--why-two).

<!-- watch: 3 2 | picture=memory round=1 | text -->

![a picture](picture.svg)

*To step through it: `./lab watch 3 2`, with `#round=1` at the end of the page's address.*

<!-- /watch -->

## 1 · Why "two"?

Before `./lab watch 3 2 -- --n 5`, or `./lab sass 3 2 2`, see [more](more.md) and [the web](https://example.org/x).

<details>
<summary>Answer</summary>

**Because.**

</details>

*Exercise:* `./lab exercise 3.1`
""".replace("TO_THE_END", "." * 92)

TASK = """\
---
title: two
minutes: 5
points: 1
after: 1 · Why "two"?
kind: core
fails: values
learnt: two
---

# Make it two

Set `c[i]` to 2.

## What is counted

A thread for each 2.

## Hint 1

Look at `i`.

## Afterwards

The secret of it.
"""

CHINESE = """\
msgid "1 · Why \\"two\\"?"
msgstr "1 · 为何是二"
"""

SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><style>
:root { --ink: black }
@media (prefers-color-scheme: dark) { :root { --ink: white } }
</style><text>Two words</text></svg>
"""


class SmallBook(FakeRepository):
    def setUp(self) -> None:
        super().setUp()
        self.chapter("03_vector_add", "vector_add", watched_program())
        self.watches("03_vector_add", "vector_add --n 64")
        for name, text in {
            "README.md": README,
            "GLOSSARY.md": GLOSSARY,
            "03_vector_add/README.md": LESSON,
            "03_vector_add/more.md": "# More\n\nBack to [the answer](README.md#1--why-two), [one line](2_second.cu#L2) and [two](2_second.cu#L1-L2).\n",
            "03_vector_add/picture.svg": SVG,
            "03_vector_add/2_second.cu": "// wombat\n#include <cstdio>\n",
            "03_vector_add/exercises/1_two/task.md": TASK,
            "03_vector_add/exercises/1_two/solution.cu": "",
        }.items():
            self.write(name, text)
        self.env["COLUMNS"] = "200"

    def site(self, name: str) -> str:
        return (self.root / "build/book" / name).read_text(encoding="utf-8")


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Each request would be a line among the tests'."""


@unittest.skipIf(MISSING, f"skipped: {MISSING} not found; ./lab book installs it")
class Book(SmallBook):
    def test_the_whole(self) -> None:
        self.write("translations/zh/03_vector_add.po", CHINESE)
        self.write("translations/zh/pictures.po", 'msgid "Two words"\nmsgstr "两个字"\n')
        self.write("addresses.toml", 'book = "https://example.org/x"\n')
        result = self.runs("book", "--no-open", CUDACXX="/nowhere/nvcc")
        self.assertIn("lab: the book shows no machine code: ", result.stderr)
        says = r"^build/book/index\.html has 6 pages, 1 source file and 2 watch pages; that took \d+ s$"
        self.assertRegex(result.stdout.splitlines()[-1], says)
        self.the_front_page()
        self.the_lesson()
        self.the_task()
        self.what_it_leads_to()
        self.in_another_language()
        self.search()

    def the_front_page(self) -> None:
        front = self.site("index.html")
        self.assertNotIn("README.zh", front)
        self.assertIn('<link rel="canonical" href="https://example.org/x/index.html">', front)
        self.assertIn('<link rel="canonical" href="https://example.org/x/zh/index.html">', self.site("zh/index.html"))

    def the_lesson(self) -> None:
        lesson = self.site("03_vector_add/index.html")
        for part in (
            '<td align="right">a <a href="../GLOSSARY.html#warp">warp</a></td>',
            '<h2 id="1--why-two">1 · Why &quot;two&quot;?<a class="headerlink"',
            '<a href="2_second.cu.html"><code>2_second</code></a>',
            '<span class="kt">void</span>',
            '<a href="picture.svg"><img src="picture.svg" alt="a picture" /></a>',
            '<a href="../watch/03_2_second.html#round=1"><code>./lab watch 3 2</code></a>',
            '<a href="../watch/03_2_second_n_5.html"><code>./lab watch 3 2 -- --n 5</code></a>',
            '<a href="exercises/1_two/task.html"><code>./lab exercise 3.1</code></a>',
            '<a href="more.html">more</a>',
            "or <code>./lab sass 3 2 2</code>",
            "<p><strong>Because.</strong></p>",
        ):
            self.assertIn(part, lesson)
        self.assertNotIn("<!-- watch", lesson)
        listed = lesson[lesson.index("<ol>") :].partition("</ol>")[0]
        self.assertEqual(listed.count("<li>"), 4, "the code block and the inner list belong to the list")
        self.assertIn("highlight", listed)

    def the_task(self) -> None:
        task = self.site("03_vector_add/exercises/1_two/task.html")
        self.assertIn('after <a href="../../index.html#1--why-two">1 · Why', task)
        self.assertIn("<details>\n<summary>What is counted</summary>\n<p>A thread for each 2.</p>\n</details>", task)
        self.assertIn("<details>\n<summary>Hint 1</summary>\n<p>Look at <code>i</code>.</p>\n</details>", task)
        self.assertNotIn("secret", task)
        self.assertNotIn("secret", self.site("search/search_index.json"))

    def what_it_leads_to(self) -> None:
        self.assertIn('<span class="c1">// wombat</span>', self.site("03_vector_add/2_second.cu.html"))
        self.assertIn('id="L2"', self.site("03_vector_add/2_second.cu.html"))
        self.assertIn('<a href="2_second.cu.html#L1">two</a>', self.site("03_vector_add/more.html"))
        self.assertEqual(self.site("watch/03_2_second.html"), "<html>page</html>")
        self.assertNotIn("prefers-color-scheme", self.site("03_vector_add/picture.svg"))
        index = self.site("search/search_index.json")
        self.assertIn("quokka", index)
        self.assertNotIn("wombat", index)
        titles = {entry["title"] for entry in json.loads(index)["docs"]}
        self.assertTrue({"Make it two", "3.1 · Make it two"} & titles, titles)

    def in_another_language(self) -> None:
        english, chinese = self.site("03_vector_add/index.html"), self.site("zh/03_vector_add/index.html")
        self.assertIn('<a href="../zh/03_vector_add/index.html" hreflang="zh" lang="zh">', english)
        for part in (
            '<html lang="zh"',
            '<a href="../../03_vector_add/index.html" hreflang="en" lang="en">English</a>',
            '<h2 id="1--why-two">1 · 为何是二<a class="headerlink"',
            '<a href="more.html">more</a>',
            '<a href="../../03_vector_add/2_second.cu.html"><code>2_second</code></a>',
            '<a href="../watch/03_2_second.html#round=1"><code>./lab watch 3 2</code></a>',
            "Not translated yet, and shown in English: ",
        ):
            self.assertIn(part, chinese)
        self.assertFalse((self.root / "build/book/zh/03_vector_add/2_second.cu.html").exists())
        self.assertIn('<img src="picture.svg"', chinese)
        self.assertIn("<text>Two words</text>", self.site("03_vector_add/picture.svg"))
        picture = self.site("zh/03_vector_add/picture.svg")
        self.assertIn("<text>两个字</text>", picture)
        self.assertNotIn("prefers-color-scheme", picture)

    def search(self) -> None:
        if browser.missing():
            return
        page = "03_vector_add/index.html"
        book = (self.root / "build/book").as_uri()
        reader = self.reader()
        for width in 1920, 1280, 390:
            with self.subTest(width=width):
                reader.size(width, 800, dark=width == 390)
                reader.open(f"{book}/{page}")
                self.assertEqual(reader.run(CUT), 1 if width == 390 else 0)
                self.assertLessEqual(reader.run("return document.documentElement.scrollWidth"), width)
                self.assertEqual(self.found(reader, "quokka"), f"{book}/{page}")
                asked = [address for address in reader.requests() if address.startswith("http")]
                self.assertEqual(asked, [], "nothing comes from the web")
        reader.open(f"{book}/zh/{page}")
        self.assertEqual(self.found(reader, "何是二"), f"{book}/zh/{page}")

        for slow, script in SLOW.items():
            reader = self.reader()
            reader.command("Page.addScriptToEvaluateOnNewDocument", source=script)
            for site in book, self.server():
                with self.subTest(slow=slow, site=site):
                    reader.open(f"{site}/{page}")
                    self.assertIn(page.removesuffix("index.html"), self.found(reader, "quokka"))

    def reader(self) -> browser.Browser:
        reader = browser.Browser()
        self.addCleanup(reader.close)
        return reader

    def found(self, reader: browser.Browser, words: str) -> str:
        """The first page that is found for words which are typed at once."""
        reader.run("document.getElementById('__search').click(); document.querySelector('.md-search__input').focus()")
        reader.press(*words)
        return str(reader.wait(FOUND)).partition("?")[0].partition("#")[0]

    def server(self) -> str:
        handler = functools.partial(QuietHandler, directory=str(self.root / "build/book"))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}"

    def test_check(self) -> None:
        result = self.runs("book", "--check")
        self.assertEqual(re.sub(PROGRESS, "", result.stderr), "")
        self.assertEqual(result.stdout, "all links of 6 pages, 1 source file and 2 watch pages lead somewhere\n")
        self.assertFalse((self.root / "build").exists())

        self.write("GLOSSARY.md", GLOSSARY.replace("### warp", "### wrap"))
        self.write("03_vector_add/more.md", "# More\n\n[One](3_third.cu), [two](../../x.md), ![three](https://example.org/x.png)\n")
        result = self.ends(1, "book", "--check")
        self.assertEqual(
            result.stdout.splitlines(),
            [
                "03_vector_add/README.md: ../GLOSSARY.md#warp leads to no anchor of that page",
                "03_vector_add/more.md: 3_third.cu leads to no file of the book",
                "03_vector_add/more.md: ../../x.md leads to no file of the book",
                "03_vector_add/more.md: https://example.org/x.png is fetched from the web",
                "README.md: GLOSSARY.md#warp leads to no anchor of that page",
            ],
        )
        self.assertEqual(re.sub(PROGRESS, "", result.stderr), "lab: the book has 5 broken links\n")


class BadInput(SmallBook):
    def test_a_place_that_is_no_place(self) -> None:
        self.write("taken/book", "")
        self.write("other/book/letters.txt", "")
        for builds, expected in (
            ("taken", "taken/book cannot be made (File exists)"),
            ("other", "other/book holds something that is no book; remove it first"),
            ("taken/book", "taken/book/book cannot be made (Not a directory); --build DIR names another folder"),
            ("/proc/nowhere", "/proc/nowhere/book cannot be made (No such file or directory); --build DIR names another folder"),
        ):
            with self.subTest(builds=builds):
                self.refused(1, expected, "book", "--no-open", "--no-install", "--build", builds)
        self.assertTrue((self.root / "other/book/letters.txt").exists())

    def test_what_is_missing_is_named(self) -> None:
        self.only_these_commands("bash", "env", "readlink", "dirname")
        missing = "missing: MkDocs with the Material theme, Pygments, cmark-gfm (Debian and Ubuntu: "
        said = self.refused(4, missing, "book", "--check", "--no-install")
        self.assertIn("apt-get install mkdocs-material python3-pygments cmark-gfm)", said)

    def test_another_theme_is_not_enough(self) -> None:
        self.only_these_commands("bash", "env", "readlink", "dirname")
        for command in ("mkdocs", "pygmentize", "cmark-gfm"):
            self.command(command, "#!/bin/sh\necho '--theme [mkdocs|readthedocs|materially]'\n")
        self.refused(4, "missing: MkDocs with the Material theme (", "book", "--check", "--no-install")

    def test_wrong_words(self) -> None:
        for words, expected in ((["3"], "'3' is too much"), (["--check", "--serve"], "not allowed with")):
            self.refused(2, expected, "book", *words)

    @unittest.skipUnless(shutil.which("cmark-gfm"), "skipped: cmark-gfm not found")
    def test_what_a_page_has_wrong_is_told_with_its_name(self) -> None:
        for command in ("mkdocs", "pygmentize"):
            self.command(command, "#!/bin/sh\necho '--theme [material|mkdocs]'\n")
        for name, text, expected in (
            ("03_vector_add/more.md", "`./lab watch 3 9`", "03_vector_add/more.md: there is no stage 9 in 03_vector_add"),
            ("GLOSSARY.md", "`./lab watch 77 1`", "GLOSSARY.md: there is no chapter '77'"),
            ("03_vector_add/exercises/1_two/task.md", "# No front matter", "task.md:1: the front matter is missing"),
        ):
            kept = (self.root / name).read_text(encoding="utf-8")
            self.write(name, text)
            self.refused(1, expected, "book", "--check", "--no-install")
            self.write(name, kept)
        (self.root / "README.md").unlink()
        self.refused(1, "README.md cannot be read: No such file or directory\n", "book", "--check", "--no-install")


class Links(Folder):
    def broken(self, files: dict[str, str], are_there: bool) -> list[tuple[str, str]]:
        for name, text in files.items():
            self.write(name, text)
        return [(page, link) for page, link, _ in links.broken(self.root, Scripted({"w/1.html"}, are_there))]

    def test_right_ones(self) -> None:
        page = """<h1 id="top">x</h1><a name="old"></a><a href="#top">1</a><a href="a/b.html#ä%20x">2</a><a href="a/b.html?q=1#old">3</a>
            <a href="https://example.org/#x">4</a><a href="mailto:x@example.org">5</a><img src="data:image/png;base64,x">
            <a href="w/1.html#round=2">6</a><a href="p.svg#part">7</a><link rel="canonical" href="https://example.org">
            <a href="c%20d.txt">8</a>"""
        files = {"index.html": page, "a/b.html": '<p id="ä x"></p><p id="old"></p><a href="../index.html">9</a>', "p.svg": "", "c d.txt": ""}
        self.assertEqual(self.broken(files, are_there=False), [])
        self.assertEqual(self.broken(files, are_there=True), [("index.html", "w/1.html#round=2")])
        self.assertEqual(self.broken({**files, "w/1.html": ""}, are_there=True), [])

    def test_wrong_ones(self) -> None:
        wrong = ["#bottom", "b.html", "a/", "a/b.html#top", "../up.html", "p.svg", "w/2.html"]
        page = '<h1 id="top">x</h1>' + "".join(f'<a href="{link}">x</a>' for link in wrong)
        fetched = ["https://example.org/f.css", "//example.org/s.js", "https://example.org/i.png"]
        page += f'<link rel="stylesheet" href="{fetched[0]}"><script src="{fetched[1]}"></script><img src="{fetched[2]}">'
        found = self.broken({"index.html": page, "a/b.html": ""}, are_there=True)
        self.assertEqual(found, [("index.html", link) for link in wrong + fetched])


@unittest.skipUnless(shutil.which("cmark-gfm"), "skipped: cmark-gfm not found")
class MachineCode(SmallBook):
    def test_it_is_linked_where_its_page_is_made(self) -> None:
        made = self.root / "made"
        for page, lesson in (("", "<code>./lab"), ("sass/03_2_second_2_second.html", '<a href="../{}"><code>./lab')):
            if page:
                self.write(f"made/{page}", "")
            book = pages.collect(self.root, "en", made)
            self.assertIn(f"or {lesson.format(page)} sass 3 2 2</code>", book.pages["03_vector_add/README.md"].html)
            self.assertEqual([name for name in book.watched if name.startswith("sass/")], [page] if page else [])
