"""The course in another language, on a small repository: what is translated of a page, how a translator's file follows the
English, what is counted and what is refused."""

import base64
import io
import re
import shutil
import unittest
from unittest import mock

from support import ROOT, FakeRepository
import lab
from book.pages import collect
from exercises import folder, said
from exercises.judge import Verdict
from exercises.limits import Limit
from handouts import course, instructor, pages, sheet
from handouts.seen import STARTER, Tried
from lessons import course as lessons
from lessons.page import CODE
from shared import console
from shared.console import Failure
from translating import catalogue, markdown, parts, pictures, sentences, tables, terms, web
from translating.catalogue import Entry
from translating.terms import Terms
from translating.translation import WRONG, Translation

PAGE = """\
# A title

A paragraph on
two lines, with `code` and [a link](x.md#y).

- One item
  that goes on.
- Another.

> **Predict.** How
> many?
>
> <details><summary>Answer</summary>
>
> Four.
>
> </details>

| stage | 4 |
|---|--:|
| `1_cpu` | quick, [`x.cu`](x.cu) |

<!-- excerpt: x.cu add -->
```cuda
// Not this.
```

<!-- results: 03 -->

Nor this.

<!-- /results -->

2. The last
"""
MESSAGES = [
    "A title",
    "A paragraph on two lines, with `code` and [a link](x.md#y).",
    "One item that goes on.",
    "Another.",
    "**Predict.** How many?",
    "Answer",
    "Four.",
    "stage",
    "quick, [`x.cu`](x.cu)",
    "The last",
]


