#pragma once

#include <stdexcept>
#include <string>

#include "cuda_runtime.h"

// <cuda/stream_ref> of libcu++.

namespace cuda {

/// A failed call of the runtime, as an exception.
class cuda_error : public ::std::runtime_error {
  public:
    cuda_error(cudaError_t status, const char* what)
        : ::std::runtime_error(::std::string(what) + ": " + cudaGetErrorString(status)), status_(status) {}
    cudaError_t status() const noexcept { return status_; }

  private:
    cudaError_t status_;
};

/// A stream that somebody else owns.
class stream_ref {
  public:
    using value_type = cudaStream_t;

    constexpr stream_ref() noexcept = default;
    constexpr stream_ref(cudaStream_t stream) noexcept : stream_(stream) {}
    stream_ref(int) = delete;
    stream_ref(decltype(nullptr)) = delete;

    constexpr cudaStream_t get() const noexcept { return stream_; }
    void sync() const { check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize()"); }
    void wait() const { sync(); }
    bool is_done() const {
        const cudaError_t status = cudaStreamQuery(stream_);
        if (status != cudaErrorNotReady) check(status, "cudaStreamQuery()");
        return status == cudaSuccess;
    }
    bool ready() const { return is_done(); }
    int priority() const {
        int found = 0;
        check(cudaStreamGetPriority(stream_, &found), "cudaStreamGetPriority()");
        return found;
    }
    friend constexpr bool operator==(stream_ref a, stream_ref b) noexcept { return a.stream_ == b.stream_; }
    friend constexpr bool operator!=(stream_ref a, stream_ref b) noexcept { return a.stream_ != b.stream_; }

  private:
    static void check(cudaError_t status, const char* what) {
        if (status != cudaSuccess) throw cuda_error(status, what);
    }

    cudaStream_t stream_ = nullptr;
};

}  // namespace cuda
