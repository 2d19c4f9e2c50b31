#include "emulator/error.h"

#include <atomic>
#include <cstdarg>
#include <cstdio>

namespace emulator {
namespace {

thread_local cudaError_t last_error = cudaSuccess;
std::atomic<cudaError_t> context_error = cudaSuccess;

}  // namespace

cudaError_t set_last_error(cudaError_t error) {
    if (error != cudaSuccess) last_error = error;
    return error;
}

void set_kernel_error(cudaError_t error) {
    cudaError_t none = cudaSuccess;
    context_error.compare_exchange_strong(none, error);  // The first failure is the one that is reported.
}

cudaError_t sticky_error() {
    return context_error;
}

void clear_sticky_error() {
    context_error = cudaSuccess;
    last_error = cudaSuccess;
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

cudaError_t cudaGetLastError() {
    const cudaError_t error = emulator::last_error;
    emulator::last_error = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError() {
    return emulator::last_error;
}

const char* cudaGetErrorName(cudaError_t error) {
    switch (error) {
#define EMULATOR_CASE(name, value, text) \
    case name:                           \
        return #name;
        EMULATOR_ERRORS(EMULATOR_CASE)
#undef EMULATOR_CASE
    }
    return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
    switch (error) {
#define EMULATOR_CASE(name, value, text) \
    case name:                           \
        return text;
        EMULATOR_ERRORS(EMULATOR_CASE)
#undef EMULATOR_CASE
    }
    return "unrecognized error code";
}
