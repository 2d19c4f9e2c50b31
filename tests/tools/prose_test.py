"""What ./lab docs --check finds in the Markdown sources: links, lengths, figures that nobody measured, and words that no reader
can know."""

import json

import support
from lessons import figures, page, prose
from lessons.page import Page
from translating import markdown, pictures

LESSON = """\
# 01 · A first lesson

<!-- minutes -->
<!-- /minutes -->

## Two `words`, & [a link](more.md)

## Same
## Same

```md
# Not a heading
[not a link](absent.md)
```

> ~~~
> [neither](absent.md)
> ~~~

`[code](absent.md)` <!-- [comment](absent.md) -->
"""


class Files(support.Folder):
    """Each test gets a folder with a lesson, to which it adds lines."""

    def setUp(self) -> None:
        super().setUp()
        self.write("01_first/CMakeLists.txt", "")
        self.write("01_first/more.md", "# More\n\n<!-- minutes -->\n<!-- /minutes -->\n\n## Part\n")
        self.write("01_first/1_add.cu", "one\ntwo\nthree\n")
        self.write("README.md", "# All\n")
        self.lesson = self.write("01_first/README.md", LESSON)

    def problems(self) -> list[str]:
        return list(prose.problems(self.root))

    def problems_with(self, line: str) -> list[str]:
        """What is wrong once the lesson ends with this line."""
        self.lesson.write_text(f"{LESSON}\n{line}\n", encoding="utf-8")
        return self.problems()


class Links(Files):
    def test_good_links(self) -> None:
        for link in (
            "[a](..)",
            "[a](#same) [b](#same-1)",
            '[a](more.md "a title") ![b](1_add.cu)',
            "[a](https://example.org/absent#x) [b](mailto:a@example.org)",
            "[a][b]\n\n[b]: more.md",
            "[b][]\n\n[B]: more.md#part",
        ):
            with self.subTest(link=link):
                self.assertEqual(self.problems_with(link), [])

    def test_bad_links(self) -> None:
        for link, why in (
            ("[a](absent.md)", "there is no 01_first/absent.md"),
            ("![a](pictures/absent.svg)", "there is no 01_first/pictures/absent.svg"),
            ("[a](Readme.md)", "there is no 01_first/Readme.md"),
            ("[a](more.md#absent)", "01_first/more.md has no heading with this anchor"),
            ("[a](more.md#Part)", "01_first/more.md has no heading with this anchor"),
            ("[a](#not-a-heading)", "01_first/README.md has no heading with this anchor"),
            ("[a](#same-2)", "01_first/README.md has no heading with this anchor"),
            ("[a](1_add.cu#L4)", "01_first/1_add.cu has no anchors"),
            ("[a](../../other)", "it leaves the repository"),
            ("[a](../build/x)", "git does not know build/"),
            ("[a]: absent.md", "there is no 01_first/absent.md"),
            ("[`code`](absent.md)", "there is no 01_first/absent.md"),
            ("some `code` [a](absent.md) and `more`", "there is no 01_first/absent.md"),
            ("> - **[a\n> b](absent.md)**", "there is no 01_first/absent.md"),
        ):
            with self.subTest(link=link):
                found = self.problems_with(link)
                self.assertEqual(len(found), 1, found)
                self.assertRegex(found[0], r"^01_first/README\.md:\d+: the link to \S+ leads nowhere: ")
                self.assertIn(why, found[0])

    def test_predictions_stand_alone(self) -> None:
        for text in ("> as the table below says", "> It's slower than the\n> formula above says."):
            self.assertRegex("\n".join(self.problems_with(text)), r"README.md:\d+: '(table below|formula.*above)': on a sheet")
        self.assertEqual(self.problems_with("As the table below says."), [])

    def test_the_line_is_named(self) -> None:
        number = LESSON.count("\n") + 2
        self.assertEqual(
            self.problems_with("[word][05]"), [f"01_first/README.md:{number}: [05] is used as a link and never defined"]
        )

    def test_all_markdown_files_are_read(self) -> None:
        for name in ("COURSE.md", "emulator/README.md", "01_first/exercises/1_x/task.md"):
            with self.subTest(name=name):
                path = self.write(name, "[a](absent.md)\n")
                self.assertEqual(len(self.problems()), 1)
                path.unlink()
        for name in ("build/x.md", "my/x.md", ".git/x.md"):
            self.write(name, "[a](absent.md)\n")
        self.assertEqual(self.problems(), [])

    def test_anchors_are_those_of_github(self) -> None:
        for title, anchor in (
            ("3 · Blocks of many threads", "3--blocks-of-many-threads"),
            ("`nvcc_cpu`: your own programs", "nvcc_cpu-your-own-programs"),
            ("A picture, and *why*?", "a-picture-and-why"),
            ("[Link](x.md) and ![alt](y.png)", "link-and-alt"),
            ("What’s in 2³ bytes – à propos", "whats-in-2³-bytes--à-propos"),
        ):
            self.assertEqual(page.slug(title), anchor)


