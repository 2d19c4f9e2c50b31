"""./lab sass: what it reads from nvcc and nvdisasm, what it concludes, and the page.

Where there is a CUDA toolkit with nvdisasm, real stages are compiled, and the occupancy is compared with what NVIDIA's own
cuda_occupancy.h computes."""

import itertools
import os
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from support import ROOT
from building import backend
from exercises import folder
from sass import flow, launches, limits, listing, occupancy, opcodes, programs, view
from sass.occupancy import Use, resident
from sass.said import say
from shared.console import Failure

# As nvdisasm 13.2 prints it. A loop inside another one, a part at the end that is left again, a call, and the padding.
LISTING = """\
\t.target\tsm_90
//--------------------- .text._Z1kPf --------------------------
\t.section\t.text._Z1kPf,"ax",@progbits
        .other          _Z1kPf,@"STO_CUDA_ENTRY STV_DEFAULT"
_Z1kPf:
.text._Z1kPf:
\t//## File "/a/k.cu", line 7
        /*0000*/                   LDC R1, c[0x0][0x28] ;
.L_x_1:
\t//## File "/a/k.cu", line 3 inlined at "/a/k.cu", line 8
\t//## File "/a/k.cu", line 8
        /*0010*/                   LDG.E.128 R4, desc[UR6][R2.64] ;
        /*0020*/                   LDG.E R8, desc[UR6][R2.64+0x10] ;
.L_x_2:
        /*0030*/              @!P0 FFMA R9, R7, R8, R9 ;
        /*0040*/               @P1 BRA `(.L_x_2) ;
        /*0050*/                   BRA.DIV UR4, `(.L_x_4) ;
.L_x_3:
        /*0060*/              @!P2 BRA `(.L_x_1) ;
        /*0070*/                   CALL.REL.NOINC `($_Z1kPf$_Z1fv) ;
        /*0080*/                   EXIT ;
.L_x_4:
        /*0090*/                   WARPSYNC.COLLECTIVE R13, `(.L_x_5) ;
        /*00a0*/                   SHFL.DOWN P6, R12, R4, R5, R11 ;
.L_x_5:
        /*00b0*/                   BRA `(.L_x_3) ;
        .type           $_Z1kPf$_Z1fv,@function
$_Z1kPf$_Z1fv:
        /*00c0*/                   STL.64 [R1+0x8], R4 ;
        /*00d0*/                   RET.REL.NODEC R4 `(_Z1kPf) ;
.L_x_6:
        /*00e0*/                   BRA `(.L_x_6);
        /*00f0*/                   NOP;
.L_x_7:
//--------------------- .text._Z1hv --------------------------
\t.section\t.text._Z1hv,"ax",@progbits
        /*0000*/                   EXIT ;
"""
VERBOSE = """\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z1kPf' for 'sm_90'
ptxas info    : Function properties for _Z1kPf
    64 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 28 registers, used 1 barriers, 64 bytes cumulative stack size, 32 bytes smem, 400 bytes cmem[0]
ptxas info    : Compile time = 16.313 ms
ptxas info    : Function properties for _Z1fv
    16 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
ptxas info    : Compiling entry function '_Z2k2v' for 'sm_90'
ptxas info    : Function properties for _Z2k2v
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers
"""


