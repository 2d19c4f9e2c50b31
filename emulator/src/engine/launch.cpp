// From k<<<grid, block>>>(x) to the end of the grid. docs/inside.md tells "the life of a launch" in ten steps: these
// are 1 to 4 and 10.

#include "emulator/engine.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <new>
#include <string>
#include <thread>

#include "../checked/host/api_calls.h"
#include "../checked/host/stream_order.h"
#include "../graphs/capture.h"
#include "../memory/devices.h"
#include "../memory/memory.h"
#include "../reports/error_state.h"
#include "../reports/printed.h"
#include "../runtime_api/api.h"
#include "../runtime_api/observers.h"
#include "../settings.h"
#include "kernels.h"
#include "recorded_launch.h"
#include "watchdog.h"
#include "worker.h"

namespace emulator {
namespace {

thread_local Launch* innermost_launch = nullptr;
thread_local RecordedLaunch* recording = nullptr;

// Who runs a cluster runs all of its blocks, and they may all wait at the same time: so many stacks are not there for
// every worker if clusters are large.
std::uint64_t most_workers(const Grid& grid) {
    constexpr std::uint64_t most_threads = 16384;
    if (!grid.has_clusters()) return worker_count();
    const std::uint64_t threads = std::uint64_t{grid.cluster_blocks()} * grid.block.x * grid.block.y * grid.block.z;
    return std::clamp<std::uint64_t>(most_threads / threads, 1, worker_count());
}

/// The OS threads that help the launching one. They are made on first use and never end: a launch may come from a
/// static object's destructor.
class Helpers {
  public:
    static Helpers& instance() {
        static Helpers& helpers = *new Helpers;
        return helpers;
    }

    /// Has the grid run by the calling thread and by as many helpers as there is work for. One grid at a time.
    void run(Grid& grid) {
        const std::lock_guard one_grid(launches_);
        const DeviceAtWork device(grid.device);
        const auto wanted =
            grid.is_small() ? 0u : static_cast<unsigned>(std::min<std::uint64_t>(most_workers(grid), grid.blocks) - 1);
        start(grid, wanted);
        this_worker().run(grid);
        finish();
    }

  private:
    void start(Grid& grid, unsigned wanted) {
        if (wanted == 0) return;
        const std::lock_guard lock(mutex_);
        for (; made_ < wanted; ++made_) std::thread([this] { help(); }).detach();
        grid_ = &grid;
        wanted_ = wanted;
        begin_.notify_all();
    }

    void finish() {
        std::unique_lock lock(mutex_);
        wanted_ = 0;  // Who has not begun by now need not.
        end_.wait(lock, [this] { return busy_ == 0; });
    }

    [[noreturn]] void help() {
        Worker& worker = this_worker();
        std::unique_lock lock(mutex_);
        for (;;) {
            begin_.wait(lock, [this] { return wanted_ > 0; });
            --wanted_;
            ++busy_;
            Grid& grid = *grid_;
            lock.unlock();
            worker.run(grid);
            lock.lock();
            if (--busy_ == 0) end_.notify_one();
        }
    }

