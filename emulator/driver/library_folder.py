"""What stands for CUDA's toolkit: a folder with the emulator's headers and a libcudart that is the emulator and what that
needs itself. gcc and g++ link with it, and CMake takes it for the toolkit."""

import os
import sys
import tempfile

from .compiler import linked_libraries
from .engine import emulator_library, is_installed
from .messages import explained, fail
from .options import EMULATOR

# The checked build looks at these. A command that links has --wrap for it, a linker script has other names; hidden, since
# the libraries' own calls are nobody's business. EXTERN is for programs that need nothing else of the emulator.
WATCHED = "EXTERN(__wrap_memcpy)\n" + "".join(f"HIDDEN({name} = __wrap_{name});\n" for name in ("memcpy", "memmove", "memset"))
# These are there as well, and nothing of them is needed.
EMPTY = ("libcuda.so", "libcudadevrt.a")


def library_folder(compiler: str, checked: bool) -> str:
    """The folder, with what it has to hold: one for the plain and one for the checked build."""
    library = emulator_library(compiler, True, checked)  # one that may go into shared libraries, too
    folder = os.path.dirname(library)
    if is_installed(library):
        return folder
    try:
        write_stand_ins(folder, checked, folder)
        _link(os.path.join(folder, "include"), os.path.join(EMULATOR, "include"))
        _link(os.path.join(folder, "lib64"), ".")
    except OSError as error:
        fail("cannot write the emulator's library: {} (XDG_CACHE_HOME names another folder for it)", explained(error))
    return folder


def write_stand_ins(folder: str, checked: bool, installed: str) -> None:
    """Writes what the linker takes for CUDA's libraries, beside libemulator.a. `installed`: where both will be."""
    # By its name, so that it is found beside these if all of it has moved, and somebody says -L.
    needed = " ".join(["-lemulator", *linked_libraries(checked), "-lstdc++", "-lm", "-lpthread", "-ldl"])
    script = f'/* For the linker: the CUDA emulator. */\nSEARCH_DIR("{installed}")\nINPUT({needed})\n'
    script += WATCHED if checked else ""
    for name in ("libcudart.so", "libcudart_static.a"):
        _write(os.path.join(folder, name), script)
    for name in EMPTY:
        _write(os.path.join(folder, name), "/* For the linker: libcudart has it all. */\n")


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


def _link(path: str, target: str) -> None:
    """Makes the symbolic link, if it is not there."""
    try:
        os.symlink(target, path)
    except FileExistsError:
        if os.readlink(path) != target:  # the emulator has moved
            os.unlink(path)
            os.symlink(target, path)


if __name__ == "__main__":  # FOLDER emulator|emulator_checked INSTALLED: for the installation
    write_stand_ins(sys.argv[1], sys.argv[2] == "emulator_checked", sys.argv[3])
