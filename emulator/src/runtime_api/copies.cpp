// Copies and fills: of bytes, of rectangles and boxes in pitched memory, and of variables of the device.

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "../checked/host/stream_order.h"
#include "../checked/memory.h"
#include "../graphs/capture.h"
#include "../memory/devices.h"
#include "../memory/memory.h"
#include "api.h"
#include "emulator/check.h"
#include "emulator/runtime_api.h"

namespace emulator {
namespace {

const char* name_of(cudaMemcpyKind kind) {
    switch (kind) {
        case cudaMemcpyHostToHost:
            return "cudaMemcpyHostToHost";
        case cudaMemcpyHostToDevice:
            return "cudaMemcpyHostToDevice";
        case cudaMemcpyDeviceToHost:
            return "cudaMemcpyDeviceToHost";
        case cudaMemcpyDeviceToDevice:
            return "cudaMemcpyDeviceToDevice";
        case cudaMemcpyDefault:
            return "cudaMemcpyDefault";
    }
    return nullptr;
}

bool from_device(cudaMemcpyKind kind) {
    return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
}

bool to_device(cudaMemcpyKind kind) {
    return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
}

// Where memory that is none of the host's is: it was freed, or lies beyond an allocation. Empty: it may be the host's.
std::string astray(const void* pointer, const std::string& end) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    return is_device_address(address) ? "The " + end + " begins " + describe_allocation(address) + "." : "";
}

constexpr const char* astray_cause =
    "Often an offset is counted in bytes: pointer + n is n elements further, not n bytes.";

// One end of a copy: does all of it exist, and is it device memory if the direction needs that?
bool end_fits(const char* end, const void* pointer, std::size_t bytes, const HostAccess& access, bool must_be_device,
              cudaMemcpyKind kind, bool has_rows) {
    const auto complain = [&](const std::string& why, const char* cause = "") {
        note_bad_copy("cudaMemcpy", pointer, why, cause);
        return false;
    };
    if (!access.is_whole()) {
        const std::string where = describe_allocation(reinterpret_cast<std::uintptr_t>(pointer));
        return complain(std::to_string(bytes) + " bytes do not fit: the " + end + " begins " +
                        (where.empty() ? "in registered memory that ends before" : where));
    }
    if (access.space() != Space::host) return true;
    if (const std::string where = astray(pointer, end); !where.empty()) return complain(where, astray_cause);
    const std::size_t readable = readable_bytes(pointer, bytes);
    if (readable == 0)
        return complain(std::string("There is no memory at the address of the ") + end + ".",
                        "Often the pointer was never set, or is computed from another one.");
    if (const std::size_t there = host_allocation_bytes(pointer, readable); there < bytes)
        return complain(std::to_string(bytes) + " bytes do not fit: the " + end + ", in host memory, has " +
                            (there == readable ? "at most " : "") + std::to_string(there) + " bytes from there on.",
                        has_rows ? "Often the pitches of the two ends are in the wrong order, each behind the other's "
                                   "pointer, or are counted in elements."
                                 : "");
    if (!must_be_device) return true;
    return complain(
        std::string(name_of(kind)) + " says that the " + end + " is in device memory, but it is in host memory.",
        "Often the direction is the opposite one, or the two pointers are: the destination comes first.");
}

// Whether a host that names this end of a copy, which must be in device memory, gets the device's variable. It gets a
// shadow of it, unless the variable is a __managed__ one.
bool may_name(const char* end, const char* instead, const void* pointer) {
    bool whole = true;
    if (!is_variable(pointer) || space_of(pointer, 1, &whole) != Space::device) return true;
    const std::string why = std::string("The ") + end +
                            " is named: on the host the name of a __device__ or __constant__ " +
                            "variable is no pointer to device memory.";
    note_bad_copy("cudaMemcpy", pointer, why, std::string(instead) + "() takes the name.");
    return false;
}

// While one lives, the calling thread's copies and fills only say what is wrong with them: they are done later.
class OnlyLook {
  public:
    OnlyLook() { looks = true; }
    ~OnlyLook() { looks = false; }
    OnlyLook(const OnlyLook&) = delete;
    OnlyLook& operator=(const OnlyLook&) = delete;

