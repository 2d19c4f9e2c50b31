// New here: two devices, each with half of the plate and the other's nearest row as a halo. In each step a device
// computes its row at the cut first, on a stream that goes before, and sends it to the other one while it computes the
// rest.
// What it should save: half of the time, if the row arrives before the rest is computed.
// What remains: the plate is brought to both devices and back in each call, so the way pays after many steps only.
// Where there is one device, it has both halves, which takes as long as one plate, or longer.

#include <memory>

#include "common/check.h"
#include "common/device_buffer.h"
#include "strip.h"

namespace stencil {
namespace {

/// Half of the plate on one device. Its rows are numbered from its first one, the halo included.
struct Half {
    Half(int device, int width, int first, int rows, bool is_upper)
        : device(device), width(width), first(is_upper ? first : first - 1), rows(rows + 1), is_upper(is_upper) {
        CUDA_CHECK(cudaSetDevice(device));
        for (auto& buffer : buffers) buffer = DeviceBuffer<float>(std::size_t(width) * this->rows);
        make_streams(at_cut, inside);
        for (cudaEvent_t* event : {&cut_done, &inside_done})
            CUDA_CHECK(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
    }
    Half(const Half&) = delete;
    Half& operator=(const Half&) = delete;
    ~Half() {
        for (cudaStream_t stream : {at_cut, inside}) cudaStreamDestroy(stream);
        for (cudaEvent_t event : {cut_done, inside_done}) cudaEventDestroy(event);
    }

    int own() const { return is_upper ? 0 : 1; }          ///< the first row that is no halo
    int cut() const { return is_upper ? rows - 2 : 1; }   ///< the row that the other half needs
    int halo() const { return is_upper ? rows - 1 : 0; }  ///< the row that is the other half's
    float* row(int step, int y) { return buffers[step % 2].data() + std::size_t(y) * width; }
    std::size_t bytes(int count) const { return sizeof(float) * width * count; }

    /// Takes a step for the rows from `begin` to `end`.
    void step(cudaStream_t stream, int number, int begin, int end, Weights weights) {
        step_strip({width, rows, 1, weights}, begin, end, row(number - 1, 0), row(number, 0), stream);
    }

    int device, width, first, rows;  // first: the plate's row that is row 0 here
    bool is_upper;
    DeviceBuffer<float> buffers[2];
    cudaStream_t at_cut = nullptr, inside = nullptr;
    cudaEvent_t cut_done = nullptr, inside_done = nullptr;
};

void enable_peer_access(int from, int to) {
    int can = 0;
    if (from != to) CUDA_CHECK(cudaDeviceCanAccessPeer(&can, from, to));
    if (!can) return;  // Copies between the devices work all the same, by way of the host.
    CUDA_CHECK(cudaSetDevice(from));
    const cudaError_t status = cudaDeviceEnablePeerAccess(to, 0);
    if (status == cudaErrorPeerAccessAlreadyEnabled)
        cudaGetLastError();
    else
        CUDA_CHECK(status);
}

class Halves {
  public:
    Halves(int device, int width, int height)
        : device_(device),
          width_(width),
          height_(height),
          other_(other_than(device)),
          halves_{{device, width, 0, height / 2, true}, {other_, width, height / 2, height - height / 2, false}} {
        enable_peer_access(device, other_);
        enable_peer_access(other_, device);
        CUDA_CHECK(cudaSetDevice(device));
        CUDA_CHECK(cudaEventCreateWithFlags(&begin_, cudaEventDisableTiming));
    }
    Halves(const Halves&) = delete;
    Halves& operator=(const Halves&) = delete;
    ~Halves() { cudaEventDestroy(begin_); }

    bool are_of(int device, const Plate& plate) const {
        return device == device_ && plate.width == width_ && plate.height == height_;
    }

