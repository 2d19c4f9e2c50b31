// needs: rsqrtf __fdividef __ldg __popc __clz __float2int_rn __int_as_float __mul24
// min and max without std, fast divisions and roots, bit counts, and nothing included but stdio.
#include <stdio.h>

__global__ void numbers(float *f, int *n, float x, unsigned u)
{
    f[0] = rsqrtf(x);
    f[1] = __fdividef(x, 8.0f);
    f[2] = fminf(x, 3.0f) + max(1.0f, 2.0f);
    f[3] = __ldg(&f[1]);
    f[4] = __int_as_float(0x40400000);
    n[0] = __popc(u);
    n[1] = __clz(u);
    n[2] = min(3, max((int)u, 2));
    n[3] = __float2int_rn(2.5f);
    n[4] = __mul24(-3, 5);
}

int main()
{
    float f[5], *df, f_want[5] = {0.25f, 2.0f, 5.0f, 2.0f, 3.0f};
    int n[5], *dn, n_want[5] = {3, 27, 3, 2, -15};
    cudaMalloc(&df, sizeof(f));
    cudaMalloc(&dn, sizeof(n));
    numbers<<<1, 1>>>(df, dn, 16.0f, 0x15u);
    cudaMemcpy(f, df, sizeof(f), cudaMemcpyDeviceToHost);
    cudaMemcpy(n, dn, sizeof(n), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 5; ++i)
        if (fabs(f[i] - f_want[i]) > 1e-6 || n[i] != n_want[i]) {
            printf("FAILED: number %d: %f %d\n", i, f[i], n[i]);
            exit(1);
        }
    printf("PASSED\n");
}
