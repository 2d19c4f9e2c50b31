"""What the checked build says of calls of the runtime API beyond broken/: notes, which are no findings, the summary, and
where it looks for errors that programs throw away.

    python3 emulator/tests/api_calls_test.py
"""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
NVCC = os.path.join(os.path.dirname(HERE), "nvcc_cpu")

KERNELS = r"""
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <algorithm>
#include <vector>
__global__ void fill(int* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i;
}
__global__ void even(int* x) { x[2 * threadIdx.x] = 1; }
__global__ void minus_one(int* x) { x[threadIdx.x] = -1; }
__global__ void add(int* x) { atomicAdd(x + threadIdx.x, 1); }
__global__ void copy(const int* x, int* y) { y[threadIdx.x] = x[threadIdx.x]; }
__global__ void bytes(const unsigned char* x, int* y) { y[threadIdx.x] = x[threadIdx.x]; }
__global__ void fall_over(int* x) { x[1 << 20] = 1; }
struct Particle { float x, y, unused[6]; int id; double weight; };
__global__ void particles(Particle* p) {
    p[threadIdx.x].x = p[threadIdx.x].y = 1;
    p[threadIdx.x].id = threadIdx.x;
    p[threadIdx.x].weight = 2;
}
__global__ void multiples(const int* x, int n, int* found, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] % 3 == 0) found[atomicAdd(count, 1)] = x[i];
}
#define RUN(name) if (std::strcmp(argv[1], #name) == 0)
template <class T>
T* device(std::size_t n) {
    T* x;
    if (cudaMalloc(&x, n * sizeof(T)) != cudaSuccess) std::exit(9);
    return x;
}
std::vector<int> on_host(const int* x, std::size_t n) {
    std::vector<int> host(n);
    if (cudaMemcpy(host.data(), x, n * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) std::exit(9);
    return host;
}
#define SET_DEVICE(n)     \
    do {                  \
        cudaSetDevice(n); \
    } while (0)
"""