    static thread_local bool looks;
};
thread_local bool OnlyLook::looks = false;

// Bytes in memory, slices of rows. A line of bytes is a box of one row, a rectangle one of one slice.
struct Box {
    std::size_t width, height, depth;

    bool empty() const { return width == 0 || height == 0 || depth == 0; }
};

// How a box lies in memory: bytes from a row to the next, and from a slice to the next.
struct Layout {
    std::size_t row, slice;

    std::size_t begin_of(std::size_t y, std::size_t z) const { return z * slice + y * row; }

    /// From the first byte to behind the last.
    std::size_t span(const Box& box) const { return begin_of(box.height - 1, box.depth - 1) + box.width; }
};

// Seen on an H100: only an end that the direction calls "device" is looked at, an end called "host" may be either.
cudaError_t copy(void* to, Layout to_layout, const void* from, Layout from_layout, const Box& box,
                 cudaMemcpyKind kind) {
    if (name_of(kind) == nullptr) return cudaErrorInvalidMemcpyDirection;
    if (box.empty()) return cudaSuccess;
    if (to == nullptr || from == nullptr) {
        note_reason(std::string("The ") + (to == nullptr ? "destination" : "source") + " is a null pointer.");
        return cudaErrorInvalidValue;
    }
    const std::size_t to_bytes = to_layout.span(box), from_bytes = from_layout.span(box);
    std::optional<DeviceAtWork> device;
    if (device_count() > 1 && (is_variable(to) || is_variable(from))) device.emplace(current_device());
    const HostAccess destination(to, to_bytes), source(from, from_bytes);
    order_copy_between(source.device(), destination.device());
    const bool has_rows = box.height * box.depth > 1;
    if (!end_fits("destination", to, to_bytes, destination, to_device(kind), kind, has_rows) ||
        !end_fits("source", from, from_bytes, source, from_device(kind), kind, has_rows))
        return cudaErrorInvalidValue;
    if (OnlyLook::looks) return cudaSuccess;
    for (std::size_t z = 0; z < box.depth; ++z)
        for (std::size_t y = 0; y < box.height; ++y) {
            char* row = static_cast<char*>(to) + to_layout.begin_of(y, z);
            const char* from_row = static_cast<const char*>(from) + from_layout.begin_of(y, z);
            std::memmove(row, from_row, box.width);
            note_copied(row, from_row, box.width);
        }
    return cudaSuccess;
}

cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return copy(to, {bytes, bytes}, from, {bytes, bytes}, {bytes, 1, 1}, kind);
}

bool is_pitch(std::size_t pitch, std::size_t width) {
    return width <= pitch && pitch <= device_properties().memPitch;
}

cudaError_t copy_2d(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, const Box& box,
                    cudaMemcpyKind kind) {
    if (!is_pitch(to_pitch, box.width) || !is_pitch(from_pitch, box.width)) return cudaErrorInvalidPitchValue;
    return copy(to, {to_pitch, 0}, from, {from_pitch, 0}, box, kind);
}

Layout layout(const cudaPitchedPtr& p) {
    return {p.pitch, p.pitch * p.ysize};
}

// Where a box at `at` begins; null if its rows do not fit into the pitch.
char* corner(const cudaPitchedPtr& p, const cudaPos& at, const cudaExtent& extent) {
    const bool fits = at.x + extent.width <= p.pitch && (extent.depth <= 1 || at.y + extent.height <= p.ysize);
    if (p.ptr == nullptr || !fits) return nullptr;
    return static_cast<char*>(p.ptr) + layout(p).begin_of(at.y, at.z) + at.x;
}