class Pages(unittest.TestCase):
    def test_messages_are_what_one_reads(self) -> None:
        self.assertEqual(markdown.messages(PAGE), MESSAGES)

    def test_a_translation_leaves_all_else(self) -> None:
        loud = re.sub(r"(on|item|How)\n(?:> |  )?", r"\1 ", PAGE)
        for message in MESSAGES:
            loud = loud.replace(message, message.upper())
        self.assertEqual(markdown.translated(PAGE, str.upper), loud)

    def test_a_generated_sentence_is_one_for_all_numbers(self) -> None:
        text = "<!-- minutes -->\n\n**Time:** 45 minutes,\nand 1,010. ([how](../COURSE.md#how))\n\n<!-- /minutes -->\n"
        self.assertEqual(markdown.messages(text), [])
        sentence = "**Time:** {1} minutes, and {2}. ([how]{3})"
        self.assertEqual(markdown.messages(text, generated=True), [sentence])
        shown = markdown.translated(text, str.upper, lambda message: "{2}, {1}, [x]{3}" if message == sentence else "")
        self.assertEqual(shown, "<!-- minutes -->\n\n1,010, 45, [x](../COURSE.md#how)\n\n<!-- /minutes -->\n")

    def test_a_caption_is_translated_in_parts(self) -> None:
        text = (
            "<!-- results: 03_x -->\n\n**NVIDIA H200** · random, n = 1,024, 3_shared by blocks · CUDA 13.0 · driver 580.1 · "
            "2026-11-26 · commit d167e67\n\n<!-- /results -->\n"
        )
        labels = ["random, n = {1}, {2} by blocks", "driver {1}"]
        self.assertEqual(markdown.messages(text, generated=True), labels)
        chinese = dict(zip(labels, ("{2}\uff0c随机\uff0c{1}", "驱动程序 {1}"), strict=True))
        caption = "**NVIDIA H200** · 3_shared\uff0c随机\uff0c1,024 · CUDA 13.0 · 驱动程序 580.1 · 2026-11-26 · commit d167e67"
        self.assertEqual(markdown.translated(text, str, chinese.__getitem__).splitlines()[2], caption)

    def test_words_of_generated_tables(self) -> None:
        text = (
            "<!-- results: 03 -->\n\n![The stages of 03_x and what each reaches](results.svg)\n\n"
            "<details><summary>The tables of the NVIDIA H200</summary>\n\n"
            "| stage | [at least](y.md#floors) | [03 · X, a page](x.md), [04](y.md) |\n| :-- | --: | --: |\n"
            "| [2_time](2_time.cu) | 1.3 µs, its bytes, from the L2 cache | n = 1,024 floats |\n\n<!-- /results -->\n"
        )
        self.assertEqual(markdown.messages(text), [])
        known = {"stage": "阶段", "at least": "至少", "its bytes": "字节", "its bytes, from the L2 cache": "来自 L2 的字节", "The tables of the {gpu}": "{gpu} 的表格"}
        known |= {"The stages of {chapter} and what each reaches": "{chapter} 的阶段", "n = {1} floats": "{1} 个 float"}

        def word(english: str) -> str:
            return tables.shown(english, lambda text: known.get(text, text), lambda target, title: f"{target} {title.lower()}")

        chinese = (
            "<!-- results: 03 -->\n\n![03_x 的阶段](results.svg)\n\n<details><summary>NVIDIA H200 的表格</summary>\n\n"
            "| 阶段 | [至少](y.md#floors) | [x.md 03 · x, a page](x.md)、[y.md 04](y.md) |\n| :-- | --: | --: |\n"
            "| [2_time](2_time.cu) | 1.3 µs\uff0c来自 L2 的字节 | 1,024 个 float |\n\n<!-- /results -->\n"
        )
        self.assertEqual(markdown.translated(text, str, word=word), chinese)
        known = {"its blocks": "启动线程块", "{number} blocks": "{number} 个块"}
        self.assertEqual([word("0.16 s, its blocks"), word("1,024 blocks")], ["0.16 s\uff0c启动线程块", "1,024 个块"])

    def test_no_words_of_a_generated_table_stay_english(self) -> None:
        english = re.compile(r"[a-z]{3,} [a-z]|[a-z] [a-z]{3,}|\d [a-z]{3,}")  # not the name of a thing: banded
        phrase = Translation(ROOT, "zh").phrase
        left = []

        def word(text: str) -> str:
            own = tables.shown(text, phrase, lambda target, title: "题")
            left.extend([text] * (own == text and "[" not in text and english.search(CODE.sub("", text)) is not None))
            return own

        for path in lessons.pages(ROOT):
            markdown.translated(path.read_text(encoding="utf-8"), word=word, translate=str)
        self.assertEqual(left, [])

    def test_a_link_at_the_end_of_the_pages_around_and_a_share_in_a_table(self) -> None:
        text = "<!-- around -->\n\n← [03 · Title](x.md)\n\n<!-- /around -->\n\n| a few | 77<!--in x.log:1.4--> % |\n"

        def word(english: str) -> str:
            return tables.shown(english, lambda text: text.replace(" %", "%"), lambda target, title: "题")

        shown = markdown.translated(text, str, word=word)
        self.assertEqual(shown, text.replace("03 · Title", "题").replace(" %", "%"))

    def test_the_comment_around_a_generated_part_stays(self) -> None:
        text = "<!-- counts: x | barriers, lanes of a shared load -->\n\n| barriers |\n| --: |\n\n<!-- /counts -->\n"
        shown = markdown.translated(text, word=lambda word: f"<{word}>", translate=str)
        self.assertEqual(shown, text.replace("| barriers |", "| <barriers> |"))

    def test_what_stands_beside_machine_code(self) -> None:
        text = "<!-- sass: 5 4 -->\n\n```text\n      … 6 others\n 01c0  LDG.E R5   4 B a lane\n```\n\n<!-- /sass -->\n"
        self.assertEqual(markdown.messages(text, generated=True), ["… {1} others", "{1} B a lane"])
        shown = markdown.translated(text, str, {"… {1} others": "… 另 {1} 条", "{1} B a lane": "各 {1} 字节"}.__getitem__)
        self.assertEqual(shown, text.replace("6 others", "另 6 条").replace("4 B a lane", "各 4 字节"))

    def test_a_drawn_picture_is_a_message(self) -> None:
        picture = "![Two lanes](pictures/watch_x.svg)"
        text = f"<!-- watch: 3 2 | warp=0 | Two lanes -->\n\n{picture}\n\n<!-- /watch 012 -->\n"
        self.assertEqual(markdown.messages(text), [picture])
        self.assertEqual(markdown.translated(text, lambda message: message.replace("Two", "2")), text.replace("![Two", "![2"))

    def test_all_pages_of_the_course_can_be_put_together_again(self) -> None:
        for part in parts.parts(ROOT):
            for file in (file for file in part.files if file.endswith(".md")):
                text = (ROOT / file).read_text(encoding="utf-8")
                self.assertEqual(markdown.translated(text, lambda message: message), text, file)

    def test_what_a_web_page_says(self) -> None:
        script = """say("lane {1}", n); say(
            one ? "{1} reads" : "{1} read", "no message");
            plural(count(a, b), "{1} \\"row\\"", "{1} rows"); essay("nothing"); say(text); say(", ")"""
        self.assertEqual(
            web.messages(script, ".js"), ["lane {1}", "{1} reads", "{1} read", '{1} "row"', "{1} rows", ", "]
        )
        html = '<p>no</p><p id="a" translate="yes">An <em>order</em>,\n  not time</p><i aria-label="play" data-label="steps">x</i>'
        self.assertEqual(web.messages(html, ".html"), ["An <em>order</em>, not time", "play", "steps"])

    @unittest.skipUnless(shutil.which("cmark-gfm"), "there is no cmark-gfm")
    def test_the_menu_of_the_chinese_book_is_chinese(self) -> None:
        entries = [entry for entry in collect(ROOT, "zh").navigation]
        while entries:
            for title, target in entries.pop().items():
                self.assertRegex(title, "[\u4e00-\u9fff]")
                entries += target if isinstance(target, list) else []

    def test_a_source_says_which_sentences_it_puts_together(self) -> None:
        source = """// "no sentence here"
            report("thread " + index(t) + " of block " + index(b), (write ? "writes " : "reads ") + bytes_of(n));
            text += std::string(" for ") + name(x) + std::to_string(n) + " a word"  // in one line, and
                " and one more";
            if (text.find(" is looked for") == 1'000) note("%u of the %s wait"); fail("not supported: this"); word = "one";"""
        self.assertEqual(
            sentences.templates(source, ".cpp"),
            ["{text} for {text2} a word and one more", "thread {index} of block {index2}"]
            + ["writes {text}", "reads {text}", "{number} of the {text} wait"],
        )
        source = """def f(x):
            'No sentence.'
            raise Failure("no sentence")
            return f"{x} is {g('not ' + x)} there{', and here' if x else ''}", "two words", re.compile("no sentence")"""
        self.assertEqual(
            sentences.templates(source, ".py"), ["{text} is {text2} there{text3}", "not {text}", "{text}, and here", "two words"]
        )

    def test_a_verdict_is_said_in_the_learners_language(self) -> None:
        zh = Translation(ROOT, "zh")
        for english, chinese in (
            ("two threads race", "两个线程发生竞态"),
            ("values right, but two threads race", "值都对，但两个线程发生竞态"),
            ("n = 9, 2 buckets, many keys equal: out[0] is 3, expected 4", "n = 9，2 个桶，许多键相等：out[0] 是 3，应为 4"),
            (Limit.read("sectors per global load <= 4.0", "task.md").says(8.0), "每次全局内存加载的扇区数为 8.0，要求至多 4.0"),
            (Limit.read("launches in k <= 1", "task.md").says(2), "k 中的启动次数为 2，要求至多 1"),
            ("n = 3: the launch failed, and squares() returned cudaSuccess", "n = 3：启动失败了，squares() 却返回了 cudaSuccess"),
            ("n = 300: 4 threads computed something: exactly 5 are asked for", "n = 300：参与计算的线程数为 4：要求恰好 5"),
            ("n = 1: blocks() predicts 4, which is too small", "n = 1：blocks() 预测 4，这个值太小"),
            (
                "n = 1: thread (1,0,0) of block (2,0,0) writes 4 bytes, just past the end of c (40 bytes)",
                "n = 1：线程块 (2,0,0) 的线程 (1,0,0) 写入 4 字节，紧接在 c（40 字节）末尾之后",
            ),
            (
                "thread (0,0,0) of block (0,0,0) wrote cache[0] in shared memory in line 12",
                "线程块 (0,0,0) 的线程 (0,0,0) 写入共享内存中的 cache[0]（第 12 行）",
            ),
            (
                "The checked build has found a mistake at n = 31: thread (0,0,0) of block (0,0,0) reads sums[0] in shared memory",
                "检查版（n = 31）发现了一个错误：线程块 (0,0,0) 的线程 (0,0,0) 读取共享内存中的 sums[0]",
            ),
            (
                "32 of the 64 threads of block (0,0,0), thread (0,0,0) first, wait",
                "线程块 (0,0,0) 的 64 个线程中的 32 个（第一个是线程 (0,0,0)）等待",
            ),
            (
                "thread (1,0,0) of block (1,0,0) of kernel add(float*, int) in stream 1 wrote 4 bytes, 8 bytes into sums (16 bytes)",
                "流 1 中核函数 add(float*, int) 的线程块 (1,0,0) 的线程 (1,0,0) 写入 4 字节，在偏移 8 字节处，所在内存是 sums（16 字节）",
            ),
            (
                "thread (1,0,0) of block (1,0,0) of kernel add(float*, int) in the default stream wrote 4 bytes, 8 bytes into sums",
                "默认流中核函数 add(float*, int) 的线程块 (1,0,0) 的线程 (1,0,0) 写入 4 字节，在偏移 8 字节处，所在内存是 sums",
            ),
            ("| error: /a/add.cu:64: two threads race", "| error: /a/add.cu:64: 两个线程发生竞态"),
            (
                "But before that, host code calls cudaFree(), which answers cudaErrorInvalidValue (invalid argument), at a.cu:5: "
                "see to that first.",
                "但此前主机代码调用 cudaFree()，它返回 cudaErrorInvalidValue (invalid argument)，位置是 a.cu:5：请先处理它。",
            ),
            ("Nothing was ever written there. That is memory of the host, which a GPU cannot reach.", None),
        ):
            shown = said.shown(english, zh)
            self.assertEqual(shown, chinese or shown, english)
            self.assertNotRegex(shown, r"\b(?:is|of|there|memory)\b")
        for english in ("expected ‘;’ before ‘}’ token", "case: 'x' is no value of a class", "Why: {this}?", ""):
            self.assertEqual(said.shown(english, zh), english)

    def test_lab_speaks_chinese(self) -> None:
        zh = Translation(ROOT, "zh")
        for english, chinese in (
            ("built 12 files in 3 s", "已构建 12 个文件\uff0c用了 3 s"),
            ("x.html shows 10 launches, 4 blocks, 90 steps", "x.html 显示 10 次启动\uff0c4 个线程块\uff0c90 步"),
            ("8 s, 1 of them known before, 2 not run; grades.csv and more are in x", "8 s\uff0c其中 1 份先前已评\uff0c2 份没有运行\uff1bgrades.csv 等文件在 x 中"),
        ):
            self.assertEqual(zh.says(english), chinese)
        with mock.patch.object(console, "said", zh.says):
            for name, parser in lab.parsers().items():
                if name != "completion":  # it shows lines for a shell
                    said = parser.format_help().partition("\n\n")[2] + zh.says(" ".join(parser.summary.split()))
                    self.assertNotRegex(said, r"(?<!/)\b[a-z]{3,} [a-z]{3,} (?!common)[a-z]", name)
            out = io.StringIO()
            rows = "stage        digits  sectors   here\n1_cpu         exact        –  40 µs\n  · exact       6.9       24   9 ms\n"
            print("n = 7 floats\n\n" + rows, file=tables.Screen(out))
        first, _, *own = out.getvalue().splitlines()
        self.assertEqual((first, own[0].split()), ("n = 7 个 float", ["阶段", "正确位数", "扇区", "本机"]))
        self.assertEqual([*map(console.columns, own)], [35, 35, 35, 0])
        self.assertIn("· exact ", own[2])

    def test_the_table_of_a_gpu_keeps_its_width(self) -> None:
        heading = "stage                        time with copies     GB/s % of copy   vs CPU digits"
        row = "3_blocks_and_threads       931 µs      460 ms    3,461      81 %    363 ×  exact"
        out = io.StringIO()
        with mock.patch.object(console, "said", Translation(ROOT, "zh").says):
            print(f"{heading}\n{row}", file=tables.Screen(out))
        own = out.getvalue().splitlines()
        self.assertEqual(own[0].split(), ["阶段", "时间", "含复制", "GB/s", "与复制之比", "%", "对", "CPU", "正确位数"])
        self.assertEqual([*map(console.columns, own)], [80, 80])

    def test_all_that_tasks_count_is_translated(self) -> None:
        for exercise in folder.discover(ROOT):
            for limit in exercise.task.limits:
                shown = said.quantity(limit.quantity, Translation(ROOT, "zh").phrase).replace(limit.kernel, "")
                self.assertNotRegex(shown, "[a-z]{2}", exercise.number)

    def test_a_task_keeps_the_names_that_tools_read(self) -> None:
        path = ROOT / "03_vector_add" / "exercises" / "1_guard" / "task.md"
        text = markdown.translated(path.read_text(encoding="utf-8"), lambda message: f"线程 {message}")
        english, task = folder.find(folder.discover(ROOT), "3.1").task, folder.read_task(text, "task.md")
        self.assertEqual(task.limits, english.limits)
        self.assertEqual(task.front["after"], english.front["after"])
        self.assertEqual(task.front["title"], f"线程 {english.front['title']}")
        self.assertEqual(len(task.hints), len(english.hints))

    def test_what_a_handout_needs_is_chinese_however_the_lesson_says_it(self) -> None:
        for handout in course.choose("all", "zh"):
            for need in handout.lesson.needs:
                self.assertRegex(need, r"^[^*A-Za-z]*(?:C\+\+|CUDA)?[^*A-Za-z]*[\u4e00-\u9fff].*[^*]$", handout.chapter)

    def test_a_handout_in_chinese_is_made_of_the_same_parts(self) -> None:
        (english,), (chinese,) = course.choose("3"), course.choose("3", "zh")
        asked = [section.file for section, _ in english.predictions()]
        self.assertEqual([section.file for section, _ in chinese.predictions()], asked)
        self.assertEqual(len(chinese.lesson.able), len(english.lesson.able))
        for _, prediction in chinese.predictions():
            self.assertRegex(prediction.question, r"^[^*A-Za-z]*[\u4e00-\u9fff]")
            self.assertRegex(prediction.answer, r"[\u4e00-\u9fff]")
        text = sheet.student(chinese)
        for part in (sheet.LINE, "\n## ", "\n### ", "handin", "!["):
            self.assertEqual(text.count(part), sheet.student(english).count(part), part)
        self.assertIn("## \u9884\u6d4b\n", text)
        self.assertNotIn("Predict", text)


