#include "host_work.h"

#include "../checked/host/stream_order.h"
#include "../checked/memory.h"
#include "../memory/devices.h"
#include "../memory/memory.h"
#include "../runtime_api/observers.h"
#include "../runtime_api/stream_queues.h"
#include "emulator/host_work.h"
#include "emulator/runtime_api.h"
#include "fault_handler.h"

namespace emulator {
namespace {

thread_local int depth = 0;

}  // namespace

cudaError_t begin_host_work(cudaStream_t stream) {
    if (depth == 0) {
        finish_stream(stream);
        if (const cudaError_t error = cudaStreamSynchronize(stream)) return error;
        // To the checked build it is work of the stream, so that it is behind what the stream waits for.
        { const Work work(stream, "Thrust"); }
        order_host_waited(stream);
        tell_observer([](Observer& told) { told.library_works("Thrust"); });
        install_fault_handler();
        kernel_begins();
    }
    ++depth;
    return cudaSuccess;
}

void end_host_work() {
    if (--depth == 0) kernel_ends();
}

void tell_of_host_copy(const void* to, const void* from, std::size_t bytes) {
    tell_observer([&](Observer& told) { told.copied(to, from, bytes); });
}

bool does_host_work() {
    return depth > 0;
}

bool open_for_host_work(std::uintptr_t address) {
    if (depth == 0 || !open_for_kernel(address, current_device())) return false;
    note_opened(address);
    return true;
}

}  // namespace emulator