cudaError_t copy_3d(const cudaMemcpy3DParms* p) {
    if (p == nullptr) return cudaErrorInvalidValue;
    if (p->srcArray != nullptr || p->dstArray != nullptr) {
        explain("not supported: cudaMemcpy3D with arrays");
        return cudaErrorNotSupported;
    }
    const Box box{p->extent.width, p->extent.height, p->extent.depth};
    if (name_of(p->kind) == nullptr) return cudaErrorInvalidMemcpyDirection;
    if (box.empty()) return cudaSuccess;
    if (!is_pitch(p->srcPtr.pitch, box.width) || !is_pitch(p->dstPtr.pitch, box.width))
        return cudaErrorInvalidPitchValue;
    return copy(corner(p->dstPtr, p->dstPos, p->extent), layout(p->dstPtr), corner(p->srcPtr, p->srcPos, p->extent),
                layout(p->srcPtr), box, p->kind);
}

cudaError_t fill(cudaStream_t stream, void* to, Layout layout, int value, const Box& box) {
    if (box.empty()) return cudaSuccess;
    const HostAccess destination(to, layout.span(box));
    const int device = device_of_stream(stream), owner = destination.device().value_or(device);
    if (destination.space() == Space::device && !can_reach(device, owner)) {
        note_reason("The memory is of " + device_name(owner) + ", and " + device_name(device) +
                    " fills it, which may not touch it.");
        return cudaErrorInvalidValue;
    }
    if (destination.space() == Space::host || !destination.is_whole()) {
        const std::string where = astray(to, "memory to fill");
        note_bad_copy("cudaMemset", to,
                      !destination.is_whole() ? "The memory to fill is shorter than that."
                      : where.empty()         ? "The memory to fill is host memory."
                                              : where,
                      where.empty() || !destination.is_whole() ? "" : astray_cause);
        return cudaErrorInvalidValue;
    }
    if (OnlyLook::looks) return cudaSuccess;
    for (std::size_t z = 0; z < box.depth; ++z)
        for (std::size_t y = 0; y < box.height; ++y) {
            char* row = static_cast<char*>(to) + layout.begin_of(y, z);
            note_filled(row, box.width, value);
            std::memset(row, value, box.width);
        }
    return cudaSuccess;
}

cudaError_t fill(cudaStream_t stream, void* to, int value, std::size_t bytes) {
    return fill(stream, to, {bytes, bytes}, value, {bytes, 1, 1});
}

cudaError_t fill_2d(cudaStream_t stream, void* to, std::size_t pitch, int value, const Box& box) {
    if (!box.empty() && box.height > 1 && !is_pitch(pitch, box.width)) return cudaErrorInvalidValue;
    return fill(stream, to, {pitch, 0}, value, box);
}

cudaError_t fill_3d(cudaStream_t stream, const cudaPitchedPtr& to, int value, const cudaExtent& extent) {
    const Box box{extent.width, extent.height, extent.depth};
    if (box.empty()) return cudaSuccess;
    return fill(stream, corner(to, {0, 0, 0}, extent), layout(to), value, box);
}

template <class Call>
cudaError_t do_work(cudaStream_t stream, const char* name, Call call) {
    const Work work(stream, name);
    return call();
}

// What a call on the default stream waits for: that of all devices, where several may take part.
void finish_default_stream() {
    if (in_host_function()) return;
    device_count() > 1 ? finish_all() : finish_stream(nullptr);
}

// The given call, which waits for what the device does.
template <class Call>
cudaError_t on_default_stream(Call call, const char* name = __builtin_FUNCTION()) {
    finish_default_stream();
    return waiting_api(
        [&] {
            const cudaError_t error = do_work(nullptr, name, call);
            order_host_waited(nullptr);
            return error;
        },
        name);
}

Space space_at(const void* pointer) {
    bool whole = true;
    return space_of(pointer, 1, &whole);
}

// As CUDA promises of a copy that waits in its stream: ordinary memory of the host is copied from before the call
// returns; nothing if the call returns only after the copy, as it does to ordinary memory and from host to host.
std::optional<QueuedWork> queued(CopyWork copy, cudaStream_t stream) {
    cudaMemcpy3DParms& p = copy.parameters;
    const Space from = space_at(p.srcPtr.ptr), to = space_at(p.dstPtr.ptr);
    const auto is_hosts = [](Space space) { return space == Space::host || space == Space::pinned; };
    if (to == Space::host || (is_hosts(from) && is_hosts(to))) return std::nullopt;
    std::shared_ptr<void> staged;
    if (from == Space::host) {
        if (!copy.is_line) return std::nullopt;
        staged = copy_of(p.srcPtr.ptr, p.extent.width);
        p.srcPtr.ptr = staged.get();
    }
    return QueuedWork{.run = [=] { return run_copy(copy.parameters, copy.is_line, stream); }, .keeps = staged};
}

