"""./lab count --ncu, with a stand-in for ncu. What it prints, ncu.csv, has rows that Nsight Compute (CUDA 13.0) wrote on an
H100 about kernels of the chapters 05, 07 and 11, less most of their columns."""

import csv
import io
import json
import re
import shutil
import unittest
from pathlib import Path

from support import FakeRepository
from reports import nsight
from reports.results import Json

TABLE = Path(__file__).with_name("ncu.csv").read_text(encoding="utf-8")
PRINTED = f"==PROF== Connected to process 1\nDevice: a GPU\n\n{TABLE}==WARNING== Something\n"
KEPT = "results/counts/nsight_compute_NVIDIA_H100_80GB_HBM3.json"

REAL_NCU = shutil.which("ncu") or shutil.which("ncu", path="/usr/local/cuda/bin:/usr/bin:/bin")

NCU = """\
#!/bin/sh
echo "$*" > "$HOME/asked"
cat "$HOME/printed"
"""


class Reading(unittest.TestCase):
    def test_launches_that_differ_are_averaged(self) -> None:
        launches = list(csv.DictReader(io.StringIO(TABLE)))
        launches[2]["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] = "1,801"
        launches[2]["l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"] = "3"
        launches[2]["l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"] = "4"
        launches[2]["Grid Size"] = "(16, 4, 1)"
        changed = io.StringIO()
        writer = csv.DictWriter(changed, list(launches[0]), quoting=csv.QUOTE_ALL)
        writer.writeheader()
        writer.writerows(launches)
        _, rows = nsight.read(changed.getvalue())
        self.assertEqual(rows[0]["counts"]["shared load"], {"wavefronts": (800 + 1801) / 2})
        self.assertEqual(rows[0]["counts"]["global atomic"], {"requests": 3.5, "sectors": 0})
        self.assertEqual(rows[0]["blocks"], 48)

    def test_values_of_templates(self) -> None:
        of_two = TABLE.replace("multiplyILj1EEEvNS_6PackedE", "multiplyIyLb1EEEvNS_6PackedE")
        self.assertNotEqual(of_two, TABLE)
        names = [row["kernel"] for row in nsight.read(of_two)[1]]
        self.assertEqual(names, ["dot", "multiply<0>", "multiply<long long unsigned int, true>", "count_bytes"])

    def test_only_the_chapters_kernels_are_asked_for(self) -> None:
        pattern = nsight.KERNELS.split(":")[3]
        names = {row["Kernel Name"] for row in csv.DictReader(io.StringIO(TABLE)) if row["ID"]}
        asked = {name for name in names if re.search(pattern, name)}
        self.assertEqual(len(asked), 5)
        self.assertTrue(all("DeviceHistogramInitKernel" in name for name in names - asked), names - asked)

    def test_nothing(self) -> None:
        self.assertEqual(nsight.read("==ERROR== ERR_NVGPUCTRPERM\n"), ("", []))
        self.assertEqual(nsight.read(TABLE.replace("GLOBAL__N__", "LOCAL__N__")), ("", []))


class Count(FakeRepository):
    def setUp(self) -> None:
        super().setUp()
        self.command("nvcc", "#!/bin/sh\necho 'Cuda compilation tools, release 13.0, V13.0.48'\n")
        self.command("nvidia-smi", "#!/bin/sh\ncase $1 in -L) echo 'GPU 0: NVIDIA Test (UUID: x)';; *) echo 999.1;; esac\n")
        self.command("ncu", NCU)
        (self.temporary / "printed").write_text(PRINTED)
        self.counts("03_vector_add", "vector_add --n 64")

    def test_it_is_kept(self) -> None:
        result = self.runs("count", "--ncu")
        self.assertIn("── 03_vector_add · vector_add --n 64 ─", result.stdout)
        self.assertRegex(result.stdout, r"2_shared_tree +dot +4,096 × 4\.0 +32 × 1\.0 ")
        self.assertRegex(result.stdout, r"2_shared_tree +dot +800 wavefronts")
        self.assertNotIn("a GPU", result.stdout)
        self.assertIn(f"written to {KEPT}\n", result.stderr)
        kept = json.loads((self.root / KEPT).read_text())
        self.assertEqual(kept["device"], "NVIDIA H100 80GB HBM3")
        (entry,) = kept["chapters"].values()
        self.assertEqual((entry["driver"], entry["cuda"], len(entry["date"])), ("999.1", "13.0", 10))
        (run,) = entry["runs"]
        self.assertEqual(run["command"], "vector_add --n 64")
        self.of_each_kernel(run["rows"])
        asked = (self.temporary / "asked").read_text()
        self.assertIn("--clock-control none ", asked)
        self.assertTrue(asked.endswith(f" {self.root}/build/cuda/03_vector_add/vector_add --n 64\n"), asked)

    def of_each_kernel(self, rows: list[Json]) -> None:
        self.assertEqual(
            [(row["stage"], row["kernel"], row["blocks"]) for row in rows],
            [
                ("2_shared_tree", "dot", 32),
                ("b4_tiled", "multiply<0>", 64),
                ("b4_tiled", "multiply<1>", 64),
                ("3_shared_atomics", "count_bytes", 264),
            ],
            "the vendor's kernels, and those of library.cu, are left out",
        )
        self.assertEqual(
            rows[0]["counts"],
            {
                "global load": {"requests": 4096, "sectors": 16384},
                "global store": {"requests": 32, "sectors": 32},
                "shared load": {"wavefronts": 800},
                "shared store": {"wavefronts": 640},
            },
        )
        self.assertEqual(rows[1]["counts"]["shared store"], {"wavefronts": 17408})
        self.assertEqual(rows[2]["counts"]["shared store"], {"wavefronts": 5120})
        self.assertEqual(rows[3]["counts"]["global atomic"], {"requests": 2112, "sectors": 16896})
        self.assertEqual(rows[3]["counts"]["shared atomic"], {"wavefronts": 6472})

    def test_other_chapters_stay(self) -> None:
        self.counts("01_hello", "hello")
        self.lab("count", "--ncu")
        before = json.loads((self.root / KEPT).read_text())["chapters"]
        (self.temporary / "printed").write_text(PRINTED.replace('"800"', '"801"'))
        self.runs("count", "3", "--ncu")
        after = json.loads((self.root / KEPT).read_text())["chapters"]
        self.assertEqual(after["01_hello"], before["01_hello"])
        self.assertEqual(before["03_vector_add"]["runs"][0]["rows"][0]["counts"]["shared load"], {"wavefronts": 800})
        self.assertEqual(after["03_vector_add"]["runs"][0]["rows"][0]["counts"]["shared load"], {"wavefronts": 801})

    @unittest.skipIf(REAL_NCU, "a real ncu is where the test must not find one")
    def test_what_is_missing_is_named(self) -> None:
        (self.bin / "ncu").unlink()
        for name in ("cmake", "ninja"):  # which may be where a real ncu is
            (self.bin / name).symlink_to(str(shutil.which(name)))
        self.refused(4, "no ncu in PATH or beside nvcc", "count", "3", "--ncu", PATH=f"{self.bin}:/usr/bin:/bin")
        self.command("nvidia-smi", "#!/bin/sh\nexit 9\n")
        self.refused(3, "lab: ", "count", "3", "--ncu")

    def test_a_machine_that_keeps_its_counters_to_itself(self) -> None:
        (self.temporary / "printed").write_text("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n")
        result = self.ends(1, "count", "3", "--ncu")
        self.assertIn("ERR_NVGPUCTRPERM", result.stderr)
        self.assertIn("ncu has profiled nothing (exit code 0); nothing of 03_vector_add is kept\n", result.stderr)
        self.assertFalse((self.root / KEPT).exists())
        self.command("ncu", NCU + "exit 3\n")
        (self.temporary / "printed").write_text(PRINTED)
        self.ends(3, "count", "3", "--ncu")

    def test_what_was_not_counted_on_the_emulator_is_not_compared(self) -> None:
        readme = self.write("emulator/README.md", "<!-- nsight: 03_vector_add/2_shared_tree -->\n<!-- /nsight -->\n")
        self.runs("docs")
        self.assertIn("`./lab count --ncu` does it.", readme.read_text())
        said = self.ends(1, "count", "--ncu").stderr
        self.assertIn("emulator/README.md:1: '03_vector_add/2_shared_tree' was not counted both on", said)
