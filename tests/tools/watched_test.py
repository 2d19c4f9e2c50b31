"""The pictures of watched threads in the lessons: markers, what makes them stale, how they are drawn."""


from support import FakeRepository

MARKER = "<!-- watch: 3 2 -- --n 40 | picture=rounds array=cache round=1 motion=600 | A sum folds -->"
NAME = "03_vector_add/pictures/watch_2_fold_n_40_rounds_cache_round1_motion600.svg"

# Leaves a page that says with which arguments it ran, and in a file how often it ran.
PROGRAM = """\
echo ran >> "$HOME/runs"
echo "page of $*" > "$EMULATOR_WATCH"
echo "emulator: $EMULATOR_WATCH shows 1 launch" >&2
"""
# Draws what the page holds and what the address asks for. Its address is the last argument.
BROWSER = """\
#!/bin/sh
for address; do :; done
echo "$address" >> "$HOME/addresses"
page=${address#file://}
svg='<svg xmlns="http://www.w3.org/2000/svg" id="picture">'
echo "<html><body>$DRAWN$svg<text>$(cat "${page%%#*}")</text></svg></body></html>"
"""


class Watched(FakeRepository):
    def setUp(self) -> None:
        super().setUp()
        self.chapter("03_vector_add", "vector_add", PROGRAM)
        self.watches("03_vector_add", "vector_add --n 9")
        self.stage = self.write("03_vector_add/2_fold.cu", "int fold;\n")
        self.other = self.write("03_vector_add/4_other.cu", "int other;\n")
        self.lesson = self.write("03_vector_add/README.md", f"# Add\n\n{MARKER}\nold\n<!-- /watch -->\nEnd.\n")
        self.picture = self.root / NAME
        self.command("chromium", BROWSER)

    def times(self) -> int:
        path = self.temporary / "runs"
        return len(path.read_text().splitlines()) if path.exists() else 0

    def test_a_picture_is_drawn_and_shown(self) -> None:
        result = self.runs("docs")
        self.assertEqual(result.stdout, f"updated: 03_vector_add/README.md\ndrawn: {NAME}\n")
        self.assertEqual(
            self.lesson.read_text(),
            f"# Add\n\n{MARKER}\n\n![A sum folds](pictures/{self.picture.name})\n\n*Drawn from what the threads did. To step "
            "through it: `./lab watch 3 2 -- --n 40`, with `#round=1` at the end of the page's address.*\n\n"
            "<!-- /watch -->\nEnd.\n",
        )
        self.assertIn("<text>page of --n 40 --stage 2_fold</text></svg>\n<!-- made from ", self.picture.read_text())
        address = (self.temporary / "addresses").read_text()
        self.assertTrue(address.startswith("file:///"), address)
        self.assertTrue(address.endswith("#picture=rounds&array=cache&round=1&motion=600\n"), address)
        self.assertEqual(self.lab("docs").stdout, "all generated parts are current\n")
        self.assertEqual(self.times(), 1)

    def test_what_makes_a_picture_stale(self) -> None:
        self.lab("docs")
        for path, text in (
            (self.stage, "int fold = 1;\n"),
            (self.picture, self.picture.read_text().replace("page of", "page off")),
            (self.picture, "<svg/>\n"),
        ):
            with self.subTest(path=path.name, text=text):
                before = path.read_text()
                path.write_text(text)
                result = self.ends(1, "docs", "--check")
                self.assertEqual(result.stdout, f"stale: {NAME}; ./lab docs draws it again\n")
                path.write_text(before)
        self.picture.unlink()
        self.assertEqual(self.lab("docs", "--check").stdout, f"missing: {NAME}; ./lab docs draws it\n")
        self.assertEqual(self.times(), 1)

    def test_drawings_are_compared(self) -> None:
        self.lab("docs")
        self.watches("03_vector_add", "vector_add --n 7")  # another page, from the same stage
        self.chapter("03_vector_add", "vector_add", PROGRAM.replace("page of", "sheet of"))
        self.assertIn("all generated parts are current", self.lab("docs").stdout)
        result = self.ends(1, "docs", "--check", "--draw")
        self.assertEqual(result.stdout, f"stale: {NAME}; ./lab docs --draw draws it again\n")
        self.assertEqual(self.lab("docs", "--draw").stdout, f"all generated parts are current\ndrawn: {NAME}\n")
        before = self.picture.read_text()
        self.assertEqual(self.lab("docs", "--draw").stdout, "all generated parts are current\n")
        self.assertEqual(self.picture.read_text(), before)
        self.assertNotIn("stale", self.lab("docs", "--check", "--draw").stdout)

    def test_what_leaves_a_picture_current(self) -> None:
        self.lab("docs")
        self.stage.write_text("// what it is\nint   fold;  /* a\n sum */\n")
        self.other.write_text("int another;\n")
        self.lesson.write_text(self.lesson.read_text().replace("A sum folds", "Folded", 1))
        self.assertEqual(self.lab("docs", "--check").stdout, "stale: 03_vector_add/README.md\n")
        self.assertEqual(self.lab("docs").stdout, "updated: 03_vector_add/README.md\n")
        self.assertEqual(self.times(), 1)

    def test_only_stale_pictures_are_drawn_again(self) -> None:
        self.lesson.write_text(
            f"{MARKER}\n<!-- /watch -->\n<!-- watch: 3 4 | picture=step | Another -->\n<!-- /watch -->\n"
            "<!-- watch: 3 4 | picture=step warp=1 | One more -->\n<!-- /watch -->\n"
        )
        self.lab("docs")
        self.assertEqual(self.times(), 2, "one run for both pictures of a stage")
        self.other.write_text("int another;\n")
        drawn = [f"drawn: 03_vector_add/pictures/watch_4_other_step{more}.svg\n" for more in ("", "_warp1")]
        self.assertEqual(self.lab("docs").stdout, "".join(drawn))
        self.assertEqual(self.times(), 3)

    def test_a_picture_that_nobody_shows_goes_away(self) -> None:
        self.lab("docs")
        self.lesson.write_text("# Add\n")
        self.assertEqual(self.lab("docs", "--check").stdout, f"stale: {NAME}\n")
        self.assertEqual(self.lab("docs").stdout, f"updated: {NAME}\n")
        self.assertFalse(self.picture.exists())

    def test_without_chromium_all_else_is_generated(self) -> None:
        self.only_these_commands("bash", "sh", "dirname", "readlink", "env", "mkdir", "cat")
        (self.bin / "chromium").unlink()
        result = self.ends(4, "docs")
        self.assertEqual(result.stdout, "updated: 03_vector_add/README.md\n")
        self.assertIn("1 picture of watched threads must be drawn again, and that takes Chromium", result.stderr)
        self.assertIn("install chromium)", result.stderr)
        self.assert_one_line(result.stderr)
        self.assertEqual(self.lab("docs", "--check").stdout, f"missing: {NAME}; ./lab docs draws it\n")

    def test_what_cannot_be_drawn_is_told(self) -> None:
        for drawn, expected in (
            (
                '<p id="problem">There is no array=x &amp; y.</p>',
                "./lab watch 3 2 -- --n 40, #picture=rounds&array=cache&round=1&motion=600: There is no array=x & y.",
            ),
            ('<svg id="picture"><b></svg>', "what chromium has drawn is no SVG"),
        ):
            with self.subTest(expected=expected):
                result = self.ends(1, "docs", DRAWN=drawn)
                self.assertIn(expected, result.stderr)
                self.assertFalse(self.picture.exists())
        self.command("chromium", "#!/bin/sh\n")
        self.assertIn("chromium has drawn nothing", self.lab("docs").stderr)
        self.write("03_vector_add/vector_add.sh", "#!/bin/sh\nexit 3\n")
        self.assertIn("ended with exit code 3 and left no page", self.lab("docs").stderr)

    def test_mistakes_are_named_with_file_and_line(self) -> None:
        for marker, expected in (
            ("3 2 | picture=step", "README.md:1: this marker is not complete"),
            ("3 | picture=step | x", "README.md:1: this needs a chapter and a stage, and has '3'"),
            ("7 2 | picture=step | x", "README.md:1: there is no chapter '7'"),
            ("3 9 | picture=step | x", "README.md:1: there is no stage 9 in 03_vector_add; the stages: 2_fold, 4_other"),
            ("3 2 | picture=step colour=red | x", "README.md:1: 'colour' is no NAME=VALUE of a picture"),
            ("3 2 | warp=1 | x", "README.md:1: this has no picture="),
        ):
            with self.subTest(marker=marker):
                text = f"<!-- watch: {marker} -->\n<!-- /watch -->\n"
                self.lesson.write_text(text)
                self.refused(1, expected, "docs")
                self.assertEqual(self.lesson.read_text(), text)