std::optional<QueuedWork> queued(const FillWork& fill, cudaStream_t stream) {
    return QueuedWork{.run = [=] { return run_fill(fill.parameters, stream); }};
}

// Whether the call's work was queued: then *error is what the call answers. Else what is ahead of it has been done.
template <class Call>
bool is_queued(cudaStream_t stream, const NodeWork& work, Call call, cudaError_t* error) {
    {
        const OnlyLook look;
        if ((*error = call()) != cudaSuccess) return true;
    }
    std::optional<QueuedWork> queued_work;
    const bool on_all_devices = device_count() > 1 && stream_meant(stream) == nullptr;
    if (const auto* const copy = std::get_if<CopyWork>(&work)) queued_work = queued(*copy, stream);
    if (const auto* const fill = std::get_if<FillWork>(&work)) queued_work = queued(*fill, stream);
    if (queued_work && !on_all_devices) {
        queue_work(stream, std::move(*queued_work));
        return true;
    }
    on_all_devices ? finish_all() : finish_stream(stream);
    return false;
}

// The given call, for a stream that exists; or `work`, if the stream captures.
template <class MakeWork, class Call>
cudaError_t on_stream(cudaStream_t stream, MakeWork work, Call call, const char* name = __builtin_FUNCTION()) {
    return api(
        [&] {
            if (!is_stream(stream)) return cudaErrorInvalidResourceHandle;
            if (may_capture())
                if (const auto captured = capture(stream, work())) return *captured;
            cudaError_t error = cudaSuccess;
            if (streams_queue() && is_queued(stream, work(), call, &error)) return error;
            return do_work(stream, name, call);
        },
        name);
}

bool is_attribute(const cudaMemcpyAttributes& attributes) {
    return attributes.srcAccessOrder >= cudaMemcpySrcAccessOrderStream &&
           attributes.srcAccessOrder <= cudaMemcpySrcAccessOrderAny &&
           attributes.flags <= cudaMemcpyFlagPreferOverlapWithCompute;
}

// What the host finds in memory that it may read; null where it may not.
std::shared_ptr<void> read_by_host(const void* from, std::size_t bytes) {
    const HostAccess source(from, bytes);
    if (!source.is_whole() || source.space() == Space::device || readable_bytes(from, bytes) < bytes) return nullptr;
    return copy_of(from, bytes);
}

NodeWork work_of_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                      std::size_t height, cudaMemcpyKind kind) {
    cudaMemcpy3DParms p{};
    p.srcPtr = {const_cast<void*>(from), from_pitch, width, height};
    p.dstPtr = {to, to_pitch, width, height};
    p.extent = {width, height, 1};
    p.kind = kind;
    return CopyWork{p, false};
}

// Rows of bytes. Slices follow each other without a gap if each has as many rows as are filled.
NodeWork work_of_fill(void* to, std::size_t pitch, int value, std::size_t width, std::size_t rows) {
    return FillWork{{to, pitch, static_cast<unsigned char>(value), 1, width, rows}};
}

NodeWork work_of_boxes(const cudaPitchedPtr& to, int value, const cudaExtent& extent) {
    if (extent.depth > 1 && extent.height != to.ysize) return NoWork{};  // It has no such node.
    return work_of_fill(to.ptr, to.pitch, value, extent.width, extent.height * extent.depth);
}

// A copy on the default stream. From device memory to device memory the host does not wait for it.
template <class MakeWork, class Call>
cudaError_t copy_by_default(const void* to, const void* from, MakeWork work, Call call,
                            const char* name = __builtin_FUNCTION()) {
    const bool stays = space_at(to) == Space::device && space_at(from) == Space::device;
    return stays ? on_stream(nullptr, work, call, name) : on_default_stream(call, name);
}

