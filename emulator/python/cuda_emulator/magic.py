"""The cell magic %%cuda: compiles and runs a cell, on a GPU or on the emulator."""

import functools
import html
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from argparse import Namespace
from pathlib import Path
from typing import Any

from IPython.core.magic import Magics, cell_magic, magics_class, no_var_expand
from IPython.core.magic_arguments import argument, magic_arguments
from IPython.display import display

from . import NVCC_CPU
from .process import HEAD, Output, run

TOOLKIT = "/usr/local/cuda"
FINDINGS = 5  # the exit code of a program in which the checked build has found something (src/checked/findings.h)
MAIN = """
int main() {{
    {};
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    if (error != cudaSuccess) __builtin_printf("%s\\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}}
"""  # of --run
# The page is dark where JupyterLab is.
FRAME = """<style>[data-jp-theme-light="false"] iframe.kernels {{ color-scheme: dark }}</style>
<iframe class="kernels" title="The kernels' threads" style="width: 100%; height: 48em; border: 0" srcdoc="{}"></iframe>"""


class CellError(Exception):
    """Ends the cell with one line in place of a traceback."""

    def _render_traceback_(self) -> list[str]:
        return [f"%%cuda: {self}"]


_write = functools.partial(print, end="", flush=True)


def _tool(name: str) -> str:  # empty if it is not there
    folder = os.path.join(os.environ.get("CUDA_HOME", TOOLKIT), "bin")
    return shutil.which(name) or shutil.which(name, path=folder) or ""


@functools.cache
def _has_gpu() -> bool:
    smi = shutil.which("nvidia-smi")
    return smi is not None and subprocess.run([smi, "-L"], capture_output=True, check=False).stdout.startswith(b"GPU ")


@magics_class
class CudaMagics(Magics):
    def __init__(self, shell: Any) -> None:
        super().__init__(shell)
        self.headers: dict[str, str] = {}
        self.told = ""

    @magic_arguments()
    @argument("--check", action="store_true", help="say what is wrong in the kernels: the emulator's checked build")
    @argument("--count", nargs="?", const="1", choices=("1", "lines"), help="count what each kernel (or line) costs")
    @argument("--watch", action="store_true", help="show the kernels' threads, step by step")
    @argument("--sass", action="store_true", help="show the machine code instead of running it (needs a CUDA toolkit)")
    @argument("--cpu", action="store_true", help="take the emulator where there is a GPU, too")
    @argument("--run", metavar="STATEMENT", help='make a main() that does this: --run "square<<<1, 32>>>()"')
    @argument("--header", metavar="NAME", help='keep the cell: other cells #include "NAME"')
    @argument("--options", default="", type=shlex.split, metavar='"…"', help="for the compiler")
    @argument("--arguments", default="", type=shlex.split, metavar='"…"', help="for the program")
    @no_var_expand
    @cell_magic
    def cuda(self, line: str, cell: str) -> None:
        """Compile a cell of CUDA C++ and run it: on a GPU if there is one, else on the emulator."""
        try:
            words = shlex.split(re.sub(r"(--(options|arguments))\s+", r"\1=", line))  # what follows may begin with "-"
            self._cell(self.cuda.parser.parse_args(words), "// %%cuda " + line.rstrip("\\"), cell)
        except KeyboardInterrupt:
            raise CellError("interrupted; the program was ended") from None
        except (OSError, ValueError) as error:
            raise CellError(str(error)) from None

    def _cell(self, options: Namespace, first: str, cell: str) -> None:
        """`first`: the magic's own line, which is the file's, too, so that the others keep their numbers."""
        if name := options.header:
            if not re.fullmatch(r"[\w-]+\.(h|hpp|cuh)", name):
                raise CellError(f"--header {name}: a name such as helpers.h is needed")
            self.headers[name] = f"#pragma once  {first}\n{cell}"
            return
        files = {**self.headers, "cell": f"{first}\n{cell}" + (MAIN.format(options.run) if options.run else "")}
        with tempfile.TemporaryDirectory(prefix="cuda_cell.", ignore_cleanup_errors=True) as temporary:
            folder = Path(temporary, "notebook")  # the page of --watch names it
            folder.mkdir()
            for name, text in files.items():
                (folder / name).write_text(text, encoding="utf-8", errors="surrogatepass")
            (self._sass if options.sass else self._run)(options, str(folder))

    def _run(self, options: Namespace, folder: str) -> None:
        checked = options.check or options.count or options.watch
        nvcc = _tool("nvcc") if _has_gpu() and not options.cpu and not checked else ""
        where = "nvcc: kernels run on the GPU" if nvcc else "nvcc_cpu: kernels run on the CPU, in the emulator"
        _write(where + "\n" if where != self.told else "")
        self.told = where
        compiler = [nvcc, "-arch=native"] if nvcc else [sys.executable, str(NVCC_CPU), *(["--check"] if checked else [])]
        self._compile([*compiler, "-o", "program"], options, folder)
        page = Path(folder, "page.html")
        env = os.environ | ({"EMULATOR_COUNT": options.count} if options.count else {})
        env |= {"EMULATOR_WATCH": str(page)} if options.watch else {}
        output = Output(_write, folder)
        status = run([os.path.join(folder, "program"), *options.arguments], output, os.getcwd(), env, "cell")
        if page.exists():
            frame = FRAME.format(html.escape(page.read_text(encoding="utf-8", errors="replace")))
            display({"text/html": frame, "text/plain": "(a page that shows the kernels' threads)"}, raw=True)
        if status < 0:
            raise CellError(f"the program was ended by signal {-status} ({signal.strsignal(-status)})")
        if status > 0 and not (checked and status == FINDINGS):
            raise CellError(f"the program ended with exit code {status}")
        if output.room == HEAD:
            _write("(the program printed nothing)\n")

    def _sass(self, options: Namespace, folder: str) -> None:
        nvcc, show = _tool("nvcc"), [_tool("cuobjdump"), "-sass"] if _tool("cuobjdump") else [_tool("nvdisasm"), "-c"]
        if not nvcc or not show[0]:
            _write(f"--sass needs a CUDA toolkit with {'cuobjdump or nvdisasm' if nvcc else 'nvcc'}, which is not here\n")
            return
        self._compile([nvcc, "-arch=native" if _has_gpu() else "-arch=sm_90", "-cubin", "-o", "cell.cubin"], options, folder)
        run([*show, "cell.cubin"], Output(_write, folder), folder)

    def _compile(self, command: list[str], options: Namespace, folder: str) -> None:
        said: list[str] = []

        def hear(text: str) -> None:  # that the emulator itself is compiled, which takes a while, is told at once
            at_once = not said and (text.startswith("nvcc_cpu: ") or text.isspace())
            print(text, end="", file=sys.stderr, flush=True) if at_once else said.append(text)

        command = [*command, "-I", os.getcwd(), *options.options, "-x", "cu", "cell"]  # as messages name it
        status = run(command, Output(hear, folder), folder, os.environ | {"TMPDIR": folder})
        if status != 0 and "undefined reference to `main'" in "".join(said):
            raise CellError('the cell has no main(): write one, or let --run "kernel<<<1, 32>>>()" make it')
        print(*said, sep="", end="", file=sys.stderr, flush=True)
        if status != 0:
            raise CellError("the cell does not compile")
