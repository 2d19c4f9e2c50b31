#pragma once

#include <string>

// Several devices, if EMULATOR_DEVICES asks for them: who is current, who is whose peer, and whose turn it is. They
// share the workers, so that one of them works at a time.
namespace emulator {

inline constexpr int most_devices = 8;

/// What the calling host thread has chosen with cudaSetDevice(); 0 at first.
int current_device();
void set_current_device(int device);

/// A number of the calling host thread that no other one has had: an ended one's std::thread::id may come again.
unsigned host_thread();

/// Whether kernels of `device` may touch the memory of `owner`: their own, or that of a peer to which access was
/// enabled.
bool can_reach(int device, int owner);
void set_peer_access(int device, int peer, bool enabled);
/// Nobody is a peer of the device any more, nor it of others (cudaDeviceReset).
void forget_peers(int device);

/// "device 1", where there are several; else empty.
std::string device_name(int device);

/// The device whose values __device__ and __constant__ variables have at present.
int device_of_variables();

/// While it lives, the device runs a kernel, or a copy touches its variables: __device__ and __constant__ variables
/// have the values of this device, and what kernels of another one have opened is closed. One at a time; where there is
/// a single device, nothing is done.
class DeviceAtWork {
  public:
    explicit DeviceAtWork(int device);
    ~DeviceAtWork();
    DeviceAtWork(const DeviceAtWork&) = delete;
    DeviceAtWork& operator=(const DeviceAtWork&) = delete;

  private:
    bool is_one_of_several_;
};

}  // namespace emulator