// A fill on the default stream, which is refused while a blocking stream captures. For memory that is the host's, too,
// the call waits.
template <class MakeWork, class Call>
cudaError_t fill_by_default(const void* to, MakeWork work, Call call, const char* name = __builtin_FUNCTION()) {
    const cudaError_t error = on_stream(nullptr, work, call, name);
    if (error == cudaSuccess && to != nullptr && space_at(to) != Space::device) {
        finish_stream(nullptr);
        order_host_waited(nullptr);
    }
    return error;
}

// A copy by a symbol. The call without a stream waits.
template <class MakeWork, class Call>
cudaError_t copy_by_symbol(cudaStream_t stream, MakeWork work, Call call, const char* name) {
    if (device_count() > 1 && is_stream(stream))
        if (const auto refused = refuse_in_capture(stream, cudaErrorNotSupported)) {
            explain("not supported: %s() in a capture with several devices", name);
            return set_last_error(*refused);
        }
    if (stream == nullptr) {
        finish_default_stream();
        wait_for_device();
    }
    const cudaError_t error = on_stream(stream, work, call, name);
    if (stream == nullptr) {
        finish_default_stream();
        order_host_waited(nullptr);
    }
    return error;
}

// Whose memory the pointer is in that cudaMemcpyPeer() was given.
cudaError_t check_owner(const char* end, const void* pointer, int device) {
    if (const cudaError_t error = check_device(device)) return error;
    const std::optional<int> owner = device_of_memory(pointer);
    if (!owner || *owner == device || space_at(pointer) != Space::device) return cudaSuccess;
    note_reason(std::string("The ") + end + " is in the memory of device " + std::to_string(*owner) +
                ", and the call says that it is in that of device " + std::to_string(device) + ".");
    return cudaErrorInvalidValue;
}

// The devices' numbers are right, and the copy is like any other: an address says of which device it is.
cudaError_t copy_to_peer(void* to, int to_device, const void* from, int from_device, std::size_t bytes) {
    if (const cudaError_t error = check_owner("destination", to, to_device)) return error;
    if (const cudaError_t error = check_owner("source", from, from_device)) return error;
    return copy(to, from, bytes, cudaMemcpyDefault);
}

// Sets *at to `offset` bytes into the symbol, and checks that `bytes` from there on belong to it.
cudaError_t find(Symbol symbol, std::size_t bytes, std::size_t offset, char** at) {
    if (!is_variable(symbol.address)) {
        explain("a symbol must be a __device__, __constant__ or __managed__ variable");
        return cudaErrorInvalidSymbol;
    }
    *at = static_cast<char*>(const_cast<void*>(symbol.address)) + offset;
    if (symbol.bytes == 0) return cudaSuccess;  // copy() knows at least where all variables end.
    if (offset <= symbol.bytes && bytes <= symbol.bytes - offset) return cudaSuccess;
    note_bad_copy("cudaMemcpy", symbol.address,
                  "The variable has " + std::to_string(symbol.bytes) + " bytes, and the call names " +
                      std::to_string(bytes) + " from byte " + std::to_string(offset) + " on.");
    return cudaErrorInvalidValue;
}

}  // namespace

void add_variable(Symbol symbol) {
    add_variable(symbol.address, symbol.bytes);
}