# name: (body of main(), how it ends, what is said; @ stands for the line of the text before it in quotes). A name with "right"
# must end with "nothing found" and no more.
PROGRAMS = {
    "tail": ("""
        int* x;
        if (cudaMalloc(&x, 1000 * sizeof(int)) != cudaSuccess) return 1;
        fill<<<1000 / 256, 256>>>(x, 1000);
        int host[1000];
        cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
        long sum = 0;
        for (int i = 0; i < 1000; ++i) sum += host[i];
        std::printf("%ld\\n", sum);
        cudaFree(x);
        """, 0, ["note: host code reads what nobody has written, at a.cu:<sum += host>",
                 "copy at a.cu:<cudaMemcpy(host> of 1000 values of 4 bytes, 0 bytes into x (4000 bytes, made at a.cu:<cudaMalloc(&x, 1000>)",
                 "232 values of 4 bytes of these, from byte 3072 on", "1 launch: nothing found, 1 note"]),
    "nothing_written": ("""
        int *x = device<int>(10), *y = device<int>(10);
        fill<<<1, 32>>>(x, 10);
        int host[10];
        cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
        std::printf("%d\\n", host[3]);
        cudaFree(x), cudaFree(y);
        """, 0, ["note: host code reads what nobody has written, at a.cu:<host[3]>"]),
    "memset_of_ones": ("""
        int* x = device<int>(32);
        cudaMemset(x, 1, 32 * sizeof(int));
        add<<<1, 32>>>(x);
        cudaFree(x);
        """, 0, ["reads 4 bytes, 0 bytes into x", "a.cu:<void add>", "cudaMemset() at a.cu:<cudaMemset(x> has set each byte to 1",
                 "16843009 (0x01010101)", "nothing found, 1 note"]),
    "memset_of_tens": ("""
        int *x = device<int>(32), *y = device<int>(32);
        cudaMemset(x, 10, 32 * sizeof(int));
        copy<<<1, 32>>>(x, y);
        cudaFree(x), cudaFree(y);
        """, 0, ["168430090 (0x0a0a0a0a)"]),
    "event_in_vain": ("""
        cudaEvent_t event;
        cudaEventCreate(&event);
        cudaStreamWaitEvent(nullptr, event);
        cudaEventSynchronize(event);
        cudaEventDestroy(event);
        """, 0, ["note: cudaStreamWaitEvent() waits for an event that is never recorded, at a.cu:<WaitEvent>",
                 "was made at a.cu:<EventCreate>", "nothing found, 1 note"]),
    "left": ("""
        int* x = device<int>(100); int* y = device<int>(1);
        int* pinned; cudaMallocHost(&pinned, 12);
        cudaStream_t stream; cudaStreamCreate(&stream);
        cudaEvent_t events[2]; for (auto& each : events) cudaEventCreate(&each);
        cudaGraph_t graph; cudaGraphCreate(&graph, 0);
        cudaGraphExec_t exec; cudaGraphInstantiate(&exec, graph, 0);
        cudaGraph_t clone; cudaGraphClone(&clone, graph); cudaGraphDestroy(graph);
        if (x == y) return 1;
        """, 0, ["note: 2 allocations (404 bytes) are never given to cudaFree(); one of them was made at a.cu:",
                 "note: 1 allocation of host memory (12 bytes) is never given to cudaFreeHost(); it was made at a.cu:<pinned;>",
                 "note: 1 stream is never given to cudaStreamDestroy(); it was made at a.cu:<stream;>",
                 "note: 2 events are never given to cudaEventDestroy(); one of them was made at a.cu:<events>",
                 "note: 1 graph is never given to cudaGraphDestroy(); it was made at a.cu:<cudaGraphClone>",
                 "note: 1 executable graph is never given to cudaGraphExecDestroy(); it was made at a.cu:<exec;>",
                 "nothing found, 6 notes"]),
    "left_by_a_failure": ("int* x = device<int>(100); return x == nullptr ? 0 : 7;", 7, ["0 launches: nothing found\n"]),
    "wrong_direction": ("""
        int* x = device<int>(100); int host[100] = {};
        for (int i = 0; i < 3; ++i) cudaMemcpy(x, host, sizeof host, cudaMemcpyDeviceToHost);
        cudaFree(x);
        """, 5, ["invalid-copy", "0 launches: 1 finding\n"]),
    "in_a_macro": ("SET_DEVICE(4);", 5, ["cudaSetDevice(), which answers cudaErrorInvalidDevice", "number 4 is asked for"]),
    "in_a_label": ("switch (argc) { case 2: cudaSetDevice(5); break; default: cudaSetDevice(6); }", 5, ["number 5 is asked for"]),
    "in_a_branch": ("if (argc == 2) cudaSetDevice(5); else cudaSetDevice(6);", 5, ["number 5 is asked for"]),
    "in_a_lambda": ("auto set = [](int n) { ::cudaSetDevice(n); }; set(8);", 5, ["number 8 is asked for"]),
    "by_cudaLaunchKernel": ("""
        int* x = nullptr; int n = 0; void* arguments[] = {&x, &n};
        cudaLaunchKernel((void*)fill, dim3(1), dim3(33, 32), arguments, 0, nullptr);
        """, 5, ["grid 1, block 33 x 32, at a.cu:<cudaLaunchKernel((>", "threads of a block is 1056, and the limit is 1024"]),
    "empty": ("""
        int *none, n = 0; cudaMalloc(&none, n * sizeof(int));
        fill<<<1, 32>>>(none, 32);
        """, 5, ["0 elements: none (made at a.cu:<none, n>)"]),
    "free_of_managed": ("int* x; cudaMallocManaged(&x, 4096); std::free(x);", -11, ["invalid-free", "free() or delete"]),
    "refused_and_seen": ("fill<<<0, 1>>>(nullptr, 0); return cudaGetLastError() == cudaSuccess;", 0,
                         ["0 launches: nothing found in what ran, and 1 launch was refused\n"]),
    "failed_before": ("""
        int* x = device<int>(8);
        fall_over<<<1, 1>>>(x);
        cudaDeviceSynchronize();
        fill<<<1, 8>>>(x, 8);
        cudaFree(x);
        """, 5, ["out-of-bounds", "1 launch: 1 finding\n"]),
    "right_bytes": ("""
        unsigned char* x = device<unsigned char>(64); int *y = device<int>(64), *z = device<int>(64);
        cudaMemset(x, 1, 64);
        bytes<<<1, 64>>>(x, y);
        for (int byte : {0, -1, 0x3f, 0x7f, 0xc0}) { cudaMemset(z, byte, 256); copy<<<1, 64>>>(z, y); }
        cudaMemset(z, 1, 256);
        fill<<<1, 64>>>(z, 64);
        copy<<<1, 64>>>(z, y);
        cudaFree(x); cudaFree(y); cudaFree(z);
        """, 0, []),
    "right_capacity": ("""
        int *x = device<int>(1000), *found = device<int>(1000), *count = device<int>(1);
        fill<<<4, 256>>>(x, 1000);
        cudaMemset(count, 0, 4);
        multiples<<<4, 256>>>(x, 1000, found, count);
        std::vector<int> all = on_host(found, 1000), copied = all;
        all.resize(on_host(count, 1)[0]);
        std::sort(all.begin(), all.end());
        std::printf("%d %zu\\n", all[5], copied.size());
        cudaFree(x); cudaFree(found); cudaFree(count);
        """, 0, []),
    "right_structures": ("""
        Particle* p = device<Particle>(50);
        particles<<<1, 50>>>(p);
        std::vector<Particle> host(50);
        cudaMemcpy(host.data(), p, 50 * sizeof(Particle), cudaMemcpyDeviceToHost);
        std::sort(host.begin(), host.end(), [](const Particle& a, const Particle& b) { return a.id > b.id; });
        const Particle one = host[7]; double sum = one.weight;
        for (Particle each : host) sum += each.x + each.id;
        std::printf("%g\\n", sum);
        cudaFree(p);
        """, 0, []),
    "right_every_second": ("""
        int* x = device<int>(200);
        even<<<1, 100>>>(x);
        const std::vector<int> host = on_host(x, 200);
        int sum = 0;
        for (int i = 0; i < 200; i += 2) sum += host[i];
        std::printf("%d\\n", sum);
        cudaFree(x);
        """, 0, []),
    "right_host_memory_used_again": ("""
        int *x = device<int>(100), host[100], sum = 0;
        cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
        for (int& each : host) each = -1;
        for (int each : host) sum += each;
        cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
        std::memset(host, -1, sizeof host);
        for (int each : host) sum += each;
        cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
        minus_one<<<1, 100>>>(x);
        cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
        for (int each : host) sum += each;
        int *pinned, *y = device<int>(100);
        cudaMallocHost(&pinned, sizeof host);
        cudaMemcpy(pinned, y, sizeof host, cudaMemcpyDeviceToHost);
        minus_one<<<1, 100>>>(pinned);
        cudaDeviceSynchronize();
        for (int i = 0; i < 100; ++i) sum += pinned[i];
        std::printf("%d\\n", sum);
        cudaFree(x); cudaFree(y); cudaFreeHost(pinned);
        """, 0, []),
    "right_events_in_turns": ("""
        int* x = device<int>(64);
        cudaEvent_t free[2]; cudaStream_t stream;
        cudaStreamCreate(&stream);
        for (auto& each : free) cudaEventCreate(&each);
        for (int i = 0; i < 5; ++i) {
            cudaEventSynchronize(free[i % 2]);
            fill<<<1, 64, 0, stream>>>(x, 64);
            cudaEventRecord(free[i % 2], stream);
        }
        for (auto& each : free) cudaEventDestroy(each);
        cudaStreamDestroy(stream);
        cudaFree(x);
        """, 0, []),
    "right_reset": ("int* x = device<int>(64); fill<<<1, 64>>>(x, 64); cudaDeviceSynchronize(); cudaDeviceReset();", 0, []),
    "right_static": ("static struct S { int* x = device<int>(4); ~S() { cudaFree(x); } } owner; return owner.x == nullptr;", 0, []),
    "right_values": ("""
        bool any = cudaSetDevice(1) == cudaSuccess || !cudaSetDevice(2);
        cudaError_t all[] = {cudaSetDevice(3), cudaSetDevice(4)};
        any = any || !all[0] || !({ cudaSetDevice(5); });
        (void)cudaSetDevice(6), static_cast<void>(cudaSetDevice(7));
        for (int i = 0; cudaSetDevice(8) == cudaSuccess; ++i) return 1;
        auto set = [] { return cudaSetDevice(9); };
        return any || set() == cudaSuccess;
        """, 0, []),
    "right_cleared": ("cudaSetDevice(1); fill<<<0, 0>>>(nullptr, 0); cudaGetLastError(); cudaDeviceSynchronize();", 0,
                      ["nothing found in what ran, and 1 launch was refused\n"]),
}


