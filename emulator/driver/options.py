"""The options of nvcc_cpu as data: their names, what they mean here, and the texts of --help and --version."""

import os
import re

EMULATOR = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
RELEASE = "13.0"

HELP = f"""usage: nvcc_cpu [option]... file...

Compiles CUDA C++ to a program that runs on the CPU, with the emulator in {EMULATOR}.
.cu files are rewritten to C++ first; .c, .cc, .cpp and .cxx files go to the compiler as they are; objects, archives and
shared libraries are linked. Options have the names that nvcc gives them; a value follows after a space or a =.

What to make
  -o, --output-file FILE      the program; with -c the object
  -c, --compile, -dc          objects only: a.cu becomes a.o
  -rdc=true, also by -dc      files share __device__ variables by extern; without it each file's are its own
  -E, --preprocess            the preprocessed C++, on standard output or in -o
  -M, -MM                     a Makefile rule only; -MD, -MMD: beside the object; -MF FILE, -MT TARGET, -MP
  -shared, -lib               a shared library; an archive
  -dlink                      an empty object: there is no device code left to link
  -run, -run-args LIST        the program, which is run at once
  -odir, --output-directory DIR

The source
  -I, -isystem, -include, -D, -U, -x cu|c++|c
  -std=c++11|14|17|20|23      17 and less mean gnu++17, the least that the emulator's headers need; also the default
  -O0 ... -O3                 of kernels and host code alike; -O2 is the default
  -g                          for gdb;  -G: for gdb, and no optimisation, so that every line and variable is there
  -fmad=false                 no fused multiply-add
  --expt-relaxed-constexpr    constexpr functions of std, such as std::max(), may be called in device code
  --check                     watch each access to memory as the program runs, and report races, wrong addresses,
                              wrong barriers and what was never written; when linking, too
  --watch                     the same build: EMULATOR_WATCH=page.html ./program makes a page that shows the kernels'
                              threads, step by step
  --count                     the same build: EMULATOR_COUNT=1 ./program says what each kernel costs, and how fast it
                              cannot be on a GPU
  -w, -Werror all-warnings, -Xcompiler LIST, -ccbin COMPILER

Linking
  -L, -l, -Xlinker LIST       -lcudart, -lcuda and -lcudadevrt are not needed and left out
  --print-library-dir         the folder for gcc or g++ to link with: gcc a.o -L$(nvcc_cpu --print-library-dir) -lcudart;
                              with --check: the folder for objects made with --check

Others
  -v, --verbose; -dryrun (shows the commands); --version; -h, --help
  @FILE, --options-file FILE  more options; NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS in the environment count, too

Accepted and ignored, since they mean nothing on a CPU: -arch, -gencode, -code, -maxrregcount, -lineinfo,
-use_fast_math, -ftz, -prec-div, -prec-sqrt, --extended-lambda, -Xptxas, -diag-suppress,
-cudart and the like.
"""

# CMake asks for the name in the second line before it reads the release.
VERSION = f"""nvcc_cpu: the CUDA emulator's compiler driver; kernels run on the CPU
It is called like nvcc: NVIDIA (R) Cuda compiler driver
Cuda compilation tools, release {RELEASE}, V{RELEASE}.0 (the version that the emulator follows)
"""

