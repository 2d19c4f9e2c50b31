// Transposes through a padded tile, with more rows of the tile than threads, on two templates of one kernel.
#include <cstdio>
#include <vector>

const int TILE_DIM = 32;
const int BLOCK_ROWS = 8;

template <int PAD>
__global__ void transpose(float *odata, const float *idata, int width, int height)
{
  __shared__ float tile[TILE_DIM][TILE_DIM + PAD];

  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < width && y + j < height)
      tile[threadIdx.y+j][threadIdx.x] = idata[(y+j)*width + x];

  __syncthreads();

  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < height && y + j < width)
      odata[(y+j)*height + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main(int argc, char **argv)
{
  const int nx = 100, ny = 75;
  std::vector<float> h_in(nx * ny), h_out(nx * ny, -1);
  for (int i = 0; i < nx * ny; ++i) h_in[i] = i;
  float *d_in, *d_out;
  cudaMalloc(&d_in, nx * ny * sizeof(float));
  cudaMalloc(&d_out, nx * ny * sizeof(float));
  cudaMemcpy(d_in, h_in.data(), nx * ny * sizeof(float), cudaMemcpyHostToDevice);
  dim3 dimGrid((nx + TILE_DIM - 1) / TILE_DIM, (ny + TILE_DIM - 1) / TILE_DIM, 1);
  dim3 dimBlock(TILE_DIM, BLOCK_ROWS, 1);
  for (int pad = 0; pad < 2; ++pad) {
    cudaMemset(d_out, 0, nx * ny * sizeof(float));
    if (pad) transpose<1><<<dimGrid, dimBlock>>>(d_out, d_in, nx, ny);
    else transpose<0><<<dimGrid, dimBlock>>>(d_out, d_in, nx, ny);
    cudaMemcpy(h_out.data(), d_out, nx * ny * sizeof(float), cudaMemcpyDeviceToHost);
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x)
        if (h_out[x * ny + y] != h_in[y * nx + x]) return printf("FAILED\n"), 1;
  }
  printf("PASSED\n");
}
