#pragma once

namespace emulator {

/// printf() in device code. `place`: where it stands in its source file; the rewriter adds it. The text appears in the
/// order of a device, where the lanes of a warp print together, and when the program waits for its kernels. Returns how
/// many arguments the format asks for, -1 without a format, as on a device; in host code what the C library's returns.
int print(unsigned place, const char* format, ...) __attribute__((format(printf, 2, 3)));

}  // namespace emulator
