// needs: __shfl_down_sync __shfl_up_sync __shfl_xor_sync __ballot_sync __any_sync __all_sync
// Sums with shuffles, and votes.
#include <stdio.h>

__inline__ __device__ int warpReduceSum(int val) {
  for (int offset = warpSize/2; offset > 0; offset /= 2)
    val += __shfl_down_sync(0xffffffff, val, offset);
  return val;
}

__inline__ __device__ int blockReduceSum(int val) {
  static __shared__ int shared[32];
  int lane = threadIdx.x % warpSize;
  int wid = threadIdx.x / warpSize;
  val = warpReduceSum(val);
  if (lane==0) shared[wid]=val;
  __syncthreads();
  val = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : 0;
  if (wid==0) val = warpReduceSum(val);
  return val;
}

__global__ void deviceReduceKernel(int *in, int* out, int N) {
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += blockDim.x * gridDim.x) sum += in[i];
  sum = blockReduceSum(sum);
  if (threadIdx.x==0) out[blockIdx.x]=sum;
}

__global__ void votes(unsigned *out) {
  unsigned odd = __ballot_sync(0xffffffff, threadIdx.x & 1);
  int any = __any_sync(0xffffffff, threadIdx.x == 40), all = __all_sync(0xffffffff, threadIdx.x >= 32);
  int left = __shfl_up_sync(0xffffffff, (int)threadIdx.x, 1), mirror = __shfl_xor_sync(0xffffffff, (int)threadIdx.x, 31);
  out[threadIdx.x] = odd == 0xaaaaaaaa && any == (threadIdx.x >= 32) && all == (threadIdx.x >= 32) &&
                     left == (threadIdx.x % 32 ? threadIdx.x - 1 : threadIdx.x) && mirror == (threadIdx.x ^ 31);
}

int main() {
  const int N = 12345;
  int *h = new int[N], expected = 0, *in, *out, sum;
  for (int i = 0; i < N; i++) expected += h[i] = i % 100;
  cudaMalloc(&in, N * sizeof(int));
  cudaMalloc(&out, 1024 * sizeof(int));
  cudaMemcpy(in, h, N * sizeof(int), cudaMemcpyHostToDevice);
  deviceReduceKernel<<<8, 256>>>(in, out, N);
  deviceReduceKernel<<<1, 1024>>>(out, out, 8);
  cudaMemcpy(&sum, out, sizeof(int), cudaMemcpyDeviceToHost);
  if (sum != expected) { printf("FAILED: %d, not %d\n", sum, expected); return 1; }
  unsigned ok[64], *d_ok;
  cudaMalloc(&d_ok, sizeof ok);
  votes<<<1, 64>>>(d_ok);
  cudaMemcpy(ok, d_ok, sizeof ok, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; i++) if (ok[i] != 1) { printf("FAILED: vote of thread %d\n", i); return 1; }
  printf("PASSED\n");
}