class Listing(unittest.TestCase):
    def setUp(self) -> None:
        self.kernel, self.other = listing.parse(LISTING)

    def test_functions_and_instructions(self) -> None:
        self.assertEqual((self.kernel.name, self.kernel.is_kernel), ("_Z1kPf", True))
        self.assertEqual((self.other.name, self.other.is_kernel, len(self.other.code)), ("_Z1hv", False, 1))
        self.assertEqual([one.address for one in self.kernel.code], list(range(0, 0xE0, 0x10)))  # no padding
        first, load = self.kernel.code[:2]
        self.assertEqual((first.opcode, first.operands, first.predicate), ("LDC", "R1, c[0x0][0x28]", ""))
        self.assertEqual((load.base, load.modifiers), ("LDG", ["E", "128"]))
        self.assertEqual(self.kernel.code[3].predicate, "@!P0")

    def test_places(self) -> None:
        self.assertEqual(self.kernel.code[0].places, (("/a/k.cu", 7),))
        self.assertEqual(self.kernel.code[1].places, (("/a/k.cu", 3), ("/a/k.cu", 8)))
        self.assertEqual(self.kernel.code[2].places, self.kernel.code[1].places)
        self.assertEqual(self.other.code[0].places, ())

    def test_places_whose_names_are_not_ascii(self) -> None:
        for written, meant in (
            (r"/\303\234bungen/k.cu", "/Übungen/k.cu"),
            (r"/a\303/274r.cu", "/aür.cu"),
            (r"/\346\240\270\345\207/275.cu", "/核函.cu"),
            ("/a/274.cu", "/a/274.cu"),
            (r"/\303\234/274.cu", "/Ü/274.cu"),
            (r"/a\777/k.cu", r"/a\777/k.cu"),
        ):
            self.assertEqual(listing.parse(LISTING.replace("/a/k.cu", written))[0].code[0].places, ((meant, 7),))

    def test_loops(self) -> None:
        outer, inner = flow.loops(self.kernel)
        self.assertEqual((outer.head, sorted(outer.body), outer.depth), (1, [1, 2, 3, 4, 5, 6, 9, 10, 11], 1))
        self.assertEqual((inner.head, sorted(inner.body), inner.depth), (3, [3, 4], 2))

    def test_a_branch_back_is_no_loop_by_itself(self) -> None:
        text = LISTING.replace("@!P2 BRA `(.L_x_1)", "@!P2 BRA `(.L_x_9)").replace("@P1 BRA `(.L_x_2)", "@P1 BRA `(.L_x_9)")
        self.assertEqual(flow.loops(listing.parse(text)[0]), [])

    def test_what_is_conditional(self) -> None:
        conditional = [one.address for one in self.kernel.code if one.base == "BRA" and flow.is_conditional(one)]
        self.assertEqual(conditional, [0x40, 0x50, 0x60])

    def test_loads_under_way(self) -> None:
        widths = [opcodes.width(one) for one in self.kernel.code]
        self.assertEqual(widths[:3], [4, 16, 4])
        self.assertEqual(flow.loads_in_flight(self.kernel.code, widths), 2)
        load, other, needs_both = self.kernel.code[1:4]  # R7 is of the first load, R8 of the other one
        used = [load, needs_both, other, needs_both]
        self.assertEqual(flow.loads_in_flight(used, [opcodes.width(one) for one in used]), 1)

    def instructions(self, *texts: str) -> list[listing.Instruction]:
        words = [text.partition(" ") for text in texts]
        return [listing.Instruction(0x10 * at, "", opcode, operands, ()) for at, (opcode, _, operands) in enumerate(words)]

    def test_loads_of_the_round_before(self) -> None:
        code = self.instructions("LDG.E R2, [R8.64]", "FADD R9, R9, R4", "FADD R9, R9, R2", "LDG.E R4, [R8.64]")
        self.assertEqual(flow.loads_in_flight(code, [4, 0, 0, 4]), 2)

    def test_asynchronous_copies_under_way(self) -> None:
        copy, close, wait = "LDGSTS.E [R1], [R2.64]", "LDGDEPBAR", "DEPBAR.LE SB0, 0x{:x}"
        for texts, copies in (
            ([copy, close, wait.format(0)], 1),
            ([copy, copy, close, wait.format(2)], 6),  # two groups stay under way, and then the next one begins
            ([wait.format(2), copy, copy, close], 6),
            ([close, wait.format(0), copy, copy, copy], 3),
            ([copy, copy, close, copy, close, wait.format(1)], 4),
            ([copy, close, wait.format(10)], 11),
            ([copy, close, "DEPBAR.LE SB1, 0x1"], None),
            ([copy, "ARRIVES.LDGSTSBAR.64 [UR4]"], None),
            (["DEPBAR.LE SB0, 0x1"], 0),
        ):
            self.assertEqual(flow.copies_in_flight(self.instructions(*texts)), copies, texts)

    def test_copies_of_inner_loops_are_not_counted(self) -> None:
        text = LISTING.replace("@!P0 FFMA R9, R7, R8, R9", "LDGSTS.E [R1], [R2.64]")
        text = text.replace("LDG.E R8, desc[UR6][R2.64+0x10]", "LDGDEPBAR").replace("BRA.DIV UR4, `(.L_x_4)", "DEPBAR.LE SB0, 0x1")
        function = listing.parse(text)[0]
        kernel = view._kernel(function, "k", "k", Use(0), launches.Launch(32, say(""), 0), Path("/a/k.cu"), {})
        outer, inner = ("; ".join(map(str, view.in_flight(kernel.body(loop)))) for loop in kernel.loops)
        self.assertEqual(outer, "up to 1 global load under way at a time; asynchronous copies are not counted: a loop inside begins them")
        self.assertEqual(inner, "asynchronous copies are not counted: this loop does not wait for groups of them")


