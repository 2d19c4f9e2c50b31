#pragma once

#include <cstddef>
#include <cstdint>

/// How many elements lie between p, aligned as its type asks for, and the next multiple of 16 bytes: 0 if p is one.
template <class T>
std::size_t to_boundary(const T* p) {
    return (16 - reinterpret_cast<std::uintptr_t>(p) % 16) % 16 / sizeof(T);
}