class Lengths(Files):
    def test_a_lesson_that_is_too_long(self) -> None:
        long = "word " * prose.MOST_WORDS
        found = self.problems_with(long)
        self.assertEqual(len(found), 1, found)
        self.assertIn("README.md: 3,5", found[0])
        self.assertIn("at most 3,500 can be read in one go", found[0])
        allowed = "<!-- words: up to 3,600, because it must be -->"
        self.assertEqual(self.problems_with(f"{allowed}\n{long}"), [])
        self.assertIn("at most 3,600", self.problems_with(f"{allowed}\n{long}{'word ' * 100}")[0])
        self.assertIn("are no longer too many", self.problems_with(allowed)[0])
        self.assertEqual(len(self.problems_with(f"<!-- words: up to 3,600 -->\n{long}")), 1, "no reason is given")

    def test_what_is_no_prose_is_not_counted(self) -> None:
        def words() -> int:
            return sum(map(page.words, Page(self.lesson).sections))

        before = words()
        table = "<!-- counts: x -->\n| no | more |\n<!-- /counts -->"
        self.problems_with(f"```\nnot one word\n```\n<!-- nor here --> — · \n{table}")
        self.assertEqual(words(), before)
        self.problems_with("[two words](more.md#not-these) *three*")
        self.assertEqual(words() - before, 3)

    def test_a_lesson_that_names_no_minutes(self) -> None:
        self.lesson.write_text("# 01\n\n[more](more.md)\n", encoding="utf-8")
        self.write("01_first/more.md", "# More\n")
        found = self.problems()
        self.assertEqual(len(found), 2, found)
        for line, name in zip(found, ("README.md", "more.md"), strict=True):
            self.assertIn(f"01_first/{name}: the lesson does not say how long it takes", line)


class Figures(Files):
    """What ./lab docs refuses to fill in, and what it finds that nobody has measured. ./lab docs --check sees that all figures of
    the lessons are filled in right."""

    def setUp(self) -> None:
        super().setUp()
        figures._entries.cache_clear()
        for gpu in "ab":
            row = {"name": "2_x", "seconds": 0.005, "percent_of_copy": 93.75}
            runs = [{"title": f"n = {n} ints", "n": n, "stages": [row]} for n in (8, 80)]
            chapter = {"chapter": "01_first", "device": {"name": f"GPU {gpu}"}, "runs": runs}
            self.write(f"results/{gpu}.json", json.dumps({"device": f"GPU {gpu}", "chapters": {"01_first": chapter}}))
        self.write("results/profiles/a.log", "busy 37.46 of 100\nidle 12\n")

    def filled(self, text: str) -> str:
        self.lesson.write_text(f"<!-- measured: n = 8; a -->\n{text}\n", encoding="utf-8")
        return figures.filled(Page(self.lesson), self.root)[1]

    def test_what_cannot_be_filled_in_is_refused(self) -> None:
        for text, why in (
            ("0<!--=4_none--> s", "no run of 01_first with 'n = 8…' as title has 4_none"),
            ("0<!--=2_x @ n =--> s", "2 runs of 01_first"),
            ("0<!--=2_x.gb--> s", "2_x has no '.gb' there"),
            ("0<!--=2_x - 1--> s", "is negative"),
            ("0.0<!--=2_x / 1000--> and more", "would be shown as 0.0: is its unit behind it?"),
            ("0<!--=2_x; --> s", "'; ' of the figure '2_x; ' is no stage"),
            ("0<!--=2_x + --> s", "cannot be worked out"),
            ("0<!--=2_x-->", "ends its line"),
            ("0<!--=2_x in days-->", "'days' is no unit"),
            ("0<!--=2_x @ c--> s", "no run of 01_first with 'c…'"),
            ("0<!--=2_x @ n = 8; c--> s", "was measured on a GPU named 'c'"),
        ):
            with self.subTest(text=text):
                self.assertEqual(self.filled(text), text)
                (found,) = self.problems_with(f"<!-- measured: n = 8; a -->\n{text}")
                self.assertIn(why, found)
        self.assertIn("needs a line <!-- measured", self.problems_with("0<!--=2_x--> s")[0])

    def test_a_figure_of_which_nobody_says_where_it_comes_from(self) -> None:
        for text in ("It takes 3 ms.", "**3** ms", "> 41 % less", "1.4 times as long", "2.5 × the time", "| 3,000 GB/s |"):
            with self.subTest(text=text):
                (found,) = self.problems_with(text)
                self.assertRegex(found, r"01_first/README.md:\d+: where does .* come from")
        for text in (
            "3<!--=2_x--> ms, `5 ms`, 16 × 16 threads, 4 times, 3 of 4\n```\n3 ms\n```\n<!-- counts: x -->\n| 3 ms |\n<!-- /counts -->",
            "37<!--in results/profiles/a.log:1.1--> % and 100.0<!--in results/profiles/a.log:1.2--> %",
            "It takes 3 ms,\nor 4 ms.\n<!-- not measured: reckoned -->",
            "2 · 3 = 6 = 7 − 1, 255 / 32 = 8.0, 512 / 132 = 3.88; (1, 2 + 3) = 4, 3 − 1 = 2 · 1, x2 · 3 = 5",
        ):
            with self.subTest(text=text):
                self.assertEqual(self.problems_with(f"<!-- measured: n = 8; a -->\n{text}"), [])
        for text, why in (
            ("100<!--in results/profiles/a.log:1.1--> %", "100 is not number 1 of results/profiles/a.log:1, which has 37.46 100"),
            ("12<!--in results/profiles/a.log:9.1--> %", "12 is not number 1 of results/profiles/a.log:9, which has none"),
            ("**3**<!--=2_x--> m", "does not stand right behind a number"),
            ("or (32 + 64) · 4 = 383, say", "(32 + 64) · 4 is not 383: it is 384"),
            ("or π · 70² + 32² = 16,417", "is not 16,417: it is 16417.8"),
            ("At most 128 / 131 = 97.8 %\n<!-- not measured: reckoned -->", "128 / 131 is not 97.8 %: it is 97.7099"),
        ):
            with self.subTest(text=text):
                self.assertIn(why, "".join(self.problems_with(text)))
        self.assertEqual(len(self.problems_with("It takes 3 ms.\n\nOr 4 ms.\n<!-- not measured: reckoned -->")), 1)

    def test_a_translation_has_the_figures_of_the_page(self) -> None:
        page = "# One\n\nIt takes 3.1<!--=2_x--> ms, 1.4<!--=2_x / 3_y/z--> times\nas long.\n\n| 2<!--=2_x in ms--> |\n"
        (_, message) = markdown.messages(page)
        self.assertEqual(message, "It takes {2_x} ms, {2_x / 3_y/z} times as long.")
        own = {message: "{2_x / 3_y/z} 倍，即 {2_x} ms。"}
        self.assertIn("\n1.4 倍，即 3.1 ms。\n", markdown.translated(page, lambda text: own.get(text, text)))