class Instructions(unittest.TestCase):
    def one(self, opcode: str, operands: str = "") -> listing.Instruction:
        return listing.Instruction(0, "", opcode, operands, ())

    def test_widths(self) -> None:
        for opcode, bytes_of_a_lane in {
            "LDG.E": 4, "LDG.E.U8.CONSTANT": 1, "STG.E.U16": 2, "LDS.64": 8, "LDGSTS.E.BYPASS.128": 16, "LDSM.16.M88.4": 16,
            "REDG.E.ADD.64.STRONG.GPU": 8, "ATOMS.POPC.INC.32": 4, "FFMA": 0, "REDUX.SUM": 0, "LDGDEPBAR": 0, "LDL.128": 16,
            "LDG.E.ENL2.256": 32, "STG.E.128": 16, "RED.E.ADD.F32.FTZ.RN.STRONG.GPU": 4,
        }.items():  # fmt: skip
            self.assertEqual(opcodes.width(self.one(opcode)), bytes_of_a_lane, opcode)

    def test_explanations(self) -> None:
        def says(opcode: str) -> str:
            return "; ".join(map(str, opcodes.explanation(opcode)))

        self.assertEqual(says("LDG.E.128"), "loads from global memory into registers; E: 64-bit address; 128: 16 B a lane")
        self.assertNotIn("a lane", says("IMAD.64"))
        self.assertTrue(says("LDC.64").endswith("64: 8 B"))
        self.assertNotIn("less or equal", says("DEPBAR.LE"))
        self.assertTrue(says("HFMA2.MMA").endswith("MMA: the same result; no matrix is multiplied"))
        self.assertIn("cannot explain", says("XYZZY.E"))
        for base, (kind, text) in opcodes.EXPLAINED.items():
            self.assertIn(kind, opcodes.KINDS, base)
            self.assertTrue(text, base)


