// A dot product whose cache of the block stands at namespace scope in one kernel and is local in the other.
#include "stdio.h"
#include "stdlib.h"

#define imin(a,b) (a<b?a:b)
#define HANDLE_ERROR( err ) (HandleError( err, __FILE__, __LINE__ ))
#define sum_squares(x)  (x*(x+1)*(2*x+1)/6)

static void HandleError( cudaError_t err, const char *file, int line ) {
    if (err != cudaSuccess) {
        printf( "%s in %s at line %d\n", cudaGetErrorString( err ), file, line );
        exit( EXIT_FAILURE );
    }
}

const int N = 3 * 1024;
const int threadsPerBlock = 256;
const int blocksPerGrid = imin( 32, (N+threadsPerBlock-1) / threadsPerBlock );

extern __shared__ float dynamicCache[];

__global__ void dot( float *a, float *b, float *c ) {
    __shared__ float cache[threadsPerBlock];
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    int cacheIndex = threadIdx.x;

    float   temp = 0;
    while (tid < N) {
        temp += a[tid] * b[tid];
        tid += blockDim.x * gridDim.x;
    }
    cache[cacheIndex] = temp;
    __syncthreads();

    int i = blockDim.x/2;
    while (i != 0) {
        if (cacheIndex < i)
            cache[cacheIndex] += cache[cacheIndex + i];
        __syncthreads();
        i /= 2;
    }
    if (cacheIndex == 0)
        c[blockIdx.x] = cache[0];
}

__global__ void dot_dynamic( float *a, float *b, float *c ) {
    float temp = 0;
    for (int tid = threadIdx.x + blockIdx.x * blockDim.x; tid < N; tid += blockDim.x * gridDim.x) temp += a[tid] * b[tid];
    dynamicCache[threadIdx.x] = temp;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s; s >>= 1) {
        if (threadIdx.x < s) dynamicCache[threadIdx.x] += dynamicCache[threadIdx.x + s];
        __syncthreads();
    }
    if (!threadIdx.x) c[blockIdx.x] = dynamicCache[0];
}

int main( void ) {
    double *unused = NULL;
    float   *a, *b, c, *partial_c;
    float   *dev_a, *dev_b, *dev_partial_c;
    a = (float*)malloc( N*sizeof(float) );
    b = (float*)malloc( N*sizeof(float) );
    partial_c = (float*)malloc( blocksPerGrid*sizeof(float) );
    HANDLE_ERROR( cudaMalloc( (void**)&dev_a, N*sizeof(float) ) );
    HANDLE_ERROR( cudaMalloc( (void**)&dev_b, N*sizeof(float) ) );
    HANDLE_ERROR( cudaMalloc( (void**)&dev_partial_c, blocksPerGrid*sizeof(float) ) );
    for (int i=0; i<N; i++) {
        a[i] = i % 7;
        b[i] = i % 5;
    }
    HANDLE_ERROR( cudaMemcpy( dev_a, a, N*sizeof(float), cudaMemcpyHostToDevice ) );
    HANDLE_ERROR( cudaMemcpy( dev_b, b, N*sizeof(float), cudaMemcpyHostToDevice ) );
    float expected = 0;
    for (int i=0; i<N; i++) expected += a[i] * b[i];
    for (int which=0; which<2; which++) {
        if (which) dot_dynamic<<<blocksPerGrid,threadsPerBlock,threadsPerBlock*sizeof(float)>>>( dev_a, dev_b, dev_partial_c );
        else dot<<<blocksPerGrid,threadsPerBlock>>>( dev_a, dev_b, dev_partial_c );
        HANDLE_ERROR( cudaMemcpy( partial_c, dev_partial_c, blocksPerGrid*sizeof(float), cudaMemcpyDeviceToHost ) );
        c = 0;
        for (int i=0; i<blocksPerGrid; i++) c += partial_c[i];
        printf( "Does GPU value %.6g = %.6g?\n", c, expected );
        if (c != expected) return 1;
    }
    HANDLE_ERROR( cudaFree( unused ) );
    HANDLE_ERROR( cudaFree( dev_a ) );
    printf( "PASSED\n" );
    free( a ); free( b ); free( partial_c );
}
