#include "checker.h"

#include <string>

using namespace exercise;

cudaError_t scan_on_device(const unsigned char* in, unsigned* out, std::size_t n);

namespace {

std::size_t free_memory() {
    std::size_t free = 0, all = 0;
    CUDA_CHECK(cudaMemGetInfo(&free, &all));
    return free;
}

// Calls the answer; what it throws is a mistake of its own.
cudaError_t ask(const unsigned char* in, unsigned* out, std::size_t n) {
    const std::size_t before = free_memory();
    answer_follows();
    cudaError_t error = cudaSuccess;
    try {
        error = scan_on_device(in, out, n);
    } catch (const std::exception& thrown) {
        require(false, std::string("scan_on_device() threw an exception, and "
                                   "should return an error: ") +
                           thrown.what());
    }
    cudaGetLastError();  // one that was returned may be there still
    answer_is_done();
    require(!on_emulator() || free_memory() == before,
            "device memory was not given back: cudaFree() is missing on this way");
    return error;
}

void succeed(std::size_t n) {
    const HostInput<unsigned char> in(random_bytes(n));
    std::vector<unsigned> out(n, 0xffffffffu), expected(n);
    unsigned sum = 0;
    for (std::size_t i = 0; i < n; ++i) expected[i] = sum += in.values[i];
    const cudaError_t error = ask(in.data(), out.data(), n);
    require(error == cudaSuccess,
            std::string("nothing failed, and scan_on_device() returned ") + cudaGetErrorName(error));
    require_same("out", out, expected);
    require(n > 0 || call().launches == 0, "for n = 0 there is nothing to do, and a kernel was launched");
    if (n > 0) require_from_kernels("out", out.data(), n * sizeof(unsigned), n);
}

// what: the step that cannot work.
void fail(const unsigned char* in, std::size_t n, const std::string& what, cudaError_t right) {
    const std::vector<unsigned> before = random_values<unsigned>(300);
    std::vector<unsigned> out = before;
    const cudaError_t error = ask(in, out.data(), n);
    require(error == right, what + ", and scan_on_device() returned " +
                                (error == cudaSuccess ? "" : "the error of something else: ") +
                                cudaGetErrorName(error));
    require(out == before, what + ", and out was changed all the same");
}

}  // namespace

void check() {
    for_each_size([](int n) { succeed(static_cast<std::size_t>(n)); });
    const HostInput<unsigned char> values(random_bytes(300));
    for_case("a launch that needs too many registers", [&] {
        if (!on_emulator()) return succeed(300);  // where that cannot be brought about
        refuse_launches(true);
        fail(values.data(), 300, "the launch failed", cudaErrorLaunchOutOfResources);
        refuse_launches(false);
    });
    for_case("2^58 numbers",
             [&] { fail(values.data(), std::size_t{1} << 58, "cudaMalloc() failed", cudaErrorMemoryAllocation); });
    for_case("no memory for the last array", [&] {
        succeed(300);
        const unsigned long last = call().allocations;  // 0 where none can be refused
        refuse_allocation(last);
        fail(values.data(), last > 0 ? 300 : std::size_t{1} << 58, "the last cudaMalloc() failed",
             cudaErrorMemoryAllocation);
        refuse_allocation(0);
    });
    for_case("in is null", [] { fail(nullptr, 300, "the copy to the device failed", cudaErrorInvalidValue); });
    for_case("an error was left there before", [] {
        void* nothing = nullptr;
        cudaMalloc(&nothing, std::size_t{1} << 60);  // fails, and nobody asks
        succeed(1009);
    });
    for_case("all is well again", [] { succeed(1009); });
}

void counted() {
    succeed(1 << 12);
}
