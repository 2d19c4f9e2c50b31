"""Students' files that ./lab grade must cope with: what each is, and what must come out. The answers are made of a right one, to
the function of which a statement is added."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

HEAD = """\
#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>
"""

# An answer that goes on to be right, unless it gets at something: then the process ends before the checker is through.
READS = """
    for (const char* path : {{{paths}}})
        if (open(path, O_RDONLY) >= 0) _exit(9);"""
WRITES = """
    for (const char* path : {{{paths}}})
        if (open(path, O_WRONLY | O_CREAT, 0666) >= 0) _exit(9);"""
CONNECTS = """
    {{
        sockaddr_in to{{}};
        to.sin_family = AF_INET;
        to.sin_port = htons({port});
        inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
        const int end = socket(AF_INET, SOCK_STREAM, 0);
        if (end < 0 || connect(end, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0) _exit(9);
        close(end);
    }}"""
# Memory that no process is seen to have. What a process has mapped for itself is counted.
HOARDS = """
    if (shmget(IPC_PRIVATE, 4096, 0600) >= 0 || msgget(IPC_PRIVATE, 0600) >= 0 || memfd_create("x", 0) >= 0) _exit(9);
    for (const int file : {-1, open("/dev/zero", O_RDWR)})
        if (mmap(nullptr, 4096, PROT_WRITE, MAP_SHARED | (file < 0 ? MAP_ANONYMOUS : 0), file, 0) != MAP_FAILED) _exit(9);"""
KILLS = "\n    if (kill({pid}, 0) == 0) _exit(9);"

# It finds the nonce, if the environment at the program's start still has it, and says that all went well.
FORGES = """
    char all[1 << 16];
    const int from = open("/proc/self/environ", O_RDONLY);
    const std::string text(all, std::max<ssize_t>(0, read(from, all, sizeof all)));
    const auto at = text.find("EXERCISE_REPORT=");
    const std::string given = at == text.npos ? "" : text.substr(at + 16).c_str();
    const std::string nonce = given.substr(given.find(':') + 1);
    const std::string line =
        "{\\"nonce\\": \\"" + nonce + "\\", \\"kind\\": \\"end\\", \\"case\\": \\"\\", \\"assertions\\": ASSERTIONS}\\n";
    for (int file = 3; file < 64; ++file)
        if (write(file, line.data(), line.size()) < 0) continue;
    _exit(0);"""


DAEMON = """
    static bool begun = false;
    if (!begun && fork() == 0) {
        setsid();
        if (fork() == 0)
            for (;;) pause();
        _exit(0);
    }
    begun = true;"""

TWO_GIGABYTES = """
    const std::string text(1 << 20, 'x');
    for (int i = 0; i < 2048; ++i) std::puts(text.data());"""

FULL_DISK = """
    const std::string text(1 << 20, 'x');
    for (int file = 0; file < 4096; ++file) {
        std::FILE* out = std::fopen(("f" + std::to_string(file)).data(), "w");
        if (out == nullptr) break;
        for (int i = 0; i < 6; ++i) std::fwrite(text.data(), 1, text.size(), out);
        if (std::fclose(out) != 0) _exit(0);
    }
    for (;;) pause();"""


@dataclass(frozen=True)
class World:
    """What an answer must not get at."""

    private: list[Path]  # files to read
    outside: list[Path]  # files to make
    port: int  # on which somebody listens
    pid: int  # of a process
    solution: Path  # of the exercise
    assertions: int  # that the solution makes


@dataclass(frozen=True)
class Student:
    """A name, the category that must come out, and what makes the file."""

    name: str
    category: str
    make: Callable[[Path], object]


def students(right: str, with_statement: Callable[[str], str], world: World) -> Iterator[Student]:
    """All of them. right: a right answer; with_statement: makes one that begins with a statement."""

    def answer(name: str, category: str, statement: str) -> Student:
        text = HEAD + with_statement(statement)
        return Student(name, category, lambda path: path.write_text(text))

    def quoted(paths: list[Path]) -> str:
        return ", ".join(f'"{path}"' for path in paths)

    curious = READS.format(paths=quoted(world.private)) + WRITES.format(paths=quoted(world.outside)) + HOARDS
    yield answer("curious", "solved", curious + CONNECTS.format(port=world.port) + KILLS.format(pid=world.pid))
    yield answer("daemon", "solved", DAEMON)
    yield answer("exit", "values", 'std::puts("All tests passed"); std::exit(0);')
    yield answer("forger", "values", FORGES.replace("ASSERTIONS", str(world.assertions)))
    yield answer("fork_bomb", "values", "for (;;) fork();")
    yield answer("two_gigabytes", "values", TWO_GIGABYTES)
    yield answer("full_disk", "values", FULL_DISK)
    yield answer("many_files", "values", 'for (int i = 0;; ++i) { mkdir(("d" + std::to_string(i)).data(), 0777); }')
    yield answer("memory", "values", "for (;;) { char* all = new char[64 << 20]; std::memset(all, 1, 64 << 20); }")
    yield answer("thread_bomb", "values", "for (;;) (new std::thread([] { for (;;) pause(); }))->detach();")
    yield answer("endless_loop", "values", "for (volatile int i = 0;; i = i + 1) {}")
    yield answer("sleeper", "values", "for (;;) pause();")
    yield answer("killer", "values", "kill(-1, SIGKILL); kill(getppid(), SIGKILL); kill(1, SIGKILL); raise(SIGKILL);")
    for name, category, text in (
        ("includes_solution", "compiles", f'#include "{world.solution}"\n'),
        ("includes_private", "compiles", f'#include "{world.private[0]}"\n{right}'),
        ("embeds_private", "compiles", f'asm(".incbin \\"{world.private[0]}\\"");\n{right}'),
        ("includes_zeros", "compiles", f'#include "/dev/zero"\n{right}'),
        ("nul_bytes", "compiles", "\0\0\xff;"),
    ):
        yield Student(name, category, lambda path, text=text: path.write_bytes(text.encode("latin-1")))
    yield Student("macro_bomb", "compiles", lambda path: path.write_text(_macro_bomb()))
    yield Student("no_utf8_?", "compiles", lambda path: path.write_text("#error \x1b[31m"))
    yield Student("empty", "no answer", Path.touch)
    yield Student("folder", "no answer", Path.mkdir)
    yield Student("pipe", "no answer", os.mkfifo)
    yield Student("link", "no answer", lambda path: path.symlink_to(world.solution))
    yield Student("ten_megabytes", "no answer", lambda path: path.write_text("//" + "x" * (10 << 20)))
    yield Student("no_file", "no file", lambda path: None)
    yield Student("=1+1", "no file", lambda path: None)  # which a spreadsheet would compute


def _macro_bomb() -> str:
    lines = ["#define A0 x,x,x,x,x,x,x,x,x,x"]
    lines += [f"#define A{i} " + ",".join([f"A{i - 1}"] * 10) for i in range(1, 10)]
    return "\n".join(lines) + "\nint all[] = {A9};\n"