cudaError_t copy_to_symbol(Symbol symbol, const void* from, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                           cudaStream_t stream) {
    return copy_by_symbol(
        stream,
        [&] { return copy_of_line(static_cast<char*>(const_cast<void*>(symbol.address)) + offset, from, bytes, kind); },
        [&] {
            char* at = nullptr;
            if (const cudaError_t error = find(symbol, bytes, offset, &at)) return error;
            if (!to_device(kind) && kind != cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
            return copy(at, from, bytes, kind);
        },
        stream == nullptr ? "cudaMemcpyToSymbol" : "cudaMemcpyToSymbolAsync");
}

cudaError_t copy_from_symbol(void* to, Symbol symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                             cudaStream_t stream) {
    return copy_by_symbol(
        stream, [&] { return copy_of_line(to, static_cast<const char*>(symbol.address) + offset, bytes, kind); },
        [&] {
            char* at = nullptr;
            if (const cudaError_t error = find(symbol, bytes, offset, &at)) return error;
            if (!from_device(kind) && kind != cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
            return copy(to, at, bytes, kind);
        },
        stream == nullptr ? "cudaMemcpyFromSymbol" : "cudaMemcpyFromSymbolAsync");
}

cudaError_t copy_named(void* to, bool names_to, const void* from, bool names_from, std::size_t bytes,
                       cudaMemcpyKind kind) {
    return on_default_stream(
        [&] {
            if (names_to && to_device(kind) && !may_name("destination", "cudaMemcpyToSymbol", to))
                return cudaErrorInvalidValue;
            if (names_from && from_device(kind) && !may_name("source", "cudaMemcpyFromSymbol", from))
                return cudaErrorInvalidValue;
            return copy(to, from, bytes, kind);
        },
        "cudaMemcpy");
}

const void* address_on_host(const volatile void* variable) {
    const auto* pointer = const_cast<const void*>(variable);
    bool whole = true;
    if (!is_variable(pointer) || space_of(pointer, 1, &whole) != Space::device) return pointer;
    return reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(variable) | taken_on_host);
}

cudaError_t run_copy(const cudaMemcpy3DParms& p, bool is_line, cudaStream_t stream) {
    return do_work(stream, "cudaGraphLaunch",
                   [&] { return is_line ? copy(p.dstPtr.ptr, p.srcPtr.ptr, p.extent.width, p.kind) : copy_3d(&p); });
}

cudaError_t run_fill(const cudaMemsetParams& p, cudaStream_t stream) {
    const Work work(stream, "cudaGraphLaunch");
    const Box box{p.width * p.elementSize, p.height, 1};
    // Larger elements are stored behind this; of bytes like 7 the checked build would say that a number was meant.
    const int byte = p.elementSize == 1 ? static_cast<int>(p.value & 0xff) : 0;
    const cudaError_t error =
        p.height == 1 ? fill(stream, p.dst, byte, box.width) : fill_2d(stream, p.dst, p.pitch, byte, box);
    if (error != cudaSuccess || p.elementSize == 1) return error;
    const HostAccess destination(p.dst, Layout{p.pitch, 0}.span(box));
    for (std::size_t y = 0; y < p.height; ++y)
        for (std::size_t x = 0; x < box.width; x += p.elementSize)
            std::memcpy(static_cast<char*>(p.dst) + y * p.pitch + x, &p.value, p.elementSize);
    return cudaSuccess;
}

cudaError_t symbol_address(void** pointer, Symbol symbol) {
    return api(
        [&] {
            if (pointer == nullptr) return cudaErrorInvalidValue;
            char* at = nullptr;
            if (const cudaError_t error = find(symbol, 0, 0, &at)) return error;
            bool whole = true;
            if (device_count() > 1 && space_of(at, 1, &whole) == Space::device) {
                explain(
                    "not supported: cudaGetSymbolAddress() with several devices, on which a variable would have "
                    "the same address");
                return cudaErrorNotSupported;
            }
            *pointer = at;
            return cudaSuccess;
        },
        "cudaGetSymbolAddress");
}

cudaError_t symbol_size(std::size_t* bytes, Symbol symbol) {
    return api(
        [&] {
            if (bytes == nullptr) return cudaErrorInvalidValue;
            char* at = nullptr;
            if (const cudaError_t error = find(symbol, 0, 0, &at)) return error;
            if (symbol.bytes == 0) {
                explain("not supported: cudaGetSymbolSize of an array that is declared without its size");
                return cudaErrorNotSupported;
            }
            *bytes = symbol.bytes;
            return cudaSuccess;
        },
        "cudaGetSymbolSize");
}

}  // namespace emulator

using namespace emulator;

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return copy_by_default(
        to, from, [&] { return copy_of_line(to, from, bytes, kind); }, [&] { return copy(to, from, bytes, kind); });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    return on_stream(
        stream, [&] { return copy_of_line(to, from, bytes, kind); }, [&] { return copy(to, from, bytes, kind); });
}

