// Ranges of NVTX: a kernel that runs in two of them is counted as two.

#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

__global__ void touch(int* x) {
    x[threadIdx.x] = 1;
}

int main() {
    int* x = nullptr;
    if (cudaMalloc(&x, 256 * sizeof(int)) != cudaSuccess) return 1;
    touch<<<1, 32>>>(x);
    nvtxRangePushA("outer");
    touch<<<1, 64>>>(x);
    nvtxEventAttributes_t attributes{};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = "inner \"one\"";
    nvtxRangePushEx(&attributes);
    touch<<<1, 128>>>(x);
    nvtxRangePop();
    touch<<<1, 64>>>(x);
    nvtxRangePop();
    nvtxRangePop();  // one too many
    touch<<<1, 32>>>(x);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
