"""The folder that gcc and g++ take for CUDA's: its libcudart stands for the emulator and what that needs itself."""

import os
import tempfile

from .compiler import linked_libraries
from .engine import emulator_library
from .messages import explained, fail

# The checked build looks at these. A command that links has --wrap for it, a linker script has other names; hidden, since
# the libraries' own calls are nobody's business. EXTERN is for programs that need nothing else of the emulator.
WATCHED = "EXTERN(__wrap_memcpy)\n" + "".join(f"HIDDEN({name} = __wrap_{name});\n" for name in ("memcpy", "memmove", "memset"))
# These are there as well, and nothing of them is needed.
EMPTY = ("libcuda.so", "libcudadevrt.a")


def library_folder(compiler: str, checked: bool) -> str:
    """The folder, with what it has to hold: one for the plain and one for the checked build."""
    library = emulator_library(compiler, True, checked)  # one that may go into shared libraries, too
    folder = os.path.dirname(library)
    needed = " ".join([*linked_libraries(checked), "-lstdc++", "-lm", "-lpthread", "-ldl"])
    script = f'/* For the linker: the CUDA emulator. */\nINPUT("{library}" {needed})\n' + (WATCHED if checked else "")
    try:
        for name in ("libcudart.so", "libcudart_static.a"):
            _write(os.path.join(folder, name), script)
        for name in EMPTY:
            _write(os.path.join(folder, name), "/* For the linker: libcudart has it all. */\n")
    except OSError as error:
        fail("cannot write the emulator's library: {} (XDG_CACHE_HOME names another folder for it)", explained(error))
    return folder


def _write(path: str, text: str) -> None:
    """Makes the file as a whole or not at all: others may link at the same time."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            if file.read() == text:
                return
    except FileNotFoundError:
        pass
    descriptor, made = tempfile.mkstemp(dir=os.path.dirname(path))
    try:
        with open(descriptor, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
        os.chmod(made, 0o644)
        os.replace(made, path)
    except OSError:
        os.unlink(made)
        raise
