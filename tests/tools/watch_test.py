"""./lab watch."""

import os
import subprocess

from support import FakeRepository
from translating import web


def watched_program(page: str = "<html>page</html>", says: str = "", code: int = 0) -> str:
    """A program of the checked build that writes a page and knows the stages 1_first and 2_second."""
    return (
        'case "$*" in *--stage*) case "$*" in *1_first*|*2_second*) ;; *) echo "error: no such stage" >&2; exit 2;; esac\n'
        "esac\n"
        'case "$*" in *--bad*) echo "error: unknown argument: --bad" >&2; exit 2;; esac\n'
        f"echo \"watched $*\" >> ~/log; echo its own output; echo '{says}' >&2\n"
        f"printf '%s' '{page}' > \"$EMULATOR_WATCH\"\n"
        'echo "emulator: $EMULATOR_WATCH shows 1 launch, 2 blocks, 30 steps" >&2\n'
        f"exit {code}\n"
    )


class Watch(FakeRepository):
    def setUp(self) -> None:
        super().setUp()
        self.chapter("03_vector_add", "vector_add", watched_program())
        self.watches("03_vector_add", "vector_add --n 64")
        self.write("03_vector_add/0_sequential.cpp", "")
        self.write("03_vector_add/1_first.cu", "")
        self.write("03_vector_add/2_second.cu", "")
        self.env["COLUMNS"] = "200"

    def page(self, name: str = "03_2_second.html") -> str:
        return (self.root / "build/watch" / name).read_text()

    def log(self) -> str:
        return (self.temporary / "log").read_text()

    def test_a_page_in_another_language(self) -> None:
        self.write("translations/zh/watch.po", '\nmsgid "all"\nmsgstr "全部<"\n\nmsgid "bank"\nmsgstr ""\n')
        self.chapter("03_vector_add", "vector_add", watched_program(web.PLACE))
        self.watches("03_vector_add", "vector_add --n 64")
        for language, catalogue in (("en", "{}"), ("zh", '{"language":"zh","messages":{"all":"全部\\u003c"}}')):
            self.runs("watch", "3", "2", "--no-open", "--language", language)
            self.assertEqual(self.page(), web.PLACE.replace("{}", catalogue))

    def test_a_page(self) -> None:
        result = self.runs("watch", "3", "2", "--no-open")
        self.assertEqual(
            result.stdout.splitlines()[-1], "build/watch/03_2_second.html shows 1 launch, 2 blocks, 30 steps"
        )
        self.assertNotIn("its own output", result.stdout)
        self.assertEqual(self.page(), "<html>page</html>")
        self.assertEqual(self.log(), "watched --n 64 --stage 2_second\n")

    def test_options_of_ones_own_come_in_place_of_the_programs(self) -> None:
        self.watches("03_vector_add", "vector_add --repeat 1 --n 1000 --data one two")
        for given, expected in (
            (["--n", "33"], "--repeat 1 --data one two --n 33"),
            (["--data=3"], "--repeat 1 --n 1000 --data=3"),
            (["--float"], "--repeat 1 --n 1000 --data one two --float"),
        ):
            self.runs("watch", "vector_add", "second", "--no-open", "--", *given)
            self.assertEqual(self.log().splitlines()[-1], f"watched {expected} --stage 2_second")

    def test_the_line_that_has_the_stage(self) -> None:
        refuses = 'case "$*" in *--other*|*2_second*) echo "error: no such stage" >&2; exit 2 ;; esac\n'
        self.chapter("03_vector_add", "vector_add", refuses + watched_program())
        self.watches("03_vector_add", "vector_add --other", "vector_add --one")
        self.runs("watch", "3", "1", "--no-open")
        self.assertEqual(self.log(), "watched --one --stage 1_first\n")
        result = self.lab("watch", "3", "2", "--no-open")
        self.assertEqual((result.returncode, result.stderr.splitlines()[-1]), (2, "lab: no such stage"))
        self.assertFalse((self.root / "build/watch/03_2_second.html").exists())

    def test_the_program_as_stage(self) -> None:
        self.runs("watch", "3", "vector_add", "--no-open")
        self.assertEqual(self.log(), "watched --n 64\n")
        self.assertEqual(self.page("03_vector_add.html"), "<html>page</html>")

    def test_a_program_that_is_not_watched(self) -> None:
        self.chapter("03_vector_add", "3_mistakes", "exit 0\n")
        self.watches("03_vector_add", "vector_add --n 64")
        self.write("03_vector_add/3_mistakes.cu", "")
        result = self.ends(2, "watch", "3", "3", "--no-open")
        self.assertIn("3_mistakes is not made to be watched; of the programs", result.stderr.splitlines()[-1])

    def test_what_cannot_be_watched_is_refused_before_the_build(self) -> None:
        stages = "The stages: 0_sequential, 1_first, 2_second\n"
        for stage, why in (
            (["9"], f"there is no stage 9 in 03_vector_add; {stages.lower()}"),
            (["../x"], f"there is no stage ../x in 03_vector_add; {stages.lower()}"),
            ([], f"which stage of 03_vector_add? {stages}"),
            (["0"], "0_sequential of 03_vector_add runs on the host and has no kernel\n"),
        ):
            self.refused(2, why, "watch", "3", *stage, "--no-open")
        self.assertFalse((self.root / "build").exists(), "nothing is built for that")

    def test_nothing_is_launched(self) -> None:
        """A stage that runs and launches no kernel."""
        silent = "echo 'emulator: there is nothing to watch: no kernel was launched' >&2; exit 1\n"
        self.write("03_vector_add/vector_add.sh", f"#!/bin/sh\n{silent}")
        result = self.ends(1, "watch", "3", "1", "--no-open")
        self.assertIn("there is nothing to watch: no kernel was launched", result.stderr)
        self.assertFalse((self.root / "build/watch/03_1_first.html").exists())

    def test_a_chapter_without_kernels(self) -> None:
        result = self.ends(2, "watch", "1", "1", "--no-open")
        self.assertEqual(result.stderr.splitlines()[-1], "lab: 01_hello has no program that is made to be watched")
        self.assertFalse((self.root / "build/check/01_hello/hello").exists(), "nothing is built for that")

    def test_arguments_that_the_program_refuses(self) -> None:
        for arguments in (["3", "2"], ["3", "vector_add"]):
            result = self.ends(2, "watch", *arguments, "--no-open", "--", "--bad")
            self.assertIn("unknown argument: --bad", result.stderr)
            self.assertNotIn("Traceback", result.stderr)

    def test_findings(self) -> None:
        """The page is there all the same, and what was found decides about the exit code."""
        self.write("03_vector_add/vector_add.sh", f"#!/bin/sh\n{watched_program(says='emulator: race', code=5)}")
        result = self.ends(5, "watch", "3", "2", "--no-open")
        self.assertIn("emulator: race", result.stderr)
        self.assertNotIn("exit code", result.stderr)
        self.assertEqual(self.page(), "<html>page</html>")

    def test_a_program_that_fails(self) -> None:
        self.write("03_vector_add/vector_add.sh", f"#!/bin/sh\n{watched_program(code=3)}")
        result = self.ends(3, "watch", "3", "2", "--no-open")
        self.assertIn("vector_add --n 64 --stage 2_second ended with exit code 3", result.stderr)
        self.assertEqual(self.page(), "<html>page</html>")

    def test_opening(self) -> None:
        """In the reader's browser where there is a screen; else it says what to do."""
        self.command("xdg-open", '#!/bin/sh\necho "$1" > ~/opened\n')
        result = self.lab("watch", "3", "2")
        self.assertEqual(result.stdout.splitlines()[-1], "open it in a browser")
        self.assertFalse((self.temporary / "opened").exists())
        result = self.lab("watch", "3", "2", "--no-open", DISPLAY=":7")
        self.assertNotIn("open it", result.stdout)
        self.command("xdg-open", "#!/bin/sh\n[ -s \"$1\" ] && mkfifo ~/once 2> /dev/null; echo \"$1\" > ~/opened\n")
        os.mkfifo(self.temporary / "opened")
        shown = subprocess.Popen(["cat", str(self.temporary / "opened")], stdout=subprocess.PIPE, encoding="utf-8")
        result = self.lab("watch", "3", "2", DISPLAY=":7")
        self.assertNotIn("open it", result.stdout)
        self.assertEqual(shown.communicate(timeout=60)[0], f"{self.root}/build/watch/03_2_second.html\n")

    def test_a_page_that_cannot_be_kept(self) -> None:
        self.lab("watch", "3", "2", "--no-open")
        (self.root / "build/watch/03_2_second.html").unlink()
        (self.root / "build/watch/03_2_second.html").mkdir()
        self.refused(1, "03_2_second.html", "watch", "3", "2", "--no-open")