    void run(const Plate& plate, const float* in, float* out) {
        CUDA_CHECK(cudaEventRecord(begin_, nullptr));
        for (Half& half : halves_) {
            CUDA_CHECK(cudaSetDevice(half.device));
            CUDA_CHECK(cudaStreamWaitEvent(half.inside, begin_, 0));
            CUDA_CHECK(cudaMemcpyPeerAsync(half.row(0, 0), half.device, in + std::size_t(half.first) * width_, device_,
                                           half.bytes(half.rows), half.inside));
            CUDA_CHECK(cudaEventRecord(half.inside_done, half.inside));
            CUDA_CHECK(cudaEventRecord(half.cut_done, half.inside));
        }
        for (int number = 1; number <= plate.steps; ++number) step(number, plate.weights);
        for (Half& half : halves_) {
            CUDA_CHECK(cudaSetDevice(half.device));
            CUDA_CHECK(cudaStreamWaitEvent(half.inside, half.cut_done, 0));
            CUDA_CHECK(cudaMemcpyPeerAsync(out + std::size_t(half.first + half.own()) * width_, device_,
                                           half.row(plate.steps, half.own()), half.device, half.bytes(half.rows - 1),
                                           half.inside));
            CUDA_CHECK(cudaEventRecord(half.inside_done, half.inside));
        }
        CUDA_CHECK(cudaSetDevice(device_));
        for (Half& half : halves_) CUDA_CHECK(cudaStreamWaitEvent(nullptr, half.inside_done, 0));
    }

  private:
    static int other_than(int device) {
        int count = 0;
        CUDA_CHECK(cudaGetDeviceCount(&count));
        return (device + 1) % count;
    }

    void step(int number, Weights weights) {
        for (int h = 0; h < 2; ++h) {
            Half &half = halves_[h], &other = halves_[1 - h];
            CUDA_CHECK(cudaSetDevice(half.device));
            CUDA_CHECK(cudaStreamWaitEvent(half.at_cut, half.inside_done, 0));
            CUDA_CHECK(cudaStreamWaitEvent(half.at_cut, half.cut_done, 0));
            CUDA_CHECK(cudaStreamWaitEvent(half.at_cut, other.cut_done, 0));  // The halo has arrived.
            CUDA_CHECK(cudaStreamWaitEvent(half.inside, half.cut_done, 0));
            half.step(half.at_cut, number, half.cut(), half.cut() + 1, weights);
            const int begin = half.is_upper ? half.own() : half.cut() + 1;
            half.step(half.inside, number, begin, begin + half.rows - 2, weights);
        }
        for (int h = 0; h < 2; ++h) {  // Only now: the events above are those of the step before.
            Half &half = halves_[h], &other = halves_[1 - h];
            CUDA_CHECK(cudaSetDevice(half.device));
            CUDA_CHECK(cudaMemcpyPeerAsync(other.row(number, other.halo()), other.device, half.row(number, half.cut()),
                                           half.device, half.bytes(1), half.at_cut));
            CUDA_CHECK(cudaEventRecord(half.cut_done, half.at_cut));
            CUDA_CHECK(cudaEventRecord(half.inside_done, half.inside));
        }
    }

    int device_, width_, height_, other_;
    Half halves_[2];
    cudaEvent_t begin_ = nullptr;
};

}  // namespace

void two_devices(const Plate& plate, const float* in, float* out, float*) {
    if (plate.height == 1) {  // one row, all of it border
        CUDA_CHECK(cudaMemcpyAsync(out, in, sizeof(float) * plate.width, cudaMemcpyDeviceToDevice));
        return;
    }
    int device = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    static std::unique_ptr<Halves> halves;  // kept from call to call: allocating takes longer than many steps
    if (!halves || !halves->are_of(device, plate)) {
        halves.reset();  // before the new ones are there
        halves = std::make_unique<Halves>(device, plate.width, plate.height);
    }
    halves->run(plate, in, out);
}

STAGES(Stage{"half on each device, rows sent while they compute", two_devices});

}  // namespace stencil
