// A kernel prints a name that lies in the host's memory: %s reads it there.
#include "../arrays.h"

__global__ void greet(const char* name, const int* numbers) {
    printf("%d %5.1f %s\n", numbers[threadIdx.x], 0.5, name);  // expect: device-touches-host
}

int main() {
    const std::vector<char> name = {'r', 'o', 's', 'e', '\0'};
    Array<char> copy(name.size());
    check(cudaMemcpy(copy, name.data(), name.size(), cudaMemcpyHostToDevice));
    Array<int> numbers(2, [](int i) { return i; });
#ifdef BROKEN
    greet<<<1, 2>>>(name.data(), numbers);
#else
    greet<<<1, 2>>>(copy, numbers);
#endif
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
