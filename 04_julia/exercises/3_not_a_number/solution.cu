// Which points stay inside? |z|² is looked at after every 8 steps.

#include "common/check.h"

constexpr int batch = 8;

__global__ void julia_kernel(const float* re, const float* im, int n, int iterations, int* stays) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    float x = re[i], y = im[i];
    bool inside = true;
    for (int done = 0; done < iterations && inside; done += batch) {
        // BEGIN SOLUTION
        const int steps = min(batch, iterations - done);
        // STUB
        // const int steps = batch;
        // END SOLUTION
        for (int step = 0; step < steps; ++step) {
            const float next = fmaf(x, x, fmaf(-y, y, -0.8f));  // the real part of z² + c
            y = fmaf(x + x, y, 0.156f);
            x = next;
        }
        const float norm = fmaf(x, x, y * y);
        // BEGIN SOLUTION
        inside = norm <= 1000;
        // STUB
        // if (norm > 1000) inside = false;
        // END SOLUTION
    }
    stays[i] = inside ? 1 : 0;
}

/// re, im: n points, in device memory. stays: n ints there: 1 for a point of which |z|² is at most 1000 after each of
/// the first `iterations` steps of z = z² + c, 0 for the others. c is -0.8 + 0.156i. n may be 0, iterations may not.
void julia(const float* re, const float* im, int n, int iterations, int* stays) {
    if (n == 0) return;
    julia_kernel<<<(n + 127) / 128, 128>>>(re, im, n, iterations, stays);
    CUDA_CHECK_LAUNCH();
}