SHOWN = """\
<svg viewBox="0 0 9 9" font-family="Helvetica, sans-serif">
<title>03_x: bytes of each stage, NVIDIA H200 · n = 1,024 floats · 2026-11-26</title>
<text x="1">03_x: bytes of each stage</text>
<text x="1">NVIDIA H200 · n = 1,024 floats · 2026-11-26</text>
<text x="1" translate="no">library</text><text>12.5 GB/s</text><text>cudaFree(two &amp; three)</text>
<g><text>block 3 &lt; <tspan>its lane</tspan>: 4</text><text>block 12 &lt; </text></g>
</svg>
"""
IN_LINES = """\
<svg class="drawing"><title>Warp 0 reads a[0…7]: 2 sectors of 32 bytes.</title>
<text>Warp 0 reads a[0…7]: 2 sectors</text><text>of 32 bytes.</text><text class="mono bold">sectors</text></svg>
"""


class Pictures(unittest.TestCase):
    def test_labels_are_messages_with_places(self) -> None:
        labels = ["{1}: bytes of each stage", "n = {1} floats", "block {1} <", "its lane"]
        self.assertEqual(pictures.messages(SHOWN), labels)
        chinese = dict(zip(labels, ("{1}：各阶段的字节", "{1} 个 float", "线程块 {1} <", "通道"), strict=True))
        shown = pictures.translated(SHOWN, lambda label: chinese[label], "zh")
        for part in (
            '<svg xml:lang="zh" viewBox="0 0 9 9" font-family="Helvetica, Noto Sans CJK SC, sans-serif">',
            "<title>03_x：各阶段的字节\uff0cNVIDIA H200 · 1,024 个 float · 2026-11-26</title>",
            '<text x="1">03_x：各阶段的字节</text>',
            '<text x="1">NVIDIA H200 · 1,024 个 float · 2026-11-26</text>',
            '<text x="1" translate="no">library</text><text>12.5 GB/s</text><text>cudaFree(two &amp; three)</text>',
            "<g><text>线程块 3 &lt; <tspan>通道</tspan>: 4</text><text>线程块 12 &lt; </text></g>",
        ):
            self.assertIn(part, shown)

    def test_a_title_in_lines_is_one_message(self) -> None:
        label = "Warp {1} reads {2}: {3} sectors of {4} bytes."
        self.assertEqual(pictures.messages(IN_LINES), [label])
        shown = pictures.translated(IN_LINES, {label: "线程束 {1} 读取 {2}：{3} 个扇区，各 {4} 字节。"}.__getitem__, "zh")
        self.assertIn("<title>线程束 0 读取 a[0…7]：2 个扇区，各 32 字节。</title>", shown)
        lines = re.findall(r"<text>([^<]*)</text>", shown)
        self.assertEqual(len(lines), 2)
        self.assertEqual("".join(lines).replace(" ", ""), "线程束0读取a[0…7]：2个扇区，各32字节。")
        self.assertLessEqual(max(map(console.columns, lines)), len("Warp 0 reads a[0…7]: 2 sectors"))
        self.assertIn(">sectors<", shown)

    def test_what_has_no_translation_stays(self) -> None:
        for file in pictures.files(ROOT):
            svg = (ROOT / file).read_text(encoding="utf-8")
            self.assertEqual(pictures.translated(svg, str, "zh"), svg, file)

    @unittest.skipUnless(shutil.which("cmark-gfm"), "there is no cmark-gfm")
    def test_a_handout_shows_the_translated_picture(self) -> None:
        (handout,) = course.choose("3", "zh")
        page = pages.html("\n\n".join(sheet.picture(handout)), "03", "a4", handout.translation)
        (data,) = re.findall(r'<img src="data:image/svg\+xml;base64,([^"]+)"', page)
        self.assertRegex(base64.b64decode(data).decode(), r"<text[^>]*>[^<]*[\u4e00-\u9fff]")


