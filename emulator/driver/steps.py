"""The steps of a command, in their order: sources are compiled, objects linked or archived, rules put where they belong."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

from .command_line import InputFile, optimization, split_list, standard
from .compiler import ARITHMETIC, STACKS, find_compiler, linked_libraries, require_libraries, run_compiler
from .engine import emulator_library, is_installed
from .files import beside, check_input, check_outputs, rule_file, stem_of
from .library_folder import library_folder
from .messages import Failure, fail, show
from .options import EMULATOR, RULE_ALONE, RULE_BESIDE

if TYPE_CHECKING:
    from .command_line import Command


class Driver:
    """Does what a Command says. `folder` is a temporary one of the driver's own."""

    def __init__(self, command: Command, folder: str) -> None:
        self.command, self.folder = command, folder
        self.compiler = find_compiler(command)
        self.made = 0

    def run(self) -> None:
        command, flags = self.command, self.command.flags
        if "device code" in flags:
            fail("not supported: PTX, cubin and fatbin files (there is no GPU code here)")
        if "verbose" in flags:
            self._show_toolkit()
        files = [item for item in command.linking if isinstance(item, InputFile)]
        if "run" in flags and {"shared", "archive"} & flags:
            fail("-run needs a program; -shared and -lib make none")
        if not files:
            fail("no input files (nvcc_cpu --help says what it accepts)")
        for file in files:
            check_input(file)
        sources = [file for file in files if file.is_source()]
        output, single = command.last("output"), bool({"objects only", "preprocess", *RULE_ALONE} & flags)
        if single and output and len(sources) > 1:
            fail("with -o and without linking, one source file at a time")
        check_outputs(command, files)
        if single:
            for source in sources:
                self._single(source, output)
        elif "device link" in flags:
            self._execute([self.compiler, "-x", "c++", "-c", os.devnull, "-o", output or "a_dlink.o"])
        else:
            self._link(output)

    # ---- compiling

    def _single(self, source: InputFile, output: str | None) -> None:
        """What is done with a source if nothing is linked."""
        flags = self.command.flags
        if RULE_ALONE & flags:
            self._rule(source, output)
        elif "preprocess" in flags:
            self._compile(source, output or "-", "-E")
        else:
            self._compile(source, output or beside(self.command, source.path, ".o"), "-c")

    def _compile(self, source: InputFile, output: str, phase: str) -> None:
        flags, options = self.command.flags, self._options(source)
        rule = phase == "-c" and bool(RULE_BESIDE & flags)
        if rule:
            target = output if "objects only" in flags else self.command.last("output", "a.out")
            options += self._rule_options("-MMD" if "with user dependencies" in flags else "-MD", target)
        self._translate(source, [self.compiler, *options, phase, source.path, "-o", output])
        if rule:
            try:
                self._place_rule(rule_file(self.command, source.path))
            except Failure:
                if os.path.isfile(output):
                    os.remove(output)  # An object without its rule would look up to date.
                raise

    def _options(self, source: InputFile) -> list[str]:
        command, flags = self.command, self.command.flags
        c = source.source_language() == "c"
        options = ["-I", os.path.join(EMULATOR, "include")] + ([] if c else [standard(command)]) + [optimization(command)]
        for flag, option in (("debug", "-g"), ("device debug", "-g"), ("profile", "-pg"), ("no exceptions", "-fno-exceptions")):
            options += [option] if flag in flags else []
        if not {"debug", "device debug"} & flags:
            options.append("-g1")  # the emulator's reports name lines
        if "shared" in flags:
            options.append("-fPIC")
        if "check" in flags:
            options += ["-g", "-DEMULATOR_CHECKED"]
        if command.last("relocatable") != "true" and "relocatable objects" not in flags:
            options.append("-DEMULATOR_OWN_VARIABLES")
        options += [] if "relaxed constexpr" in flags else ["-DEMULATOR_STRICT"]
        # Device code looks at floats as float4 and at its bits as int; neither nvcc nor a GPU minds.
        options += ["-fno-strict-aliasing", "-Wno-psabi", *ARITHMETIC, *STACKS]  # a kernel takes a CUtensorMap by value
        options += ["-Wformat", "-Wno-format-zero-length"]  # nvcc's #181-D
        if not c and optimization(command) != "-O0":
            # Where a function forgets its return, optimised code would run on into the next function.
            options.append("-fsanitize=return")
        # Of -Xcompiler -g0 the line tables are left.
        given = [option for option in command.compiling if option != "-g0"]
        return options + given + (["-w"] if "no warnings" in flags else [])

    def _translate(self, source: InputFile, compile_command: list[str]) -> None:
        """Runs a compilation, of a .cu file after it was rewritten."""
        language = source.source_language()
        at = len(compile_command) - 3
        if language != "cu":
            # Of an optimised load of device memory the report would name the line where the value is used.
            moved = ["-O0"] if "check" in self.command.flags else []
            self._execute(compile_command[:at] + [*moved, "-x", language] + compile_command[at:])
            return
        self._show([os.path.join(EMULATOR, "compile"), *compile_command])
        if "dry run" in self.command.flags:
            return
        from launcher.compilation import compile_cuda  # only here, since the rewriter takes its time to load

        self.made += 1
        stem = self._own_file(self.made, source.path)
        self._check(compile_cuda(compile_command, at, stem, run_compiler))

    def _own_file(self, number: int, path: str) -> str:
        """The beginning of a name in the driver's folder, which tells of the source and has no odd letters."""
        return os.path.join(self.folder, f"{number}_{re.sub('[^0-9A-Za-z_.-]', '_', stem_of(path))[-60:]}")

    # ---- rules of dependencies

    def _rule(self, source: InputFile, output: str | None) -> None:
        """-M: the rule alone, on standard output or in a file."""
        target = beside(self.command, source.path, ".o")
        options = self._rule_options("-MD" if "dependencies" in self.command.flags else "-MMD", target)
        self._translate(source, [self.compiler, *self._options(source), *options, "-E", source.path, "-o", os.devnull])
        self._place_rule(output or self.command.last("dependency file"))

    def _rule_options(self, option: str, target: str) -> list[str]:
        """What makes the compiler write a rule, to the driver's own folder."""
        target = self.command.last("dependency target") or target
        return [
            option,
            "-MF",
            os.path.join(self.folder, "rule.d"),
            "-MT",
            target,
            *(["-MP"] if "phony" in self.command.flags else []),
        ]

    def _place_rule(self, path: str | None) -> None:
        """Puts the rule that was written last where it belongs: in a file or on standard output."""
        if "dry run" in self.command.flags:
            return
        with open(os.path.join(self.folder, "rule.d"), encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
        if path is None or path == "-":
            show(text)
            return
        opened = False
        try:
            with open(path, "wb") as file:
                opened = True
                file.write(os.fsencode(text))
        except OSError as error:
            if opened and os.path.isfile(path):
                os.remove(path)  # It is half a rule.
            fail("cannot write '{}': {}", path, error.strerror or str(error))

    # ---- linking and running

    def _link(self, output: str | None) -> None:
        """A program, a shared library or an archive."""
        command, flags = self.command, self.command.flags
        if not {"archive", "verbose", "dry run"} & flags:
            require_libraries(self.compiler, "check" in flags, self.folder)
        linking = self._compile_all()
        if "archive" in flags:
            objects = [item for item in linking if item.endswith(".o")]
            return self._execute([command.last("archiver", "ar"), "rcs", output or "a.a", *objects])
        shared = "shared" in flags
        if "verbose" in flags:
            libraries = [self._library_option(), "-lcudart_static"]
        else:
            library = "libemulator.a" if "dry run" in flags else emulator_library(self.compiler, shared, "check" in flags)
            libraries = [library, *linked_libraries("check" in flags)]
        options = (
            (["-shared"] if shared else [])
            + (["-g"] if {"debug", "device debug"} & flags else [])
            + (["-pg"] if "profile" in flags else [])
            + (["-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset"] if "check" in flags else [])
        )
        extra = [option for value in command.values.get("compiler option", []) for option in split_list(value)]
        self._execute(
            [
                self.compiler,
                *options,
                *extra,
                *linking,
                *libraries,
                "-pthread",
                "-ldl",
                "-o",
                output or "a.out",
            ]
        )
        if "run" in flags:
            arguments = [argument for value in command.values.get("run argument", []) for argument in split_list(value)]
            self._run([os.path.abspath(output or "a.out"), *arguments])

    def _compile_all(self) -> list[str]:
        """Compiles the sources. Returns what is linked, with objects in their places."""
        linking: list[str] = []
        number = 0
        for item in self.command.linking:
            if not isinstance(item, InputFile) or not item.is_source():
                linking.append(item.path if isinstance(item, InputFile) else item)
                continue
            number += 1
            made = self._own_file(number, item.path) + ".o"
            self._compile(item, made, "-c")
            linking.append(made)
        return linking

    def _run(self, program: list[str]) -> None:
        self._show(program)
        if "dry run" not in self.command.flags:
            self._check(subprocess.run(program, check=False).returncode)

    # ---- commands

    def _library_option(self) -> str:
        return "-L" + library_folder(self.compiler, "check" in self.command.flags)

    def _show_toolkit(self) -> None:
        """What CMake reads in nvcc's -v: the toolkit, the linker's line by its libraries, and the architecture."""
        option = self._library_option()
        folder = option.removeprefix("-L")
        top = EMULATOR if is_installed(folder) else folder
        told = {
            "TOP": top,
            "NVVMIR_LIBRARY_DIR": f"{top}/nvvm/libdevice",
            "PATH": os.environ.get("PATH", ""),
            "LIBRARIES": shlex.quote(option),
            "INCLUDES": f'"-I{os.path.join(EMULATOR, "include")}"',
            "TARGET": "-arch compute_90",
        }
        for name, value in told.items():
            print(f"#$ {name}={value}", file=sys.stderr)

    def _show(self, command: list[str]) -> None:
        if {"verbose", "dry run"} & self.command.flags:
            print("#$", shlex.join(command), file=sys.stderr, flush=True)

    def _execute(self, command: list[str]) -> None:
        self._show(command)
        if "dry run" not in self.command.flags:
            self._check(run_compiler(command))

    @staticmethod
    def _check(status: int) -> None:
        if status != 0:
            sys.exit(status if status > 0 else 128 - status)
