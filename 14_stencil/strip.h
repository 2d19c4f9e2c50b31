#pragma once

#include <vector>

#include "common/device_buffer.h"
#include "stencil.h"

namespace stencil {

/// A strip of a plate on the device that is current when it is made, between strips on other devices. Its rows are
/// numbered from its first one; the neighbours' nearest rows are among them, as halos. Every member throws cuda_error.
class Strip {
  public:
    /// Strip `number` of `strips`, whose heights differ by one row at most. plate.height ≥ strips.
    Strip(const Plate& plate, int number, int strips);
    Strip(const Strip&) = delete;
    Strip& operator=(const Strip&) = delete;
    ~Strip();

    /// Where it meets another strip.
    struct Cut {
        int neighbour;  ///< its number
        int row, halo;  ///< the own row that the neighbour needs, and the neighbour's that is needed here
    };

    /// Brings the rows here from a plate in the memory of the host or of any device, after `begin` (null: now).
    void bring(const float* plate, cudaEvent_t begin);

    /// Queues step `number`, from 1 on: the rows at the cuts on the stream at_cuts(), where they can be sent after it,
    /// and the rest on another one. The halos of the step before have arrived on at_cuts().
    void step(int number, Weights weights);

    /// Takes the own rows after all steps to `rows`, in the memory of the host or of any device. done() is when they
    /// are there.
    void take(float* rows, int steps);

    /// In device memory, after a step; 0 is the start.
    float* row(int step, int y) { return buffers_[step % 2].data() + std::size_t(y) * plate_.width; }
    std::size_t bytes(int rows) const { return sizeof(float) * plate_.width * rows; }

    int width() const { return plate_.width; }
    int device() const { return device_; }
    int first() const { return first_; }    ///< the plate's row that is the first own one
    int height() const { return height_; }  ///< how many own ones there are
    const std::vector<Cut>& cuts() const { return cuts_; }
    cudaStream_t at_cuts() const { return at_cuts_; }
    cudaEvent_t done() const { return inside_done_; }

  private:
    int device_ = 0, first_, height_, above_;  // above_: halos before the first own row, 0 or 1
    Plate plate_;                              // the rows here, with their halos, as a plate
    std::vector<Cut> cuts_;
    DeviceBuffer<float> buffers_[2];
    cudaStream_t at_cuts_ = nullptr, inside_ = nullptr;
    cudaEvent_t cuts_done_ = nullptr, inside_done_ = nullptr;
};

}  // namespace stencil