def source():
    text = KERNELS + "int main(int argc, char** argv) {\n    if (argc != 2) return 8;\n"
    for name, (body, _, _) in PROGRAMS.items():
        text += f"    RUN({name}) {{\n{body}\n    return 0;\n    }}\n"
    return text + "    return 8;\n}\n"


def with_lines(words, text, begin):
    """a.cu:<text> becomes a.cu:12, the first line with that text behind `begin`, or of a kernel."""
    def line(match):
        return f"a.cu:{text.count(chr(10), 0, text.index(match[1], 0 if 'void' in match[1] else begin)) + 1}"
    return re.sub(r"a\.cu:<(.+?)>(?=[^>]|$)", line, words)


class Calls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        with open(os.path.join(cls.folder, "a.cu"), "w", encoding="utf-8") as file:
            file.write(source())

    def compile(self, *options):
        done = subprocess.run([NVCC, *options, "-Xcompiler", "-Wall", "a.cu", "-o", "a"], cwd=self.folder, capture_output=True,
                              text=True, check=False)
        self.assertEqual((done.returncode, re.sub(r"nvcc_cpu: (compiling|\d+ of \d+ parts).*\n", "", done.stderr)), (0, ""))

    def run_program(self, name):
        return subprocess.run([os.path.join(self.folder, "a"), name], capture_output=True, text=True, check=False, timeout=300)

    def test_checked(self):
        text = source()
        for level in ("-O0", "-O2"):
            self.compile("--check", level)
            for name, (_, code, said) in PROGRAMS.items():
                with self.subTest(program=name, level=level):
                    done = self.run_program(name)
                    self.assertEqual(done.returncode, code, done.stderr)
                    for words in said:
                        self.assertIn(with_lines(words, text, text.index(f"RUN({name})")), done.stderr)
                    if name.startswith("right") and not said:
                        self.assertRegex(done.stderr, r"\Aemulator: checked \d+ launch\w*: nothing found\n\Z")

    def test_plain(self):
        """free() of device memory is explained in the plain build, too."""
        self.compile("-O2")
        done = self.run_program("free_of_managed")
        self.assertEqual(done.returncode, -11)
        self.assertRegex(done.stderr, r"\Aemulator: free\(\) or delete got memory of CUDA's at a.cu:\d+: .*4096 bytes begins\. cudaFree")


if __name__ == "__main__":
    unittest.main()