class Resources(unittest.TestCase):
    def test_what_ptxas_says(self) -> None:
        uses = programs.uses(VERBOSE)
        self.assertEqual(uses["_Z1kPf"], Use(28, 32, 1, 12, 16, 80))
        self.assertEqual(uses["_Z2k2v"], Use(8))

    def test_the_architecture_of_the_card(self) -> None:
        for capability, arch in {(8, 6): "sm_86", (12, 0): "sm_120", (6, 1): "sm_90", None: "sm_90"}.items():
            with mock.patch("building.backend.compute_capability", return_value=capability):
                self.assertEqual(programs.default_arch(), arch)

    def test_architectures(self) -> None:
        for word, arch in {"sm_90": "sm_90", "90": "sm_90", "9.0": "sm_90", "sm_120": "sm_120", "SM_90a": "sm_90a"}.items():
            self.assertEqual(limits.named(word), arch)
        for word in ("sm_60", "91", "hopper", "", "sm_9"):
            with self.assertRaisesRegex(Failure, "unknown architecture"):
                limits.named(word)

    def test_the_emulator_has_the_same_limits(self) -> None:
        text = (ROOT / "emulator/src/runtime_api/device.cpp").read_text()
        of = limits.of("sm_90")
        for name, value in {
            "maxThreadsPerMultiProcessor": f"{of.warps * limits.WARP}",
            "maxBlocksPerMultiProcessor": f"{of.blocks}",
            "regsPerMultiprocessor": f"{limits.REGISTERS}",
            "sharedMemPerBlockOptin": f"{of.shared_of_block // 1024} * KiB",
            "reservedSharedMemPerBlock": f"{of.reserved // 1024} * KiB",
            "sharedMemPerMultiprocessor": f"{of.shared // 1024} * KiB",
        }.items():
            self.assertIn(f"p.{name} = {value};", text)

    def test_known_occupancies(self) -> None:
        """From NVIDIA's occupancy calculator."""
        for arch, use, threads, dynamic, blocks, by in (
            ("sm_90", Use(17, 32, 1), 256, 0, 8, ("warps",)),
            ("sm_90", Use(32), 64, 0, 32, ("registers", "warps", "blocks")),
            ("sm_90", Use(33), 256, 0, 6, ("registers",)),  # 33 registers count as 40
            ("sm_90", Use(64), 256, 0, 4, ("registers",)),
            ("sm_90", Use(255), 288, 0, 0, ("registers",)),
            ("sm_90", Use(32, 48 * 1024), 128, 0, 4, ("shared memory",)),
            ("sm_90", Use(32), 128, 227 * 1024, 1, ("shared memory",)),
            ("sm_90", Use(32), 128, 227 * 1024 + 1, 0, ("shared memory",)),
            ("sm_75", Use(32), 1024, 0, 1, ("warps",)),
            ("sm_75", Use(32), 32, 0, 16, ("blocks",)),  # no shared memory at all: it does not limit
            ("sm_75", Use(32, 8200), 64, 0, 7, ("shared memory",)),  # 8200 bytes count as 8448
            ("sm_86", Use(40), 128, 0, 12, ("registers", "warps")),
            ("sm_120", Use(32, 0, 3), 32, 0, 8, ("barriers",)),
        ):
            it = resident(arch, use, threads, dynamic)
            self.assertEqual((it.blocks, it.limited_by), (blocks, by), (arch, use, threads, dynamic))

    def test_in_words(self) -> None:
        self.assertEqual(
            occupancy.in_words(resident("sm_90", Use(64), 256)), "4 blocks, 32 of 64 warps (50 %), limited by registers"
        )
        self.assertIn("no block fits", occupancy.in_words(resident("sm_90", Use(255), 1024)))


class Launches(unittest.TestCase):
    def threads(self, text: str, name: str = "k") -> tuple[int, str]:
        launch = launches.of_kernel(name, text)
        return launch.threads, str(launch.origin)

    def test_found(self) -> None:
        asked = "as the file launches it"
        for text, threads in {
            "k<<<2, 64>>>(x);": 64,
            "constexpr unsigned block_size = 512; k<<<blocks(n, 3), block_size>>>(x);": 512,
            "constexpr dim3 block(8, 16); k<true><<<covering(1, 2), block>>>(x);": 128,
            "constexpr int tile = 16; k<tile><<<grid, dim3(tile, tile)>>>(x);": 256,
            "constexpr unsigned warps = 4, block_size = warps * 32u; k<<<1, block_size>>>(x);": 128,
            "#define BLOCK 96\nk<<<1, BLOCK, 0, stream>>>(x);": 96,
            "const auto f = k<1>; constexpr dim3 block(8, 16); f<<<grid, block>>>(x);": 128,
            "struct T { static constexpr int r = 64, b = 32 * (r / 32) * 2; }; k<<<1, T::b, bytes>>>(x);": 128,
            "dim3 threads(32, 4); k<<<1, threads>>>(x);": 128,
        }.items():
            self.assertEqual(self.threads(text), (threads, asked), text)

    def test_template_parameters(self) -> None:
        text = (
            "template <class T, int tile = 8> __global__ void __launch_bounds__(tile * tile) k(T* a) {}\n"
            "template <int tile> void launch() { k<float, tile><<<2, dim3(tile, tile)>>>(nullptr); }\n"
        )
        self.assertEqual(self.threads(text, "k<float, 16>")[0], 256)
        self.assertEqual(self.threads(text, "k<float, 32u>")[0], 1024)

    def test_not_found(self) -> None:
        self.assertEqual(self.threads("k<<<1, n>>>(x);"), (256, "assumed"))
        self.assertEqual(self.threads("other<<<1, 64>>>(x); other<<<1, 32>>>(x);"), (256, "assumed"))
        self.assertEqual(self.threads("constexpr int b = b + 1; k<<<1, b>>>(x);"), (256, "assumed"))
        bounds = "__global__ void __launch_bounds__(128, 4) k(float* a) {} k<<<1, n>>>(a);"
        self.assertEqual(self.threads(bounds), (128, "the most that its launch bounds allow"))

    def test_shared(self) -> None:
        self.assertEqual(launches.of_kernel("k", "k<<<1, 32>>>(x);").shared, 0)
        self.assertEqual(launches.of_kernel("k", "k<<<1, 32, 4 * 32>>>(x);").shared, 128)
        self.assertIsNone(launches.of_kernel("k", "k<<<1, 32, bytes>>>(x);").shared)


