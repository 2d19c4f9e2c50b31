"""The README's first program does what the page shows. docs/what_it_has.md names every function of the runtime API that there is,
and no other, and every form of inline PTX. The table of the device's attributes does the same with those of the header. Nothing in
the emulator's folder needs or names what lies around it.

    python3 emulator/tests/readme_test.py
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest

EMULATOR = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, EMULATOR)
from rewriter.passes import ptx_forms  # noqa: E402

TEXTS = (".md", ".py", ".h", ".cpp", ".cu", ".js", ".css", ".html", ".txt", ".cmake", "compile", "nvcc_cpu")


def read(*path):
    with open(os.path.join(EMULATOR, *path), encoding="utf-8") as file:
        return file.read()


class Readme(unittest.TestCase):
    def test_runtime_api(self):
        headers = "".join(read("include", "emulator", name) for name in os.listdir(os.path.join(EMULATOR, "include", "emulator"))
                          if "." in name)
        declared = set(re.findall(r"^(?:inline )?(?:cudaError_t|const char\*|void) (cuda\w+)\(", headers, re.MULTILINE))
        table = read("docs", "what_it_has.md").partition("\n## ")[0]
        named = set(re.findall(r"`(cuda[A-Z]\w+)`", table)) - {"cudaErrorNotSupported"}
        self.assertGreater(len(declared), 80)
        self.assertEqual(declared - named, set(), "declared in a header, not named in the table")
        self.assertEqual(named - declared, set(), "named in the table, declared nowhere")

    def test_inline_ptx(self):
        """The rows of the table are those of ptx_forms, and its special registers, too."""
        section = read("docs", "what_it_has.md").partition("## Inline PTX")[2].partition("\n## ")[0]
        rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", section, re.MULTILINE)
        opcodes = {group: list(dict.fromkeys(form.opcode for form in forms)) for group, forms in ptx_forms.FORMS.items()}
        self.assertEqual({group: re.findall(r"`([^`]+)`", cell) for group, cell in rows[3:]}, opcodes)
        named = set(re.findall(r"`%(\w+)`", section))
        bare = {re.sub(r"\..*|_(?:hi|eq|lt|le|gt|ge)$", "", register) for register in ptx_forms.REGISTERS}
        self.assertEqual({re.sub(r"_(?:hi|lt)$", "", each) for each in named}, bare)

    def test_attributes(self):
        declared = re.findall(r"^    (cudaDevAttr\w+) = \d+,$", read("include", "emulator", "device.h"), re.MULTILINE)
        rows = re.findall(r"^    {(cudaDevAttr\w+), ", read("src", "runtime_api", "device_attributes.cpp"), re.MULTILINE)
        self.assertGreater(len(declared), 130)
        self.assertEqual(sorted(rows), sorted(declared))

    def test_first_program(self):
        program, *sessions = re.findall(r"^```(?:cuda|console)\n(.*?)^```", read("README.md"), re.MULTILINE | re.DOTALL)
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(EMULATOR, os.path.join(folder, "emulator"))
            with open(os.path.join(folder, "square.cu"), "w", encoding="utf-8") as file:
                file.write(program)
            for command, said in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", "".join(sessions), re.MULTILINE):
                done = subprocess.run(f"{command} 2>&1", shell=True, cwd=folder, stdout=subprocess.PIPE, text=True)
                self.assertEqual(re.sub(r"^nvcc_cpu: .*\n", "", done.stdout, flags=re.MULTILINE), said)

    def test_nothing_names_what_lies_around_it(self):
        texts = 0
        for folder, folders, files in os.walk(EMULATOR):
            folders[:] = [name for name in folders if name != "__pycache__"]
            for name in files:
                path = os.path.join(folder, name)
                if path == os.path.abspath(__file__) or not name.endswith(TEXTS):
                    continue
                texts += 1
                text = read(path)
                inside = os.path.relpath(EMULATOR, folder).count("..")
                for target in re.findall(r"(?:\]\(|#include \")((?:\.\./)+)", text):
                    self.assertLessEqual(target.count("../"), inside, f"{path} leads out of the emulator's folder")
                found = re.search(r"\./lab\b|\b[Cc]hapters?\b|tools/\w+|\bGLOSSARY\b|common/\w+\.h", text)
                self.assertIsNone(found, f"{path} names '{found and found[0]}'")
        self.assertGreater(texts, 300)


if __name__ == "__main__":
    unittest.main()