cudaError_t cudaMemcpyBatchAsync(void* const* to, const void* const* from, const std::size_t* sizes, std::size_t n,
                                 cudaMemcpyAttributes* attributes, std::size_t* firsts, std::size_t n_attributes,
                                 cudaStream_t stream) {
    const cudaError_t bad = api([&] {
        if (const cudaError_t error = check_batch(stream, n, firsts, n_attributes)) return error;
        if (to == nullptr || from == nullptr || sizes == nullptr || attributes == nullptr) return cudaErrorInvalidValue;
        return std::all_of(attributes, attributes + n_attributes, is_attribute) ? cudaSuccess : cudaErrorInvalidValue;
    });
    if (bad) return bad;
    for (std::size_t i = 0, k = 0; i < n; ++i) {
        if (k + 1 < n_attributes && firsts[k + 1] == i) ++k;
        const bool reads_now = attributes[k].srcAccessOrder == cudaMemcpySrcAccessOrderDuringApiCall;
        const std::shared_ptr<void> read = reads_now ? read_by_host(from[i], sizes[i]) : nullptr;
        const void* const source = read ? read.get() : from[i];
        const cudaError_t error = on_stream(
            stream, [&] { return copy_of_line(to[i], source, sizes[i], cudaMemcpyDefault); },
            [&] { return copy(to[i], source, sizes[i], cudaMemcpyDefault); });
        if (error) return error;
    }
    return cudaSuccess;
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, std::size_t bytes) {
    return on_default_stream([&] { return copy_to_peer(to, to_device, from, from_device, bytes); });
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                                cudaStream_t stream) {
    const auto work = [&] { return copy_of_line(to, from, bytes, cudaMemcpyDefault); };
    return on_stream(stream, work, [&] { return copy_to_peer(to, to_device, from, from_device, bytes); });
}

cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
    return fill_by_default(
        to, [&] { return work_of_fill(to, bytes, value, bytes, 1); }, [&] { return fill(nullptr, to, value, bytes); });
}

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
    return on_stream(
        stream, [&] { return work_of_fill(to, bytes, value, bytes, 1); },
        [&] { return fill(stream, to, value, bytes); });
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, cudaMemcpyKind kind) {
    const auto work = [&] { return work_of_rows(to, to_pitch, from, from_pitch, width, height, kind); };
    return copy_by_default(to, from, work, [&] {
        return copy_2d(to, to_pitch, from, from_pitch, {width, height, 1}, kind);
    });
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    const auto work = [&] { return work_of_rows(to, to_pitch, from, from_pitch, width, height, kind); };
    return on_stream(stream, work, [&] { return copy_2d(to, to_pitch, from, from_pitch, {width, height, 1}, kind); });
}

cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
    return fill_by_default(
        to, [&] { return work_of_fill(to, pitch, value, width, height); },
        [&] {
            return fill_2d(nullptr, to, pitch, value, {width, height, 1});
        });
}

cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                              cudaStream_t stream) {
    const auto work = [&] { return work_of_fill(to, pitch, value, width, height); };
    return on_stream(stream, work, [&] { return fill_2d(stream, to, pitch, value, {width, height, 1}); });
}

cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
    return fill_by_default(
        to.ptr, [&] { return work_of_boxes(to, value, extent); }, [&] { return fill_3d(nullptr, to, value, extent); });
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream) {
    if (may_capture() && extent.depth > 1 && extent.height != to.ysize && is_stream(stream))
        if (const auto refused = refuse_in_capture(stream, cudaErrorNotSupported)) {
            explain("not supported: cudaMemset3DAsync() of a part of each slice, in a capture");
            return set_last_error(*refused);
        }
    const auto work = [&] { return work_of_boxes(to, value, extent); };
    return on_stream(stream, work, [&] { return fill_3d(stream, to, value, extent); });
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
    return on_default_stream([&] { return copy_3d(parameters); });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
    const auto work = [&]() -> NodeWork {
        if (parameters == nullptr) return NoWork{};
        return CopyWork{*parameters, false};
    };
    return on_stream(stream, work, [&] { return copy_3d(parameters); });
}
