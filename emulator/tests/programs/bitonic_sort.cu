// Bitonic sort with a launch for each step, and an odd-even sort of a block in shared memory.
#include <stdio.h>
#include <stdlib.h>

#define THREADS 128
#define BLOCKS 16
#define NUM_VALS THREADS*BLOCKS

__global__ void bitonic_sort_step(float *dev_values, int j, int k)
{
  unsigned int i, ixj;
  i = threadIdx.x + blockDim.x * blockIdx.x;
  ixj = i^j;
  if ((ixj)>i) {
    if ((i&k)==0) {
      if (dev_values[i]>dev_values[ixj]) {
        float temp = dev_values[i];
        dev_values[i] = dev_values[ixj];
        dev_values[ixj] = temp;
      }
    }
    if ((i&k)!=0) {
      if (dev_values[i]<dev_values[ixj]) {
        float temp = dev_values[i];
        dev_values[i] = dev_values[ixj];
        dev_values[ixj] = temp;
      }
    }
  }
}

__device__ inline void Comparator(int &a, int &b, int dir)
{
  int t;
  if ((a > b) == dir) { t = a; a = b; b = t; }
}

__global__ void oddEvenSort(int *values, int n, int dir)
{
  __shared__ int s[512];
  s[threadIdx.x] = values[threadIdx.x];
  for (int pass = 0; pass < n; pass++) {
    __syncthreads();
    int left = 2 * threadIdx.x + (pass & 1);
    if (left + 1 < n) Comparator(s[left], s[left + 1], dir);
  }
  __syncthreads();
  values[threadIdx.x] = s[threadIdx.x];
}

void bitonic_sort(float *values)
{
  float *dev_values;
  size_t size = NUM_VALS * sizeof(float);
  cudaMalloc((void**) &dev_values, size);
  cudaMemcpy(dev_values, values, size, cudaMemcpyHostToDevice);
  dim3 blocks(BLOCKS,1);
  dim3 threads(THREADS,1);
  int j, k;
  for (k = 2; k <= NUM_VALS; k <<= 1) {
    for (j=k>>1; j>0; j=j>>1) {
      bitonic_sort_step<<<blocks, threads>>>(dev_values, j, k);
    }
  }
  cudaMemcpy(values, dev_values, size, cudaMemcpyDeviceToHost);
  cudaFree(dev_values);
}

int main(void)
{
  float *values = (float*) malloc( NUM_VALS * sizeof(float));
  srand(1);
  for (int i = 0; i < NUM_VALS; ++i) values[i] = (float)rand()/(float)RAND_MAX;
  bitonic_sort(values);
  for (int i = 1; i < NUM_VALS; ++i) if (values[i - 1] > values[i]) { printf("bitonic FAILED\n"); return 1; }
  int few[300], *d;
  for (int i = 0; i < 300; ++i) few[i] = rand() % 1000;
  cudaMalloc((void**)&d, sizeof few);
  cudaMemcpy(d, few, sizeof few, cudaMemcpyHostToDevice);
  oddEvenSort<<<1,300>>>(d, 300, 1);
  cudaMemcpy(few, d, sizeof few, cudaMemcpyDeviceToHost);
  for (int i = 1; i < 300; ++i) if (few[i - 1] > few[i]) { printf("odd-even FAILED\n"); return 1; }
  printf("PASSED\n");
  return 0;
}