# Options with a value: what they are called here, and their names.
WITH_VALUE = {
    "output": "o output-file",
    "folder": "I include-path",
    "system folder": "isystem system-include",
    "library folder": "L library-path",
    "library": "l library",
    "define": "D define-macro",
    "default stream": "default-stream",
    "undefine": "U undefine-macro",
    "include": "include pre-include",
    "standard": "std",
    "optimize": "O optimize",
    "language": "x",
    "compiler option": "Xcompiler compiler-options",
    "linker option": "Xlinker linker-options",
    "compiler": "ccbin compiler-bindir",
    "werror": "Werror",
    "dependency file": "MF dependency-output",
    "dependency target": "MT dependency-target-name",
    "objects": "odir output-directory",
    "fmad": "fmad",
    "options file": "options-file optf",
    "relocatable": "rdc relocatable-device-code",
    "run argument": "run-args",
    "archiver": "archiver-binary arbin",
    "template depth": "ftemplate-depth",
    "template backtrace": "ftemplate-backtrace-limit",
    "unsupported": "sanitize host-linker-script hls",
    "ignored": """arch gpu-architecture gencode generate-code code gpu-code maxrregcount Xptxas ptxas-options Xnvlink
        nvlink-options Xcudafe cudafe-options Xfatbin fatbin-options Xarchive archive-options cudart cudadevrt
        ftz prec-div prec-sqrt diag-suppress display-error-number diag-warn diag-error
        m machine t threads split-compile split-compile-extended keep-dir ldir library-directory
        libdevice-directory target-directory target-dir dopt dlink-time-opt device-stack-protector Ofast-compile Ofc
        jump-table-density jtd fdevice-time-trace optimization-info opt-info entries e time frandom-seed compress-mode
        brief-diagnostics brief-diag input-drive-prefix idp dependency-drive-prefix ddp drive-prefix dp qpp-config""",
}
# Options without one.
FLAGS = {
    "objects only": "c compile dw device-w",
    "relocatable objects": "dc device-c",
    "preprocess": "E preprocess",
    "dependencies": "M generate-dependencies",
    "user dependencies": "MM generate-nonsystem-dependencies",
    "with dependencies": "MD generate-dependencies-with-compile",
    "with user dependencies": "MMD generate-nonsystem-dependencies-with-compile",
    "phony": "MP generate-dependency-targets",
    "shared": "shared",
    "archive": "lib",
    "device link": "dlink device-link",
    "debug": "g debug",
    "device debug": "G device-debug",
    "no warnings": "w disable-warnings",
    "verbose": "v verbose",
    "dry run": "dryrun",
    "version": "version V",
    "help": "h help",
    "run": "run",
    "profile": "profile pg",
    "no exceptions": "no-exceptions noeh",
    "forward": "forward-unknown-to-host-compiler forward-unknown-to-host-linker forward-unknown-opts",
    "check": "check watch count",
    "relaxed constexpr": "expt-relaxed-constexpr",
    "print library folder": "print-library-dir",
    "architectures": "list-gpu-arch arch-ls",
    "codes": "list-gpu-code code-ls",
    "unsupported": "clean-targets clean relocatable-link r augment-host-linker-script aug-hls",
    "ignored": """lineinfo generate-line-info expt-extended-lambda extended-lambda
        use_fast_math Wno-deprecated-gpu-targets Wno-deprecated-declarations Wreorder Wdefault-stream-launch Wmissing-
        launch-bounds Wext-lambda-captures-this restrict resource-usage res-usage src-in-ptx source-in-ptx keep k
        save-temps extensible-whole-program ewp no-compress allow-unsupported-compiler m64 link objdir-as-tempdir
        objtemp no-host-device-initializer-list nohdinitlist no-host-device-move-forward nohdmoveforward dlto lto use-
        local-env force-cl-env-setup device-entity-has-hidden-visibility dont-use-profile noprof fdevice-syntax-only
        keep-device-functions compile-as-tools-patch astoolspatch err-no no-err-no relocatable-ptx reloc-ptx jobserver
        no-display-error-number no-align-double extra-device-vectorization gen-opt-lto static-global-template-stub no-
        device-link nodlink""",
    "device code": "ptx cubin fatbin optix-ir ltoir cuda gpu",
}
JOINED = "IDULlOtmx"  # -Ifolder, -DNAME=1, -O3
MAY_BE_EMPTY = {"library folder", "compiler option", "linker option", "run argument", "ignored"}

NOT_NEEDED = {"cudart", "cudart_static", "cuda", "cudadevrt", "cudadevice", "curand", "curand_static", "nccl", "nccl_static"}
UNSUPPORTED_LIBRARIES = re.compile(
    r"(cublas|cufft|cusparse|cusolver|cudnn|cutensor|nvrtc|npp|nvjpeg|nvToolsExt|nvidia-ml|cupti|nvblas|"
    r"cufile|nvJitLink|nvfatbin|nvptxcompiler)\w*"
)

LINKED = (".o", ".obj", ".a", ".so", ".lib")
HOST = (".c", ".cc", ".cpp", ".cxx")
# Files that somebody has written. Whatever the command line says, they are not overwritten.
WRITTEN_BY_HAND = (".cu", ".cuh", *HOST, ".c++", ".h", ".hh", ".hpp", ".hxx", ".h++", ".inl", ".ipp", ".tpp", ".inc")
RULE_ALONE = {"dependencies", "user dependencies"}
RULE_BESIDE = {"with dependencies", "with user dependencies"}
