"""The page of ./lab sass, in a real browser and without a network. Its data are made here, without a CUDA toolkit."""

import itertools
import math
import re
from pathlib import Path

from support import ROOT
import browser
from sass import listing, page, view
from sass.launches import Launch
from sass.occupancy import Use
from sass.opcodes import KINDS
from sass.said import say
from sass.view import Unit
from translating import web
from translating.translation import SASS, Translation

HOSTILE = "</script><b id='hostile'>&amp;"
SOURCE = ["#include <cmath>", "__device__ float f(float x) { return x + 1; }", f"// {HOSTILE}", "__global__ void k(float* a) {",
          "    for (int i = 0; i < 9; ++i)", "        a[i] = f(a[i]);", "}"]  # fmt: skip
LISTING = """\
.section .text._Z1kPf,"ax",@progbits
.other _Z1kPf,@"STO_CUDA_ENTRY STV_DEFAULT"
//## File "{file}", line 4
/*0000*/ LDC R1, c[0x0][0x28] ;
.L_x_1:
//## File "{file}", line 6
/*0010*/ LDG.E.128 R4, desc[UR6][R2.64] ;
//## File "{file}", line 2 inlined at "{file}", line 6
//## File "{file}", line 6
/*0020*/ FADD R4, R4, 1 ;
//## File "{file}", line 6
/*0030*/ STL [R1], R4 ;
//## File "{file}", line 5
/*0040*/ @!P0 BRA `(.L_x_1) ;
//## File "{file}", line 7
/*0050*/ EXIT ;
.section .text._Z1gPf,"ax",@progbits
.other _Z1gPf,@"STO_CUDA_ENTRY STV_DEFAULT"
/*0000*/ EXIT ;
"""


def unit(folder: Path, name: str) -> Unit:
    """What is shown of a file, as if nvcc had compiled it."""
    path = folder / name
    path.write_text("\n".join(SOURCE) + "\n")
    files = {name: SOURCE}
    launch = Launch(128, say("as the file launches it"))
    functions = listing.parse(LISTING.format(file=path))
    use = Use(40, 64, 1, 8, 8, 8)
    kernels = [view._kernel(each, each.name, f"{each.name}(float*)", use, launch, path, files) for each in functions]
    return Unit(name, "sm_90", "13.2", f"nvcc {HOSTILE}", files, tuple(kernels))


