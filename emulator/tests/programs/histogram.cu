// needs: atomicAdd atomicMin atomicMax
// A histogram of bytes with atomics in shared and in global memory.
#include <stdio.h>
#include <stdlib.h>

#define SIZE (100*1024+7)

__global__ void histo_kernel( unsigned char *buffer, long size, unsigned int *histo ) {
    __shared__ unsigned int temp[256];
    temp[threadIdx.x] = 0;
    __syncthreads();
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int stride = blockDim.x * gridDim.x;
    while (i < size) {
        atomicAdd( &temp[buffer[i]], 1 );
        i += stride;
    }
    __syncthreads();
    atomicAdd( &(histo[threadIdx.x]), temp[threadIdx.x] );
}

__global__ void extremes( const unsigned char *buffer, long size, int *smallest, int *largest ) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < size) { atomicMin( smallest, buffer[i] + 5 ); atomicMax( largest, (int)buffer[i] ); }
}

int main( void ) {
    unsigned char *buffer = (unsigned char*)malloc( SIZE );
    for (int i = 0; i < SIZE; i++) buffer[i] = rand() % 251;
    unsigned char *dev_buffer;
    unsigned int *dev_histo, histo[256];
    int *range, h_range[2] = {1000, -1};
    cudaMalloc( (void**)&dev_buffer, SIZE );
    cudaMemcpy( dev_buffer, buffer, SIZE, cudaMemcpyHostToDevice );
    cudaMalloc( (void**)&dev_histo, 256 * sizeof( int ) );
    cudaMemset( dev_histo, 0, 256 * sizeof( int ) );
    cudaMalloc( (void**)&range, sizeof( h_range ) );
    cudaMemcpy( range, h_range, sizeof( h_range ), cudaMemcpyHostToDevice );
    cudaDeviceProp prop;
    cudaGetDeviceProperties( &prop, 0 );
    int blocks = prop.multiProcessorCount;
    histo_kernel<<<blocks*2,256>>>( dev_buffer, SIZE, dev_histo );
    extremes<<<(SIZE + 255) / 256, 256>>>( dev_buffer, SIZE, range, range + 1 );
    cudaMemcpy( histo, dev_histo, 256 * sizeof( int ), cudaMemcpyDeviceToHost );
    cudaMemcpy( h_range, range, sizeof( h_range ), cudaMemcpyDeviceToHost );
    for (int i = 0; i < SIZE; i++) histo[buffer[i]]--;
    for (int i = 0; i < 256; i++)
        if (histo[i] != 0) { printf( "Failure at %d!\n", i ); return 1; }
    if (h_range[0] != 5 || h_range[1] != 250) { printf( "Failure: %d %d\n", h_range[0], h_range[1] ); return 1; }
    printf( "PASSED\n" );
    return 0;
}