class Names(unittest.TestCase):
    def test_short_and_in_full(self) -> None:
        names = {
            "_ZN11dot_product3dotEPKfm": ("dot", "dot_product::dot(float const*, unsigned long)"),
            "_ZN1a1kILb1ELh3EEEvPf": ("k<true, 3>", "void a::k<true, (unsigned char)3>(float*)"),
            "_Z1kILi16EN1a1TIfEEEvT0_": ("k<16, a::T<float> >", "void k<16, a::T<float> >(a::T<float>)"),
            "_ZN34_GLOBAL__N__81c2f8b8_4_k_cu__Z2gov1pEPf": ("p", "p(float*)"),
        }
        self.assertEqual(view.demangled([*names]), [*names.values()])


def toolkit() -> programs.Toolkit | None:
    try:
        return programs.find("sm_90")
    except Failure:
        return None


def lab(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [ROOT / "lab", "sass", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **environment})


FOUND = toolkit()


@unittest.skipUnless(FOUND, "skipped: no CUDA toolkit with nvdisasm (./lab sass --install-cuda downloads one)")
class WithToolkit(unittest.TestCase):
    def test_occupancy_is_what_nvidia_computes(self) -> None:
        include = Path(FOUND.nvcc).resolve().parents[1] / "include"
        if not (include / "cuda_occupancy.h").is_file():
            self.skipTest(f"skipped: no cuda_occupancy.h in {include}")
        cases = list(
            itertools.product(limits.OF, (16, 33, 40, 65, 128, 255), (0, 1, 4), (0, 1000, 33000), (32, 96, 288, 1024), (0, 70000))
        )
        lines = []
        for number, registers, barriers, shared, threads, dynamic in cases:
            of = limits.of(f"sm_{number}")
            lines.append(
                f"ask({number // 10}, {number % 10}, {of.warps * 32}, {of.shared}, {of.shared_of_block}, {of.reserved}, "
                f"{registers}, {barriers}, {shared}, {threads}, {dynamic});"
            )
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "ask.cpp")
            source.write_text(ASK + "int main() {\n" + "\n".join(lines) + "\n}\n")
            subprocess.run(["g++", "-O0", "-w", f"-I{include}", "-o", f"{folder}/ask", source], check=True)
            said = subprocess.run([f"{folder}/ask"], capture_output=True, text=True, check=True).stdout.split()
        for case, blocks in zip(cases, said, strict=True):
            number, registers, barriers, shared, threads, dynamic = case
            mine = resident(f"sm_{number}", Use(registers, shared, barriers), threads, dynamic).blocks
            self.assertEqual(mine, int(blocks), case)

    def test_without_a_compiler_of_the_host(self) -> None:
        with mock.patch.dict(os.environ, {"PATH": "/nowhere", "CUDACXX": FOUND.nvcc, "CXX": "g++"}), self.assertRaises(Failure) as raised:
            programs.find("sm_90", may_install=False)
        self.assertEqual(raised.exception.code, 4)
        self.assertRegex(str(raised.exception), r"^missing: a C\+\+20 compiler \(g\+\+\)[^,]*$")  # and nothing else

    def test_a_toolkit_that_is_too_old_is_passed_over(self) -> None:
        with tempfile.TemporaryDirectory() as folder:

            def installed(name: str, version: str, knows: str) -> str:
                place = Path(folder, name)
                place.mkdir()
                (place / "nvdisasm").write_text("")
                says = f'[ $1 = --list-gpu-code ] && echo {knows} || echo "release {version}, V{version}.1"'
                (place / "nvcc").write_text(f"#!/bin/sh\n{says}\n")
                for program in place.iterdir():
                    program.chmod(0o755)
                return str(place / "nvcc")

            older = [installed("11", "11.8", "sm_90"), installed("12", "12.4", "sm_75 sm_90")]
            with mock.patch.object(backend, "nvccs", return_value=[*older, FOUND.nvcc]):
                self.assertEqual(programs.find("sm_90").nvcc, older[1])
                self.assertEqual(programs.find("sm_120").nvcc, FOUND.nvcc)
            for nvcc, says in zip(older, ("is CUDA 11.8, which is too old", "does not compile for sm_120; it knows sm_75, sm_90"), strict=True):
                with (
                    mock.patch.object(backend, "nvccs", return_value=[nvcc]),
                    self.assertRaisesRegex(Failure, f"{says}.*; --install-cuda downloads"),
                ):
                    programs.find("sm_120")

    def test_text_of_a_stage(self) -> None:
        for arch in ("sm_75", "sm_90"):
            result = lab("5", "5", "--arch", arch, "--text")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertIn("dot<true>", result.stdout)
            self.assertRegex(result.stdout, r"LDG\.E\.128\S* R\d+, .*16 B a lane")
            self.assertIn("with 256 threads a block (as the file launches it)", result.stdout)

    def test_headers_of_the_toolkit_are_not_shown(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            self.assertTrue(view._is_of_toolkit(Path(FOUND.nvcc).resolve().parents[1] / "include" / "crt" / "x.h"))
            self.assertFalse(view._is_of_toolkit(Path(folder, "x.h")))
            Path(folder, "own").mkdir()
            for name, value in (("x.h", 1), ("own/x.h", 2)):  # two headers of one name
                Path(folder, name).write_text(f"__device__ float f{value}(float x) {{ return sqrtf(x) + {value}; }}\n")
            path = Path(folder, "k.cu")
            path.write_text('#include "x.h"\n#include "own/x.h"\n__global__ void k(float* a) { *a = f1(f2(*a)); }\n')
            unit = view.unit(FOUND, path, "k.cu", "sm_90", (), None, 0)
            self.assertEqual(set(unit.files), {"k.cu", "own/x.h", "x.h"})

    def test_own_files(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "mine.cu")
            path.write_text("__global__ void k(float* a) {\n  a[threadIdx.x] = b;\n}\n")
            result = lab(str(path), "--text")
            self.assertEqual(result.returncode, 1)
            self.assertIn('mine.cu(2): error: identifier "b" is undefined', result.stderr)
            self.assertIn("a[threadIdx.x] = b;", result.stderr)
            self.assertIn("does not compile for", result.stderr)
            path.write_text("template <int n> __global__ void k(float* a) { *a = n; }\n")
            self.assertIn("has no kernel: a template", lab(str(path), "--text").stderr)
            path.write_text("__global__ void k(float* a, float b) { a[threadIdx.x] = a[threadIdx.x] * b + 1; }\n")
            Path(folder, "size.h").write_text('#include "elsewhere.h"\nconstexpr int size = threads;\n')
            Path(folder, "more").mkdir()
            Path(folder, "more", "elsewhere.h").write_text("constexpr int threads = 96;\n")
            path.write_text(f'#include "size.h"\n{path.read_text()}void go() {{ k<<<1, size>>>(nullptr, 1); }}\n')
            fused = lab(str(path), "--text", "--", f"-I{folder}/more")
            self.assertIn("with 256 threads a block (assumed)", fused.stdout)  # that folder is the compiler's business
            self.assertIn("FFMA", fused.stdout)
            self.assertIn(f"-cubin {path}\n", fused.stdout)
            spaced = path.with_name("für mich.cu")
            spaced.write_text(path.read_text())
            listed = lab(str(spaced), "--text", "--", f"-I{folder}/more").stdout
            self.assertIn(f"-cubin '{spaced}'\n", listed)
            self.assertIn("    2  __global__ void k(", listed)
            separate = lab(str(path), "--text", "--", "--fmad=false", f"-I{folder}/more")
            self.assertNotIn("FFMA", separate.stdout)
            self.assertEqual(lab(str(path), "--text", "-o", str(path)).returncode, 2)


class Refusals(unittest.TestCase):
    def refused(self, *words: str, **environment: str) -> tuple[int, str]:
        result = lab(*words, **environment)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        return result.returncode, result.stderr

    def test_one_line_each(self) -> None:
        for words, says in {
            ("5",): "which stage of 05_dot_product",
            ("5", "1"): "1_cpu of 05_dot_product runs on the host and has no kernel",
            ("5", "99"): "there is no stage 99",
            ("5", "4", "5", "6"): "two stages at most",
            ("nothing.cu",): "there is no file",
            ("12.1",): "has no kernel: it is about threads of the host",
            ("5", "4", "--arch", "sm_61"): "unknown architecture 'sm_61'",
            ("5", "4", "--block", "2000"): "is not a number from 1 to 1024",
            ("5", "4", "--install-cuda", "--no-install"): "exclude each other",
        }.items():
            code, said = self.refused(*words)
            self.assertEqual(code, 2, said)
            self.assertIn(says, said)

    def test_a_file_that_an_exercise_makes(self) -> None:
        exercises = {each.number: ROOT / "my" / each.file_name for each in folder.discover(ROOT)}
        number, path = next((number, path) for number, path in exercises.items() if not path.exists())
        self.assertIn(f"; ./lab exercise {number} makes it", self.refused(str(path))[1])
        self.assertNotIn("makes it", self.refused(str(path.with_name("nothing.cu")))[1])

    def test_no_toolkit(self) -> None:
        code, said = self.refused("5", "4", CUDACXX="/nowhere/nvcc")
        self.assertEqual(code, 4)
        self.assertIn("--install-cuda", said)


ASK = """\
#include <cuda_occupancy.h>
#include <cstdio>
void ask(int major, int minor, int threads_of_sm, int shared_of_sm, int optin, int reserved, int registers, int barriers,
         int shared, int threads, int dynamic) {
    cudaOccDeviceProp device{};
    device.computeMajor = major; device.computeMinor = minor; device.maxThreadsPerBlock = 1024;
    device.maxThreadsPerMultiprocessor = threads_of_sm; device.regsPerBlock = device.regsPerMultiprocessor = 65536;
    device.warpSize = 32; device.sharedMemPerBlock = 48 * 1024; device.sharedMemPerMultiprocessor = shared_of_sm;
    device.numSms = 1; device.sharedMemPerBlockOptin = optin; device.reservedSharedMemPerBlock = reserved;
    cudaOccFuncAttributes kernel{};
    kernel.maxThreadsPerBlock = 1024; kernel.numRegs = registers; kernel.sharedSizeBytes = shared;
    kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN; kernel.maxDynamicSharedSizeBytes = dynamic;
    kernel.numBlockBarriers = barriers;
    cudaOccDeviceState state{};
    state.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED;
    cudaOccResult result{};
    if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &kernel, &state, threads, dynamic)) std::puts("error");
    else std::printf("%d\\n", result.activeBlocksPerMultiprocessor);
}
"""
