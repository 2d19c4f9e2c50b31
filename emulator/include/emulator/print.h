#pragma once

namespace emulator {

/// printf() in device code. `place`: where it stands in its source file; the rewriter adds it. The text appears in the
/// order of a device, where the lanes of a warp print together, and when the program waits for its kernels.
int print(unsigned place, const char* format, ...) __attribute__((format(printf, 2, 3)));

}  // namespace emulator