class Ratios(Files):
    def setUp(self) -> None:
        super().setUp()
        figures._entries.cache_clear()
        for name, of_3, of_8 in (("A H100", 2.0, 1.0), ("A H200", 1.0, 1.0), ("Another", 9.0, 1.0)):
            runs = [self.run_of("n = 64 pairs", 1.0, 1.0), self.run_of("n = 4,096 pairs", of_3, of_8)]
            chapter = {"chapter": "01_first", "device": {"name": name}, "runs": runs}
            self.write(f"results/{name}.json", json.dumps({"device": name, "chapters": {"01_first": chapter}}))

    def run_of(self, title: str, *seconds: float) -> dict[str, object]:
        names = ("3_a", "8_b/64")
        return {"title": title, "stages": [{"name": n, "seconds": s} for n, s in zip(names, seconds, strict=True)]}

    def found(self, marker: str) -> list[str]:
        return [text.partition(": ")[2] for text in self.problems_with(f"It is faster.\n\n> <!-- holds: {marker} -->\n")]

    def test_one_that_does_not_is_named_with_its_gpu(self) -> None:
        self.assertEqual(
            self.found("n = 4,096 | 8_b/64 / 3_a | 0.9 to 1.1"),
            ["on the H100, 8_b/64 / 3_a is 0.500, and the text needs 0.9 to 1.1"],
        )

    def test_what_nobody_measured_cannot_hold(self) -> None:
        nobody = [f"on the A {gpu}, no run of 01_first with 'n = 64…' as title has 9_c" for gpu in ("H100", "H200")]
        self.assertEqual(self.found("n = 64 | 3_a / 9_c | 0 to 9"), nobody)
        self.assertEqual(len(self.found("n = | 3_a / 8_b/64 | 0 to 9")), 2, "of which of the two?")
        self.assertEqual(len(self.found("n = 65 | 3_a / 8_b/64 | 0 to 9")), 2)
        self.assertEqual(len(self.found("n = 64 | 3_a / 8_b/64 | 0 to 9 on the B200")), 1)
        self.assertIn("not complete", self.found("n = 64 | 3_a | 0 to 9")[0])


class Pictures(Files):
    def test_a_drawing_is_of_its_source_as_it_is(self) -> None:
        self.write("01_first/1_add.cu", "constexpr int tile = 128;  // a comment\nif (tile)\n    add(a,  b);\n")
        drawn = "<svg>\n<!-- drawn from 1_add.cu: tile = 128 -->\n<!-- drawn from 1_add.cu: if (tile) add( -->\n</svg>\n"
        picture = self.write("01_first/pictures/tile.svg", drawn)
        self.assertEqual(self.problems(), [])
        for before, after in (("tile = 128", "tile = 12"), ("tile = 128", "ile = 128"), ("add(", "a comment"), ("1_add", "2_absent")):
            with self.subTest(after=after):
                picture.write_text(drawn.replace(before, after, 1), encoding="utf-8")
                (found,) = self.problems()
                self.assertRegex(found, "^01_first/pictures/tile.svg: .*_.*.cu no longer has '.*', from which it was drawn")

    def test_every_picture_has_colours_for_dark_pages(self) -> None:
        names = pictures.files(support.ROOT)
        bright = [name for name in names if "prefers-color-scheme: dark" not in (support.ROOT / name).read_text(encoding="utf-8")]
        self.assertEqual(bright, [], "chart.DARK gives them")