    std::mutex launches_;
    std::mutex mutex_;
    std::condition_variable begin_, end_;
    Grid* grid_ = nullptr;
    unsigned made_ = 0, wanted_ = 0, busy_ = 0;
};

// The shape of the launch's clusters; 0: it has none.
uint3 cluster_of(const Launch& launch, const Kernel& kernel) {
    return launch.attributes.cluster.x > 0 ? launch.attributes.cluster : kernel.cluster;
}

struct Refusal {
    cudaError_t error = cudaSuccess;
    std::string reason{};
};

Refusal check_cluster(const Launch& launch, const Kernel& kernel) {
    const uint3 asked = launch.attributes.cluster, declared = kernel.cluster, cluster = cluster_of(launch, kernel);
    if (cluster.x == 0) return {};
    if (asked.x > 0 && declared.x > 0 && (asked.x != declared.x || asked.y != declared.y || asked.z != declared.z))
        return {cudaErrorInvalidClusterSize, "The launch asks for clusters of " + index(asked) +
                                                 " blocks, and the kernel was declared with __cluster_dims__" +
                                                 index(declared) + "."};
    const std::uint64_t blocks = std::uint64_t{cluster.x} * cluster.y * cluster.z, most = most_cluster_blocks(kernel);
    if (blocks > most)
        return {
            cudaErrorInvalidClusterSize,
            "A cluster of " + std::to_string(blocks) + " blocks is asked for, and the limit is " +
                std::to_string(most) +
                (most == portable_cluster_blocks
                     ? ". cudaFuncSetAttribute() with cudaFuncAttributeNonPortableClusterSizeAllowed raises it to " +
                           std::to_string(largest_cluster_blocks) + "."
                     : ".")};
    const dim3 g = launch.grid;
    if (g.x % cluster.x != 0 || g.y % cluster.y != 0 || g.z % cluster.z != 0)
        return {cudaErrorInvalidClusterSize,
                "A grid of " + index(g) + " blocks cannot be divided into clusters of " + index(cluster) + "."};
    return {};
}

// As an H100 with CUDA 13 answers; older toolkits said cudaErrorInvalidConfiguration to most of these.
Refusal check_launch(const Launch& launch, const Kernel& kernel) {
    if (!is_stream(launch.stream))
        return {cudaErrorInvalidResourceHandle, "The stream does not exist: it was destroyed, or was never made."};
    const dim3 g = launch.grid, b = launch.block;
    const struct {
        const char* what;
        std::uint64_t asked, most;
    } limits[] = {{"gridDim.x", g.x, 2147483647},
                  {"gridDim.y", g.y, 65535},
                  {"gridDim.z", g.z, 65535},
                  {"blockDim.x", b.x, 1024},
                  {"blockDim.y", b.y, 1024},
                  {"blockDim.z", b.z, 64},
                  {"The number of threads of a block", std::uint64_t{b.x} * b.y * b.z,
                   static_cast<std::uint64_t>(kernel.max_threads)}};
    for (const auto& [what, asked, most] : limits)
        if (asked == 0)
            return {cudaErrorInvalidValue, std::string(what) +
                                               " is 0. Often n / 256 is 0 since n is small, and "
                                               "(n + 255) / 256 was meant."};
        else if (asked > most)
            return {cudaErrorInvalidValue, std::string(what) + " is " + std::to_string(asked) + ", and the limit is " +
                                               std::to_string(most) + "."};
    if (const std::size_t most = max_dynamic_shared(kernel); launch.shared_bytes > most)
        return {cudaErrorInvalidValue,
                std::to_string(launch.shared_bytes) +
                    " bytes of dynamic shared memory are asked for, and the limit is " + std::to_string(most) +
                    ". cudaFuncSetAttribute() with " + "cudaFuncAttributeMaxDynamicSharedMemorySize raises it, up to " +
                    std::to_string(device_properties().sharedMemPerBlockOptin - kernel.static_shared) + "."};
    if (Refusal refusal = check_cluster(launch, kernel); refusal.error != cudaSuccess) return refusal;
    if (checked && read_setting(settings::refuse_launches)) return {cudaErrorLaunchOutOfResources};
    const std::uint64_t blocks = std::uint64_t{g.x} * g.y * g.z;
    if (!launch.attributes.cooperative) return {};
    const std::uint64_t room = resident_blocks(kernel, b.x * b.y * b.z, launch.shared_bytes);
    if (blocks <= room) return {};
    return {cudaErrorCooperativeLaunchTooLarge, std::to_string(blocks) +
                                                    " blocks are to run at the same time, and there is room for " +
                                                    std::to_string(room) + "."};
}

// A launch that was checked.
void run(const RecordedLaunch& launch, const void* body, cudaStream_t stream) {
    const Kernel& function = launch.function;
    Grid grid{.kernel = launch.kernel,
              .grid = launch.grid,
              .block = launch.block,
              .dynamic_shared = launch.shared_bytes,
              .run_threads = function.id,
              .body = body,
              .blocks = std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z,
              .cooperative = launch.attributes.cooperative,
              .device = launch.device,
              .cluster = launch.attributes.cluster};
    const Work work(stream, launch.kernel, launch.attributes.programmatic);
    tell_of_launch(stream);
    install_fault_handler();
    wake_watchdog();
    kernel_begins();
    Helpers::instance().run(grid);
    kernel_ends();
    if (grid.shared_bytes > function.static_shared) note_used_shared(function.id, grid.shared_bytes);
    if (grid.failed || value_of<settings::launch_blocking>()) show_printed();
}

// Whether the launch is written down instead of run: for a node of a graph, or by a stream that captures.
bool is_kept(RecordedLaunch& launch, const void* body, std::size_t body_bytes, cudaStream_t stream) {
    if (recording == nullptr && !may_capture()) return false;
    launch.body = copy_of(body, body_bytes);
    launch.attributes.programmatic = false;  // A node of a graph waits until the one before it has ended.
    if (recording != nullptr) {
        *recording = launch;
        return true;
    }
    const auto captured = capture(stream, KernelWork{launch});
    if (captured) set_last_error(*captured);
    return captured.has_value();
}

}  // namespace

Recording::Recording(RecordedLaunch* launch) {
    recording = launch;
}

Recording::~Recording() {
    recording = nullptr;
}

std::shared_ptr<void> copy_of(const void* bytes, std::size_t n) {
    constexpr std::align_val_t alignment{64};
    std::shared_ptr<void> copy(::operator new(n, alignment), [](void* p) { ::operator delete(p, alignment); });
    std::memcpy(copy.get(), bytes, n);
    return copy;
}

void run_recorded(const RecordedLaunch& launch, cudaStream_t stream) {
    run(launch, launch.body.get(), stream);
}

Launch::Launch(dim3 grid, dim3 block, std::size_t shared_bytes, cudaStream_t stream, LaunchAttributes attributes)
    : grid(grid),
      block(block),
      shared_bytes(shared_bytes),
      stream(stream),
      attributes(attributes),
      called_at(__builtin_return_address(0)),
      outer_(innermost_launch) {
    innermost_launch = this;
}

Launch::~Launch() {
    innermost_launch = outer_;
}

Launch* take_launch() {
    Launch* launch = innermost_launch;
    if (launch == nullptr || launch->taken_) return nullptr;
    launch->taken_ = true;
    return launch;
}

unsigned worker_count() {
    static const unsigned count = checked ? 1 : std::clamp(std::thread::hardware_concurrency(), 1u, max_workers);
    return count;
}

void run_grid(const char* kernel, KernelBounds bounds, void (*run_threads)(const void*), const void* body,
              std::size_t body_bytes, const std::type_info* body_type) {
    const Kernel function{true, run_threads, static_cast<int>(bounds.max_threads),
                          static_shared(run_threads, body_type), bounds.cluster};
    if (answer_probe(function)) return;
    const Launch* launch = take_launch();
    if (launch == nullptr) {
        explain("%s was called like a function: a kernel needs <<<grid, block>>>", kernel);
        set_last_error(cudaErrorMissingConfiguration);
        return;
    }
    if (const cudaError_t error = sticky_error()) {
        set_last_error(error);
        return;
    }
    if (const Refusal refusal = check_launch(*launch, function); refusal.error != cudaSuccess) {
        if (!refusal.reason.empty()) note_refused_launch(kernel, *launch, refusal.error, refusal.reason);
        set_last_error(refusal.error);
        return;
    }
    RecordedLaunch recorded{
        kernel,
        function,
        launch->grid,
        launch->block,
        launch->shared_bytes,
        {launch->attributes.cooperative, cluster_of(*launch, function), launch->attributes.programmatic},
        device_of_stream(launch->stream)};  // whichever device is current
    if (is_kept(recorded, body, body_bytes, launch->stream)) return;
    if (!streams_queue()) return run(recorded, body, launch->stream);
    recorded.body = copy_of(body, body_bytes);
    queue_work(launch->stream, {.run = [recorded, stream = launch->stream] {
                   run_recorded(recorded, stream);
                   return cudaSuccess;
               }});
    if (!value_of<settings::launch_blocking>()) return;
    finish_stream(launch->stream);
    show_printed();
}

}  // namespace emulator
