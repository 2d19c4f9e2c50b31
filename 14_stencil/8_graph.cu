// New here: the launches of all steps are captured as a graph, once. Then the host launches the graph, and the device
// goes from step to step without it.
// What it should save: the host's work for each launch, and a part of the time between two launches.
// What remains: to build a graph takes longer than to launch its kernels, so it must be launched again and again.

#include <memory>

#include "common/check.h"
#include "point.h"

namespace stencil {
namespace {

__global__ void take_step(Plate plate, const float* in, float* out) {
    const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
    step_point(plate.weights, plate.width, plate.height, in, out, x, y);
}

/// The launches of all steps on these arrays.
class Steps {
  public:
    Steps(const Plate& plate, const float* in, float* out, float* scratch)
        : plate_(plate), in_(in), out_(out), scratch_(scratch) {
        cudaStream_t stream = nullptr;
        CUDA_CHECK(cudaStreamCreate(&stream));
        CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        const dim3 block(block_width, block_height), grid = grid_for(plate.width, plate.height);
        for (int step = 1; step <= plate.steps; ++step) {
            float* to = target(plate.steps, step, out, scratch);
            take_step<<<grid, block, 0, stream>>>(plate, in, to);  // becomes a node, and does not run
            CUDA_CHECK_LAUNCH();
            in = to;
        }
        cudaGraph_t captured = nullptr;
        CUDA_CHECK(cudaStreamEndCapture(stream, &captured));
        CUDA_CHECK(cudaGraphInstantiate(&executable_, captured, 0));
        CUDA_CHECK(cudaGraphDestroy(captured));
        CUDA_CHECK(cudaStreamDestroy(stream));
    }

    Steps(const Steps&) = delete;
    Steps& operator=(const Steps&) = delete;
    ~Steps() { cudaGraphExecDestroy(executable_); }

    bool are_of(const Plate& plate, const float* in, const float* out, const float* scratch) const {
        return plate.width == plate_.width && plate.height == plate_.height && plate.steps == plate_.steps &&
               plate.weights.centre == plate_.weights.centre && plate.weights.neighbour == plate_.weights.neighbour &&
               in == in_ && out == out_ && scratch == scratch_;
    }

    void launch() const { CUDA_CHECK(cudaGraphLaunch(executable_, nullptr)); }

  private:
    Plate plate_;
    const float *in_, *out_, *scratch_;
    cudaGraphExec_t executable_ = nullptr;
};

}  // namespace

void graph(const Plate& plate, const float* in, float* out, float* scratch) {
    static std::unique_ptr<Steps> steps;  // kept from call to call: building it takes longer than its launch
    if (!steps || !steps->are_of(plate, in, out, scratch)) steps = std::make_unique<Steps>(plate, in, out, scratch);
    steps->launch();
}

STAGES(Stage{"all launches are one graph", graph});

}  // namespace stencil
