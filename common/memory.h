#pragma once

#include <unistd.h>

#include <iomanip>
#include <sstream>
#include <string>

#include "common/check.h"
#include "common/errors.h"

/// 80e9 bytes as "80.0 GB".
inline std::string gigabytes(double bytes) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(1) << bytes * 1e-9 << " GB";
    return text.str();
}

/// Throws usage_error if the device or the host has too little memory. The bytes are doubles, because the size that a
/// user asks for may be too large even to multiply.
inline void require_memory(double device_bytes, double host_bytes) {
    const auto require = [](double needed, double free, const char* where) {
        if (needed > free)
            throw usage_error("this size needs " + gigabytes(needed) + " of " + where + " memory, and " +
                              gigabytes(free) + " are free: choose a smaller one");
    };
    std::size_t free = 0, total = 0;
    CUDA_CHECK(cudaMemGetInfo(&free, &total));
    require(device_bytes, static_cast<double>(free), "device");
    require(host_bytes, 0.9 * sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE), "host");
}