class Lines(unittest.TestCase):
    def test_chinese_takes_two_columns(self) -> None:
        text = "每个线程块有 256 个线程\uff0c`c[i] = a[i] + b[i]`。" * 9
        lines = console.wrapped(text, "  ").splitlines()
        self.assertGreater(len(lines), 4)
        for line in lines:
            self.assertLessEqual(console.columns(line), console.width() - 1)
            self.assertNotIn(line.strip()[0], console.CLOSING)
        self.assertEqual("".join(lines).replace(" ", ""), text.replace(" ", ""))


class Table(unittest.TestCase):
    def test_terms(self) -> None:
        table = Terms({"thread": ["线程"], "thread block": ["线程块"], "lane": ["通道"]}, {r"\d %": "5%"})
        for english, translation, comments, wrong in (
            ("Two threads", "两个线程", [], 0),
            ("Two threads", "两个纤程", [], 1),
            ("Two threads", "两个纤程", ["not: thread"], 0),
            ("A thread block", "一个线程块", [], 0),
            ("A thread block", "一个线程", [], 1),
            ("`thread` and [x](thread.md), multi-thread", "`thread` [x](thread.md)", [], 0),
            ("`i < n` and [x](y.md)", "[x](y.md)", [], 1),
            ("`i < n` and [x](y.md)", "`i < n` [x](z.md)", [], 1),
            ("{number} lanes", "通道", [], 1),
            ("Two, and `f(x)`", "两个\uff0c`f(x)`", [], 0),
            ("Two, and `f(x)`", "两个,`f(x)`", [], 1),
            ("1.5 million of 30,000.", "30,000 个中的 150 万", [], 0),
            ("0.98 and 29", "0.99 和 29", [], 1),
            ("8, and 8", "8", ["not: numbers"], 0),
            ("5 %", "5 %", [], 1),
            ("*So.* It *is* so", "*是的\uff0c*它*就*是", [], 1),
            ("So [*is*](x.md) it", "有了*[它](x.md)*\uff0c是", [], 1),
            ("So [*is*](x.md) it", "有了[*它*](x.md)\uff0c是", [], 0),
            ("*So.* It *is*, *so*", "*是的。* 它*就*是\uff0c*是*的", [], 0),
        ):
            found = list(table.problems(Entry(1, english, translation, False, english, comments)))
            self.assertEqual(len(found), wrong, (english, translation, found))


