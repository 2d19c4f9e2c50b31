"""What `cmake --install` of the emulator gives: nvcc_cpu, a folder that CMake takes for CUDA's toolkit, and a CMake package.

    python3 emulator/tests/install_test.py
"""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

EMULATOR = Path(__file__).resolve().parents[1]
TAIL = "emulator: checked 1 launch: nothing found\n"
SOURCES = {
    "doubled.cu": """
        #include <cuda_runtime.h>
        __global__ void doubled(float* x, int n) {
            const int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) x[i] = 2 * i;
        }
        void launch(float* x, int n) { doubled<<<(n + 255) / 256, 256>>>(x, n); }
        """,
    "main.cpp": """
        #include <cuda_runtime.h>
        #include <cstdio>
        void launch(float* x, int n);
        int main() {
            float* x = nullptr;
            float y[1000];
            if (cudaMalloc(reinterpret_cast<void**>(&x), sizeof y) != cudaSuccess) return 1;
            launch(x, 1000);
            if (cudaMemcpy(y, x, sizeof y, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
            std::printf("%g\\n", y[999]);
            return cudaFree(x) != cudaSuccess;
        }
        """,
    "Makefile": """
NVCC = nvcc
program: doubled.o main.o
	g++ $^ -L"$(CUDA)/lib64" -lcudart -o $@
doubled.o: doubled.cu
	"$(NVCC)" -c $< -o $@
main.o: main.cpp
	g++ -I"$(CUDA)/include" -c $< -o $@
""",
    "cuda/CMakeLists.txt": """
        cmake_minimum_required(VERSION 3.24)
        project(foreign LANGUAGES CXX CUDA)
        find_package(CUDAToolkit 12 REQUIRED)
        add_library(kernels STATIC ../doubled.cu)
        set_target_properties(kernels PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_STANDARD 17)
        add_executable(program ../main.cpp)
        target_link_libraries(program PRIVATE kernels CUDA::cudart)
        """,
    "package/CMakeLists.txt": """
        cmake_minimum_required(VERSION 3.24)
        project(foreign LANGUAGES CXX)
        find_package(cuda_emulator 1 REQUIRED)
        foreach(name plain CHECKED)
            add_library(kernels_${name} STATIC ../doubled.cu)
            use_emulator(kernels_${name} ${name})
            add_executable(${name} ../main.cpp)
            target_link_libraries(${name} PRIVATE kernels_${name})
        endforeach()
        """,
}


@unittest.skipUnless(shutil.which("cmake") and shutil.which("ninja"), "skipped: needs cmake and ninja")
class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(suffix=" für alle")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.prefix, cls.build = cls.folder / "prefix", cls.folder / "build"
        cls.toolkit = cls.prefix / "lib" / "cuda_emulator"
        # No cache is written, and nothing of the repository's is used.
        cls.environment = {**os.environ, "XDG_CACHE_HOME": "/proc/no-cache", "CMAKE_GENERATOR": "Ninja"}
        for name, text in SOURCES.items():
            (cls.folder / name).parent.mkdir(exist_ok=True)
            (cls.folder / name).write_text(text, encoding="utf-8")
        # Quick to build; what is installed is the same.
        cls.command("cmake", "-S", EMULATOR, "-B", cls.build, "-DEMULATOR_TESTS=OFF", "-DCMAKE_BUILD_TYPE=Quick",
                    "-DCMAKE_CXX_FLAGS_QUICK=-O0 -g1")
        cls.command("cmake", "--build", cls.build)
        cls.command("cmake", "--install", cls.build, "--prefix", cls.prefix)

    @classmethod
    def command(cls, *words):
        done = subprocess.run(list(map(str, words)), cwd=cls.folder, env=cls.environment, capture_output=True, text=True,
                              check=False)
        if done.returncode != 0:
            raise AssertionError(f"{' '.join(map(str, words))}:\n{done.stdout}{done.stderr}")
        return done

    def runs(self, program, errors=""):
        done = self.command(program)
        self.assertEqual((done.stdout, done.stderr), ("1998\n", errors))

    def test_nvcc_cpu(self):
        nvcc = self.prefix / "bin" / "nvcc_cpu"
        for option, errors in (("-O1", ""), ("--check", TAIL)):
            self.command(nvcc, option, "-o", "alone", "doubled.cu", "main.cpp")
            self.runs("./alone", errors)

    def test_project_whose_language_is_cuda(self):
        # CMake reads the linker's folders in what g++ -v prints, which quotes no blank.
        prefix = Path(self.enterContext(tempfile.TemporaryDirectory()), "prefix")
        shutil.copytree(self.prefix, prefix, symlinks=True)
        for name, flags, errors in (("cuda plain", "", ""), ("cuda checked", "--check", TAIL)):
            self.command("cmake", "-S", "cuda", "-B", name, f"-DCMAKE_CUDA_FLAGS={flags}",
                         f"-DCMAKE_TOOLCHAIN_FILE={prefix}/lib/cmake/cuda_emulator/toolchain.cmake")
            self.command("cmake", "--build", name)
            self.runs(f"{name}/program", errors)

    def test_package(self):
        self.command("cmake", "-S", "package", "-B", "packaged", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.command("cmake", "--build", "packaged")
        self.runs("packaged/plain")
        self.runs("packaged/CHECKED", TAIL)

    @unittest.skipUnless(shutil.which("make"), "skipped: needs make")
    def test_makefile(self):
        self.command("make", f"CUDA={self.toolkit}", f"NVCC={self.toolkit}/bin/nvcc")
        self.runs("./program")

    @unittest.skipUnless(shutil.which("cpack") and shutil.which("dpkg-deb"), "skipped: needs cpack and dpkg-deb")
    def test_debian_package(self):
        self.command("cpack", "--config", self.build / "CPackConfig.cmake", "-B", self.folder / "packages")
        (package,) = (self.folder / "packages").glob("*.deb")
        version = (EMULATOR / "VERSION").read_text(encoding="utf-8").strip()
        self.assertRegex(package.name, rf"^cuda-emulator_{version}_\w+\.deb$")
        self.command("dpkg-deb", "-x", package, "unpacked")
        self.command(self.folder / "unpacked/usr/bin/nvcc_cpu", "-o", "packaged_alone", "doubled.cu", "main.cpp")
        self.runs("./packaged_alone")


if __name__ == "__main__":
    unittest.main()
