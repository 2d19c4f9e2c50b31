#pragma once

#include <functional>
#include <type_traits>
#include <utility>

// <cuda/functional> of libcu++.

namespace cuda {
namespace detail {

template <class Result, class F>
class ReturnsAsProclaimed {
  public:
    explicit ReturnsAsProclaimed(F f) : f_(::std::move(f)) {}
    template <class... Arguments>
    Result operator()(Arguments&&... arguments) const {
        return f_(static_cast<Arguments&&>(arguments)...);
    }

  private:
    F f_;
};

}  // namespace detail

/// f, of which the host says what it returns: nvcc does not know that of a lambda of the device.
template <class Result, class F>
auto proclaim_return_type(F&& f) {
    return detail::ReturnsAsProclaimed<Result, ::std::decay_t<F>>(static_cast<F&&>(f));
}
template <class F>
::std::decay_t<F> proclaim_copyable_arguments(F&& f) {
    return static_cast<F&&>(f);
}

template <class T = void>
struct maximum {
    template <class U>
    constexpr U operator()(const U& a, const U& b) const {
        return a < b ? b : a;
    }
};
template <class T = void>
struct minimum {
    template <class U>
    constexpr U operator()(const U& a, const U& b) const {
        return b < a ? b : a;
    }
};

}  // namespace cuda
