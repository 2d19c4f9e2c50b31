// The structure was copied to the device, and the pointer in it still points to the host's array.
#include <vector>

#include "../arrays.h"

struct Vector {
    int size;
    const float* data;
};

__global__ void sum(Vector v, float* result) {
    float total = 0;
    for (int i = 0; i < v.size; ++i) total += v.data[i];  // expect: device-touches-host
    *result = total;
}

int main() {
    const std::vector<float> values(20, 1.5f);
    float *data, *result, host = 0;
    cudaMalloc(&data, 20 * sizeof(float));
    cudaMalloc(&result, sizeof(float));
    cudaMemcpy(data, values.data(), 20 * sizeof(float), cudaMemcpyHostToDevice);
#ifdef BROKEN
    const Vector v{20, values.data()};
#else
    const Vector v{20, data};
#endif
    sum<<<1, 1>>>(v, result);
    cudaMemcpy(&host, result, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(data);
    cudaFree(result);
    return differs(host, 30);
}