class Files(FakeRepository):
    def setUp(self) -> None:
        super().setUp()
        shutil.copytree(ROOT / "03_vector_add" / "exercises" / "1_guard", self.root / "03_vector_add/exercises/1_guard")
        self.write("README.md", "[中文](README.zh.md) <!-- links -->\n# The course\n\nTwo threads share a word.\n\nThe last line.\n")
        self.write("translations/zh/terms.toml", '"thread" = ["线程"]\n')

    @unittest.skipUnless(shutil.which("msgmerge"), "there is no msgmerge")
    def test_a_file_follows_the_english(self) -> None:
        result = self.lab("translate", "README")
        self.assertRegex(result.stdout, r"README +3 messages, 3 new\n")
        self.assertRegex(result.stdout, r"03_vector_add +\d+ messages, not begun\n")
        path = self.root / "translations/zh/README.po"
        for english, chinese in (("The course", "课程"), ("Two threads share a word.", "两个线程共用一个字。")):
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace(f'msgid "{english}"\nmsgstr ""', f'msgid "{english}"\nmsgstr "{chinese}"'), encoding="utf-8")
        zh = Translation(self.root, "zh")
        english = (self.root / "README.md").read_text(encoding="utf-8")
        self.assertEqual(zh.page("README.md", english), "[中文](README.zh.md) <!-- links -->\n# 课程\n\n两个线程共用一个字。\n\nThe last line.\n")
        self.assertEqual(zh.missing("README.md", english), 1)

        self.write("README.md", english.replace("share a word", "share one word"))
        self.assertRegex(self.lab("translate").stdout, r"README +3 messages, 1 new, 1 fuzzy\n")
        self.assertEqual(parts.left([parts.state(part, self.root, "zh") for part in parts.parts(self.root)]), (2, 3))
        english = (self.root / "README.md").read_text(encoding="utf-8")
        self.assertIn("Two threads share one word.", Translation(self.root, "zh").page("README.md", english))

    def test_a_line_that_is_wrong_is_named(self) -> None:
        path = self.write("translations/zh/README.po", 'msgid ""\nmsgstr ""\n\nmsgid "a"\nmsgstr "b\n')
        with self.assertRaisesRegex(Failure, r"README\.po:5: "):
            catalogue.read(path)

    def test_a_figure_that_differs_from_that_of_the_translation_is_named(self) -> None:
        self.write("translations/zh/README.po", '\nmsgid "It has 1,024 threads."\nmsgstr "它有 1,024 个线程。"\n')
        (part,) = (part for part in parts.parts(self.root) if part.name == "README")
        for text, slip in (("1,024 threads", False), ("1,023 threads", True), ("16 threads", True), ("1,023 words", False)):
            self.write("README.md", f"It has {text}.\n")
            found = parts.state(part, self.root, "zh").slips
            self.assertRegex("".join(found), rf"^translations/zh/README.po:2: other figures .*: It has {text}.$" if slip else "^$")
        self.write("README.md", "It has 16 threads.\n")
        for earlier, slip in (("It has 1,024 threads.", True), ("It has 1,024 words.", False)):
            fuzzy = f'\n#, fuzzy\n#| msgid "{earlier}"\nmsgid "It has 16 threads."\nmsgstr "它有 1,024 个线程。"\n'
            self.write("translations/zh/README.po", fuzzy)
            self.assertEqual(len(parts.state(part, self.root, "zh").slips), slip)

    def test_terms_are_looked_up_in_each_file(self) -> None:
        self.write("translations/zh/README.po", '\nmsgid "Two threads"\nmsgstr "两个"\n')
        self.assertEqual(list(terms.problems(self.root, "zh")), ["translations/zh/README.po:2: 'thread' is 线程"])

    def test_of_wrong_versions_what_an_instructor_reads_is_translated(self) -> None:
        version = (
            '[[wrong]]\nname = "{name}"\nfind = "i < n"\nput = "i <= n"\ncaught_by = "values"\nsays = "expected"\n'
            'thinks = "n is the last one."\n{asks}\n'
        )
        versions = version.format(name="one * too many", asks='asks = "Is a[n] there?"') + version.format(name="a *", asks="")
        self.write("03_vector_add/exercises/1_guard/wrong.toml", versions)
        (part,) = (part for part in parts.parts(self.root) if part.name.startswith(WRONG))
        self.assertEqual(part.name, "wrong_03_vector_add")
        self.assertEqual(list(part.messages(self.root)), ["one * too many", "n is the last one.", "Is a[n] there?", "a *"])
        state = parts.state(part, self.root, "zh")
        self.assertEqual(parts.in_words(state), "wrong_03_vector_add      4 messages, not begun")
        self.assertEqual(parts.left([state]), (0, 0))

        self.write("translations/zh/wrong_03_vector_add.po", 'msgid "one * too many"\nmsgstr "多了一个 *"\n\n'
                   'msgid "n is the last one."\nmsgstr "n 是最后一个。"\n\nmsgid "Is a[n] there?"\nmsgstr "有 a[n] 吗？"\n')  # fmt: skip
        self.write("translations/zh/lab.po", 'msgid "Ask: {question}"\nmsgstr "提问：{question}"\n')
        self.assertEqual(parts.left([parts.state(part, self.root, "zh")]), (1, 4))
        (exercise,) = folder.discover(self.root, Translation(self.root, "zh"))
        nothing = Verdict("values", "wrong values", "")
        seen = Tried({name: nothing for name in (STARTER, "one * too many", "a *")}, {})
        shown = list(instructor.mistakes(exercise, seen))
        for line in (r"**多了一个 \*.** *“n 是最后一个。”*", r"提问：有 a\[n\] 吗？", r"**A \*.** *“n 是最后一个。”*"):
            self.assertIn(line, shown)

    @unittest.skipUnless(shutil.which("msgmerge"), "there is no msgmerge")
    def test_wrong_versions_of_a_chapter_are_begun_by_its_number(self) -> None:
        for word in ("wrong_3", "wrong_03_vector_add.po", "translations/zh/wrong_03_vector_add.po"):
            result = self.lab("translate", word)
            self.assertRegex(result.stdout, r"wrong_03_vector_add +(\d+) messages, \1 new\n", result.stderr)
            self.assertRegex(result.stdout, r"\n03_vector_add +\d+ messages, not begun\n")
            (self.root / "translations/zh/wrong_03_vector_add.po").unlink()
        self.refused(2, "there is no part 'wrong_77': name a chapter, wrong_CHAPTER, or README", "translate", "wrong_77")

    def test_an_exercise_in_chinese(self) -> None:
        self.write("translations/zh/03_vector_add.po", 'msgid "The last block has threads to spare"\nmsgstr "多余的线程"\n\n'
                   'msgid "guard"\nmsgstr "边界判断"\n')  # fmt: skip
        for words, settings, chinese in (
            (["exercise", "--language", "zh"], {}, True),
            (["--language", "zh", "exercise"], {}, True),
            (["exercise"], {"LAB_LANGUAGE": "zh"}, True),
            (["exercise"], {"LANG": "zh_CN.UTF-8"}, True),
            (["exercise"], {"LANG": "de_DE.UTF-8"}, False),
            (["exercise", "--language", "en"], {"LANG": "zh_CN.UTF-8"}, False),
        ):
            result = self.runs(*words, **settings)
            self.assertEqual("边界判断 " in result.stdout, chinese, (words, settings))
        for words in (["exercise", "--language", "xx"], ["doctor", "--language", "xx"], ["--language", "xx", "doctor"]):
            result = self.lab(*words)
            said = "lab: the course is not there in 'xx'; its languages: en, zh\n"
            self.assertEqual((result.returncode, result.stderr), (2, said))
