#pragma once

#include "common/check.h"

/// An event of the current device, destroyed at the end. flags: as for cudaEventCreateWithFlags(). Throws cuda_error.
class Event {
  public:
    explicit Event(unsigned flags = cudaEventDefault) { CUDA_CHECK(cudaEventCreateWithFlags(&event_, flags)); }
    ~Event() { cudaEventDestroy(event_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    operator cudaEvent_t() const { return event_; }

  private:
    cudaEvent_t event_ = nullptr;
};
