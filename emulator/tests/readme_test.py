"""The emulator's README names every function of the runtime API that there is, and no other. The table of the device's
attributes does the same with those of the header.

    python3 emulator/tests/readme_test.py
"""

import os
import re
import unittest

EMULATOR = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def read(*path):
    with open(os.path.join(EMULATOR, *path), encoding="utf-8") as file:
        return file.read()


class Readme(unittest.TestCase):
    def test_runtime_api(self):
        headers = "".join(read("include", "emulator", name) for name in os.listdir(os.path.join(EMULATOR, "include", "emulator")))
        declared = set(re.findall(r"^(?:inline )?(?:cudaError_t|const char\*) (cuda\w+)\(", headers, re.MULTILINE))
        table = read("README.md").partition("## What it has")[2].partition("\n## ")[0]
        named = set(re.findall(r"`(cuda[A-Z]\w+)`", table)) - {"cudaErrorNotSupported"}
        self.assertGreater(len(declared), 80)
        self.assertEqual(declared - named, set(), "declared in a header, not named in the table")
        self.assertEqual(named - declared, set(), "named in the table, declared nowhere")

    def test_attributes(self):
        declared = re.findall(r"^    (cudaDevAttr\w+) = \d+,$", read("include", "emulator", "device.h"), re.MULTILINE)
        rows = re.findall(r"^    {(cudaDevAttr\w+), ", read("src", "runtime_api", "device_attributes.cpp"), re.MULTILINE)
        self.assertGreater(len(declared), 130)
        self.assertEqual(sorted(rows), sorted(declared))

    def test_picture(self):
        for picture in re.findall(r"\]\(([^)]*\.svg)\)", read("README.md")):
            self.assertIn("<svg", read(picture))


if __name__ == "__main__":
    unittest.main()