class InBrowser(browser.Pages):
    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        one, two = unit(cls.folder, "one.cu"), unit(cls.folder, "two.cu")
        (cls.folder / "one.html").write_text(page.written([one]), encoding="utf-8")
        (cls.folder / "two.html").write_text(page.written([one, two]), encoding="utf-8")

    def open(self, name: str, address: str = "") -> None:
        self.open_address((self.folder / name).as_uri() + address)

    def click(self, selector: str) -> None:
        self.browser.run("document.querySelector(arguments[0]).click()", selector)

    def marked(self, selector: str) -> list[str]:
        """The numbers of source lines, or the addresses of instructions, that are marked so."""
        part = ".number" if "line" in selector.split(".")[1] else ".address"
        script = "return [...document.querySelectorAll(arguments[0])].map((row) => row.querySelector(arguments[1]).textContent)"
        return self.browser.run(script, selector, part)

    def text(self, identifier: str) -> str:
        return self.browser.run("return document.getElementById(arguments[0]).textContent", identifier)

    def address(self) -> str:
        return self.browser.run("return new Promise((done) => setTimeout(() => done(location.hash), 200))")

    def test_begins_at_the_loop(self) -> None:
        self.open("one.html")
        self.assertEqual(self.marked(".row.now"), ["0010"])
        self.assertEqual(self.marked(".line.now"), ["6"])
        self.assertIn("LDG.E.128 R4, desc[UR6][R2.64]: loads from global memory", self.text("sentence"))
        self.assertIn("16 B a lane", self.text("sentence"))
        self.assertIn("In the loop 0010–0040, 4 instructions.", self.text("sentence"))
        rails = self.browser.run("return [...document.querySelectorAll('.rail')].map((rail) => rail.textContent).join('')")
        self.assertEqual(rails, " ┌││└ ")

    def test_another_language(self) -> None:
        chinese = web.translated(page.written([unit(self.folder, "one.cu")]), Translation(ROOT, "zh"), SASS)
        (self.folder / "chinese.html").write_text(chinese, encoding="utf-8")
        self.open("chinese.html")
        says = "：从全局内存加载到寄存器；E：64 位地址；128：每个通道 16 字节。每个通道 16 字节。来自第 6 行。在循环 0010–0040 中，共 4 条指令。"
        self.assertEqual(self.text("sentence").partition("[R2.64]")[2], says)
        english = self.browser.run("return document.querySelector('.side').textContent.match(/\\b[a-z]{4,} [a-z]{2,}\\b/g)")
        self.assertIsNone(english)
        self.assertEqual(self.browser.run("return document.querySelector('#how b').textContent"), "点击源代码的一行")
        marked = "return [...document.querySelectorAll('[translate=yes]')].map((element) => element.textContent)"
        for words in self.browser.run(marked):
            self.assertRegex(words, "[\u4e00-\u9fff]")

    def test_a_line_shows_its_instructions(self) -> None:
        self.open("one.html")
        self.click("[data-line='0:2']")
        self.assertEqual(self.marked(".row.own"), ["0020"])
        self.assertEqual(self.marked(".row.now"), ["0020"])
        self.click("[data-line='0:6']")
        self.assertEqual(self.marked(".row.own"), ["0010", "0030"])
        self.assertEqual(
            self.text("sentence"),
            "Line 6: 3 instructions (1 of them from functions that are inlined here): 1 × LDG.E.128, 1 × STL, 1 × FADD.",
        )
        self.assertEqual(self.marked(".row.of-line"), ["0010", "0020", "0030"])  # what was inlined there, too
        self.assertEqual(self.browser.run("return document.querySelectorAll('[data-line]').length"), 5)

    def test_an_instruction_shows_its_line(self) -> None:
        self.open("one.html")
        self.click("[data-at='2']")
        self.assertEqual(self.marked(".line.now"), ["2"])
        self.assertEqual(self.marked(".line.via"), ["6"])
        self.assertIn("From line 2, inlined in line 6.", self.text("sentence"))
        self.click("[data-at='5']")
        self.assertEqual(self.marked(".line.now"), ["7"])

    def test_keys_and_the_address(self) -> None:
        self.open("one.html")
        self.browser.press("ArrowDown")
        self.assertEqual(self.marked(".row.now"), ["0020"])
        self.browser.press("f")
        self.assertEqual(self.marked(".row.now"), ["0030"])
        self.browser.press("End")
        self.browser.press("ArrowUp")
        self.assertIn("Only in lanes where P0 is false.", self.text("sentence"))
        self.click("#follow")
        self.assertEqual(self.marked(".row.now"), ["0010"])
        self.browser.press("ArrowRight")
        self.assertEqual(self.marked(".line.now"), ["7"])
        address = self.address()
        self.assertEqual(address, "#side=0&kernel=0&line=0:7&at=0050")
        self.browser.press("b")
        self.assertEqual(self.marked(".row.now"), ["0000"])
        self.open("one.html", address)
        self.assertEqual(self.marked(".row.now"), ["0050"])
        for nonsense in ("#side=9&kernel=-1&at=zz", "#line=0:99", "#line=<b>&at=", "#%", "#kernel=99999999"):
            self.open("one.html", nonsense)
            self.assertEqual(len(self.marked(".row.now")), 1, nonsense)

    def test_facts(self) -> None:
        self.open("one.html")
        facts = self.browser.run("return document.querySelector('.facts').textContent")
        for says in ("registers a thread40", "64 bytesand 1024 that CUDA takes", "SPILLS: 8 bytes stored", "12 blocks", "75 %", "limited by registers"):
            self.assertIn(says, facts)
        change = "const s = document.querySelectorAll('.choice select')[1]; s.value = arguments[0]; s.dispatchEvent(new Event('change'))"
        self.browser.run(change, "1024")
        self.assertIn("1 block32 of 64 warps", self.browser.run("return document.querySelector('.facts').textContent"))
        self.assertEqual(self.browser.run("return document.querySelectorAll('.fact.bad').length"), 1)
        self.assertEqual(self.marked(".row.spill"), ["0030"])

    def test_what_they_mean(self) -> None:
        self.open("one.html")
        titles = self.browser.run("return [...document.querySelectorAll('.opcode')].map((opcode) => opcode.title)")
        self.assertTrue(all(titles))
        names = self.browser.run("return [...document.querySelectorAll('#meanings dt')].map((name) => name.textContent)")
        self.assertEqual(names, ["BRA", "EXIT", "FADD", "LDC", "LDG.E.128", "STL"])

    def test_hostile_text_stays_text(self) -> None:
        self.open("one.html")
        self.assertIsNone(self.browser.run("return document.getElementById('hostile')"))
        self.assertIn(HOSTILE, self.browser.run("return document.querySelector('.source').textContent"))

    def test_two_sides(self) -> None:
        self.open("two.html")
        self.assertEqual(self.browser.run("return document.querySelectorAll('.side').length"), 2)
        self.browser.press("s")
        self.browser.press("Home")
        self.assertEqual(self.marked(".row.now"), ["0010", "0000"])
        self.click(".side:first-child [data-at='4']")
        self.assertEqual(self.marked(".row.now"), ["0040", "0000"])
        self.assertTrue(re.match("#side=0&", self.address()))

    def test_fits_every_width(self) -> None:
        self.open("one.html")
        for dark in (False, True):
            self.browser.size(1280, 900, dark)
            self.assertLess(self.browser.run("return document.querySelector('.pair').getBoundingClientRect().top"), 400)
            colours = self.browser.run("""return arguments[0].map((kind) => {
                document.body.style.color = `var(--${kind})`;
                return getComputedStyle(document.body).color.match(/\\d+/g).map(Number);
            })""", list(KINDS))
            for one, other in itertools.combinations(colours, 2):
                self.assertGreater(math.dist(one, other), 40, (dark, colours))
        for name in ("one.html", "two.html"):
            for width in (360, 390, 768, 1200, 1600, 3840):
                self.browser.size(width, 800)
                self.open(name)
                widths = self.browser.run("return [document.documentElement.scrollWidth, innerWidth]")
                self.assertLessEqual(widths[0], widths[1], (name, width))
