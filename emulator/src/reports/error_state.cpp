#include "error_state.h"

#include <atomic>
#include <cstdarg>
#include <cstdio>

namespace emulator {
namespace {

thread_local cudaError_t thread_error = cudaSuccess;
std::atomic<cudaError_t> context_error = cudaSuccess;
std::atomic<int> failed_device = 0;

}  // namespace

cudaError_t last_error() {
    return thread_error;
}

cudaError_t set_last_error(cudaError_t error) {
    if (error != cudaSuccess) thread_error = error;
    return error;
}

void forget_last_error() {
    thread_error = cudaSuccess;
}

void set_kernel_error(cudaError_t error, int device) {
    cudaError_t none = cudaSuccess;
    // The first failure is the one that is reported.
    if (context_error.compare_exchange_strong(none, error)) failed_device = device;
}

cudaError_t sticky_error() {
    return context_error;
}

void clear_sticky_error(int device) {
    if (failed_device == device) context_error = cudaSuccess;
    forget_last_error();
}

void explain(const char* format, ...) {
    std::fflush(stdout);  // What the program printed before comes first.
    std::va_list arguments;
    va_start(arguments, format);
    std::fputs("emulator: ", stderr);
    std::vfprintf(stderr, format, arguments);
    std::fputc('\n', stderr);
    va_end(arguments);
}

}  // namespace emulator
