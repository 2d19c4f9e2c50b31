#include "checker.h"

#include <algorithm>

using namespace exercise;

cudaError_t squares(unsigned* host, std::size_t n, unsigned threads);

namespace {

std::size_t free_memory() {
    std::size_t free = 0, all = 0;
    CUDA_CHECK(cudaMemGetInfo(&free, &all));
    return free;
}

// Calls the answer; what it throws is a mistake of its own.
cudaError_t ask(unsigned* host, std::size_t n, unsigned threads) {
    const std::size_t before = free_memory();
    answer_follows();
    cudaError_t error = cudaSuccess;
    try {
        error = squares(host, n, threads);
    } catch (const std::exception& thrown) {
        require(false, std::string("squares() threw an exception, and should return an error: ") + thrown.what());
    }
    cudaGetLastError();  // one that was returned may be there still
    answer_is_done();
    require(!on_emulator() || free_memory() == before,
            "device memory was not given back: cudaFree() is missing on this way");
    return error;
}

void succeed(std::size_t n, unsigned threads) {
    std::vector<unsigned> host(n, 0xffffffffu), expected(n);
    for (std::size_t i = 0; i < n; ++i) expected[i] = static_cast<unsigned>(i * i);
    const cudaError_t error = ask(host.data(), n, threads);
    require(error == cudaSuccess, std::string("nothing failed, and squares() returned ") + cudaGetErrorName(error));
    require_same("host", host, expected);
    require_from_kernels("host", host.data(), n * sizeof(unsigned));
}

// what: the step that cannot work.
void fail(std::size_t n, unsigned threads, const std::string& what, std::initializer_list<cudaError_t> right) {
    const std::vector<int> random = random_values<int>(300, 0, 1'000'000);
    const std::vector<unsigned> before(random.begin(), random.end());
    std::vector<unsigned> host = before;
    const cudaError_t error = ask(host.data(), n, threads);
    const bool is_right = std::find(right.begin(), right.end(), error) != right.end();
    require(is_right, what +
                          (error == cudaSuccess ? ", and squares() returned cudaSuccess"
                                                : ", and squares() returned the error of something else: ") +
                          (error == cudaSuccess ? "" : cudaGetErrorName(error)));
    require(host == before, what + ", and host was changed all the same");
}

}  // namespace

void check() {
    for_sizes({1, 31, 32, 33, 255, 256, 257, 1009, 10'000, 70'000}, [](int n) {
        for (const unsigned threads : {1u, 32u, 96u, 256u, 1024u})
            succeed(static_cast<std::size_t>(n), n > 10'000 && threads == 1 ? 2 : threads);
    });
    for (const unsigned threads : {1025u, 1280u, 4096u})
        for_case(std::to_string(threads) + " threads a block", [&] {
            fail(300, threads, "a block of " + std::to_string(threads) + " threads cannot be launched",
                 {cudaErrorInvalidValue, cudaErrorInvalidConfiguration});
        });
    for_case("a launch that needs too many registers", [] {
        if (!on_emulator()) return succeed(300, 256);  // where that cannot be brought about
        refuse_launches(true);
        fail(300, 256, "the launch failed", {cudaErrorLaunchOutOfResources});
        refuse_launches(false);
    });
    for_case("2^58 numbers",
             [] { fail(std::size_t{1} << 58, 256, "cudaMalloc() failed", {cudaErrorMemoryAllocation}); });
    for_case("no memory for the last array", [] {
        succeed(300, 256);
        const unsigned long last = call().allocations;  // 0 where none can be refused
        refuse_allocation(last);
        fail(last > 0 ? 300 : std::size_t{1} << 58, 256, "the last cudaMalloc() failed", {cudaErrorMemoryAllocation});
        refuse_allocation(0);
    });
    for_case("host is null", [] {
        require(ask(nullptr, 300, 256) == cudaErrorInvalidValue,
                "the copy failed, and squares() did not return its error, cudaErrorInvalidValue");
    });
    for_case("an error was left there before", [] {
        void* nothing = nullptr;
        cudaMalloc(&nothing, std::size_t{1} << 60);  // fails, and nobody asks
        succeed(1009, 256);
    });
    for_case("all is well again", [] { succeed(1009, 128); });
}

void counted() {
    succeed(1 << 14, 96);
}
