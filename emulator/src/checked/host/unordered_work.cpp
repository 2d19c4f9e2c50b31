#include "unordered_work.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <string_view>
#include <utility>

#include "../../engine/grid.h"
#include "../../engine/indices.h"
#include "../../memory/devices.h"
#include "../../memory/memory.h"
#include "../../reports/source_places.h"
#include "../../runtime_api/api.h"
#include "../address_checks.h"
#include "../checker.h"
#include "../launch.h"
#include "allocation_names.h"
#include "allocations.h"
#include "api_calls.h"
#include "emulator/device.h"
#include "emulator/error.h"
#include "emulator/observer.h"
#include "emulator/runtime_api.h"
#include "process_map.h"

namespace emulator {

struct RunningGraph {
    cudaStream_t stream = nullptr;
    unsigned trunk = 0, index = 0;  // of the graph's stream, and of that in which the present node counts
    StreamClock before;             // the graph
    std::unordered_map<const void*, StreamClock> behind{};  // each node
    std::vector<unsigned> branches{};
    RunningGraph* around = nullptr;  // a node of that graph runs this one
};

namespace {

// The graph that this OS thread runs.
thread_local RunningGraph* present_graph = nullptr;

thread_local bool answer_discarded = false;  // of the call that comes

// The default streams of a device. Those of all devices come first.
constexpr unsigned legacy_of(int device) {
    return 2 * static_cast<unsigned>(device);
}
constexpr unsigned of_thread_of(int device) {
    return legacy_of(device) + 1;
}
unsigned default_streams() {
    return legacy_of(std::max(1, device_count()));
}
bool is_legacy(unsigned index) {
    return index < default_streams() && index % 2 == 0;
}

constexpr std::size_t most_unawaited =
    1u << 16;                            // of a stream, that the host has not waited for; older ones are forgotten
constexpr std::size_t most_beside = 16;  // kernels beside which one is known to have begun
constexpr std::uintptr_t word_bytes = 4;

// Each device has variables of its own at the same addresses: they count as other allocations.
unsigned long allocation_number(std::uintptr_t address) {
    const auto* pointer = reinterpret_cast<const void*>(address);
    if (const ShadowMemory* shadow = shadow_of(pointer)) return shadow->number;
    bool whole = true;
    if (device_count() == 1 || !is_variable(pointer) || space_of(pointer, 1, &whole) == Space::managed) return 0;
    return ~static_cast<unsigned long>(device_of_variables());
}

// Of an allocation, or of the device's variables.
ShadowMemory* words_at(std::uintptr_t address) {
    const auto* pointer = reinterpret_cast<const void*>(address);
    return is_variable(pointer) ? shadow_of_variable(pointer) : shadow_of(pointer);
}

// What this OS thread does: a piece of work, which lives as long as it runs, and what it knows of others.
struct Present {
    void* piece = nullptr;
    StreamClock clock;
    bool host_waits = false;    // until it has ended
    std::vector<int> others{};  // of a copy in a legacy stream: other devices, on which it has its turn as well
    bool before_and_behind_all = false;  // and that not only beside their blocking streams
};
thread_local Present present;

std::string described(std::uintptr_t address, std::size_t bytes) {
    const std::string allocation = describe_allocation(address);
    if (!allocation.empty()) return bytes_of(bytes) + ", " + allocation;
    const NamedVariable* variable = variable_near(address);
    return bytes_of(bytes) + (variable == nullptr ? "" : std::string(" of ") + variable->name);
}

const char* const wait_is_missing =
    "cudaDeviceSynchronize(), cudaStreamSynchronize() or cudaEventSynchronize() waits for it.";

const char* const order_is_missing =
    "Give both to one stream; or record an event behind the first one, and have the second stream wait for it with "
    "cudaStreamWaitEvent().";

}  // namespace

bool StreamClock::knows(std::size_t stream, std::uint64_t piece) const {
    return piece <= known(stream) && std::ranges::find(gaps_, std::pair(stream, piece)) == gaps_.end();
}

void StreamClock::raise(std::size_t stream, std::uint64_t pieces) {
    if (known_.size() <= stream) known_.resize(stream + 1);
    known_[stream] = std::max(known_[stream], pieces);
}

void StreamClock::know(std::size_t stream, std::uint64_t pieces) {
    raise(stream, pieces);
    std::erase_if(gaps_, [&](const auto& gap) { return gap.first == stream && gap.second <= pieces; });
}

void StreamClock::know_not(std::size_t stream, std::uint64_t piece) {
    if (knows(stream, piece)) gaps_.emplace_back(stream, piece);
}

void StreamClock::join(const StreamClock& other) {
    std::erase_if(gaps_, [&](const auto& gap) { return other.knows(gap.first, gap.second); });
    for (const auto& gap : other.gaps_)
        if (known(gap.first) < gap.second) gaps_.push_back(gap);
    for (std::size_t i = 0; i < other.known_.size(); ++i) raise(i, other.known_[i]);
}

bool StreamClock::covers(const StreamClock& other) const {
    for (std::size_t i = 0; i < other.known_.size(); ++i)
        if (known(i) < other.known_[i]) return false;
    return true;
}

std::uint64_t StreamClock::known_without_gaps(std::size_t stream) const {
    std::uint64_t pieces = known(stream);
    for (const auto& [of, piece] : gaps_)
        if (of == stream) pieces = std::min(pieces, piece - 1);
    return pieces;
}

bool UnorderedWork::Range::continued_by(std::uintptr_t address, std::size_t bytes, bool writes) const {
    if (bytes != width || writes != write || address <= begin) return false;
    return rows == 1 ? address - begin >= width : address == begin + rows * pitch;
}

UnorderedWork::Bytes UnorderedWork::Range::meets(std::uintptr_t address, std::size_t bytes) const {
    const std::uintptr_t end = address + bytes;
    if (end <= begin || begin + (rows - 1) * pitch + width <= address) return {};
    const std::size_t row = address <= begin || rows == 1 ? 0 : std::min((address - begin) / pitch, rows - 1);
    for (std::size_t r = row; r < std::min(row + 2, rows); ++r) {
        const std::uintptr_t first = begin + r * pitch;
        const std::uintptr_t common = std::max(first, address), behind = std::min(first + width, end);
        if (common < behind) return {common, behind - common};
    }
    return {};
}

bool UnorderedWork::Range::may_be_flag(Access access) const {
    constexpr std::size_t longest = sizeof(std::uint64_t);
    if (kind_of(access) == AccessKind::plain) return false;
    return change_of(access) == AtomicChange::none ||
           (change_of(access) == AtomicChange::exchanges && rows * width <= longest);
}

UnorderedWork::UnorderedWork() : streams_(default_streams()) {
    for (unsigned index = 0; index < streams_.size(); ++index) streams_[index].device = static_cast<int>(index / 2);
}

UnorderedWork& UnorderedWork::instance() {
    static auto& work = *new UnorderedWork;
    return work;
}

// ------------------------------------------------------------------------------------------------------- streams

void UnorderedWork::stream_made(cudaStream_t stream, bool non_blocking, int device) {
    const ShadowMemory::Frames made_by = callers();
    const std::lock_guard lock(mutex_);
    const auto unused =
        std::find_if(unused_.begin(), unused_.end(), [&](unsigned index) { return streams_[index].unawaited.empty(); });
    if (unused == unused_.end()) {
        indices_[stream] = static_cast<unsigned>(streams_.size());
        streams_.emplace_back();
    } else {
        indices_[stream] = *unused;
        unused_.erase(unused);
    }
    Stream& made = streams_[indices_[stream]];
    made.device = device;
    made.non_blocking = non_blocking;
    made.made_by = made_by;
}

void UnorderedWork::stream_destroyed(cudaStream_t stream) {
    const std::lock_guard lock(mutex_);
    if (const auto found = indices_.find(stream); found != indices_.end()) {
        unused_.push_back(found->second);
        indices_.erase(found);
    }
}

unsigned UnorderedWork::index_of(cudaStream_t stream) {
    if (present_graph != nullptr && stream == present_graph->stream) return present_graph->index;
    if (stream_meant(stream) == cudaStreamPerThread) return of_this_thread();
    const auto found = indices_.find(stream);
    return found == indices_.end() ? legacy_of(current_device()) : found->second;
}

// Each host thread has a cudaStreamPerThread of its own, on each device.
unsigned UnorderedWork::of_this_thread() {
    const int device = current_device();
    const auto inserted = of_threads_.try_emplace({host_thread(), device}, of_thread_of(device));
    const auto found = inserted.first;
    const auto is_taken = [&](const auto& each) { return each.first != found->first && each.second == found->second; };
    if (inserted.second && std::any_of(of_threads_.begin(), of_threads_.end(), is_taken)) {
        found->second = static_cast<unsigned>(streams_.size());
        streams_.emplace_back().device = device;
        streams_.back().is_of_thread = true;
    }
    return found->second;
}

// The stream as a call finds it that gives it something.
UnorderedWork::Stream& UnorderedWork::at_command(unsigned index) {
    Stream& stream = streams_[index];
    stream.clock.join(host_);
    if (is_legacy(index)) {
        for_each_stream_of(stream.device, [&](const Stream& each) {
            if (!each.non_blocking) stream.clock.join(each.clock);
        });
    } else if (!stream.non_blocking) {
        stream.clock.join(streams_[legacy_of(stream.device)].clock);
    }
    return stream;
}

template <class F>
void UnorderedWork::for_each_stream_of(int device, const F& f) {
    for (Stream& each : streams_)
        if (each.device == device) f(each);
}

// "A copy (in the implicit NULL stream) between the memories of two different devices does not start until all commands
// previously issued to either device have completed and runs to completion before any commands issued after the copy to
// either device can start" (CUDA Programming Guide). A copy between the host and a device that is not the current one
// counts as one in the default stream of that device.
void UnorderedWork::copies_between(std::optional<int> from, std::optional<int> to) {
    const std::lock_guard lock(mutex_);
    if (present.piece == nullptr) return;
    const unsigned index = static_cast<const Piece*>(present.piece)->stream;
    if (!is_legacy(index)) return;
    present.before_and_behind_all = from && to && from != to;
    for (const std::optional<int> device : {from, to})
        if (device && (present.before_and_behind_all || device != streams_[index].device))
            present.others.push_back(*device);
    for_each_other_stream([](const Stream& other) { present.clock.join(other.clock); });
}

template <class F>
void UnorderedWork::for_each_other_stream(const F& f) {
    for (const int device : present.others)
        for_each_stream_of(device, [&](Stream& stream) {
            if (present.before_and_behind_all || !stream.non_blocking) f(stream);
        });
}

void UnorderedWork::begins(cudaStream_t stream, const char* call, bool programmatic) {
    const std::lock_guard lock(mutex_);
    const unsigned index = index_of(stream);
    Stream& s = at_command(index);
    const bool has_primary =
        programmatic && !s.unawaited.empty() && s.unawaited.back().is_kernel && s.unawaited.back().number == s.pieces;
    s.clock.know(index, ++s.pieces);
    s.unawaited.push_back({.stream = index,
                           .number = s.pieces,
                           .call = call,
                           .first_block = next_block_,
                           .behind_last_block = next_block_});
    if (s.unawaited.size() > most_unawaited) s.unawaited.pop_front();
    present = {&s.unawaited.back(), s.clock, false, {}, false};
    if (has_primary) begins_beside(*std::prev(s.unawaited.end(), 2), s.unawaited.back());
    unawaited_ = true;
}

// It may begin when the kernel ahead, the primary, lets it: in each block of that one some thread has triggered, or all
// have ended. The end of the primary says of the kernels ahead of it only what the primary itself has waited for.
void UnorderedWork::begins_beside(const Piece& primary, Piece& now) {
    now.beside = primary.waits_before_trigger ? primary.beside_behind_wait : primary.beside;
    now.beside.push_back(primary.number);
    if (now.beside.size() > most_beside) now.beside.erase(now.beside.begin());
    now.beside_behind_wait = primary.waits ? primary.beside_behind_wait : primary.beside;
    for (const std::uint64_t number : now.beside) present.clock.know_not(now.stream, number);
}

void UnorderedWork::ends() {
    const std::lock_guard lock(mutex_);
    if (present.piece == nullptr) return;
    auto& piece = *static_cast<Piece*>(present.piece);
    piece.running = false;
    Stream& stream = streams_[piece.stream];
    stream.clock.join(present.clock);  // what the kernel has come to know
    for_each_other_stream([](Stream& other) { other.clock.join(present.clock); });
    if (present.host_waits) host_.join(present.clock);
    present = {};
    forget_awaited();
}

void UnorderedWork::graph_begins(RunningGraph& graph, cudaStream_t stream) {
    const std::lock_guard lock(mutex_);
    graph.stream = stream;
    graph.trunk = graph.index = index_of(stream);
    graph.before = at_command(graph.trunk).clock;
    graph.around = std::exchange(present_graph, &graph);
}

void UnorderedWork::graph_ends(RunningGraph& graph) {
    const std::lock_guard lock(mutex_);
    StreamClock& clock = streams_[graph.trunk].clock;
    clock.join(graph.before);
    for (const auto& [node, behind] : graph.behind) clock.join(behind);
    for (const unsigned branch : graph.branches) streams_[branch].is_used = false;
    present_graph = graph.around;
}

void UnorderedWork::node_begins(RunningGraph& graph, const std::vector<const void*>& before) {
    const std::lock_guard lock(mutex_);
    StreamClock clock = graph.before;
    for (const void* each : before) clock.join(graph.behind[each]);
    graph.index = branch_for(clock, graph);
    if (graph.index != graph.trunk && !streams_[graph.index].is_used) {
        streams_[graph.index].is_used = true;
        graph.branches.push_back(graph.index);
    }
    streams_[graph.index].clock = clock;
}

void UnorderedWork::node_ends(RunningGraph& graph, const void* node) {
    const std::lock_guard lock(mutex_);
    graph.behind[node] = streams_[graph.index].clock;
    graph.index = graph.trunk;
}

// One of which all that it has done comes before the node: the graph's stream, or a branch that no other graph uses.
unsigned UnorderedWork::branch_for(const StreamClock& clock, const RunningGraph& graph) {
    const auto is_known = [&](unsigned index) { return streams_[index].pieces <= clock.known_without_gaps(index); };
    if (is_known(graph.trunk)) return graph.trunk;
    const int device = streams_[graph.trunk].device;
    for (const unsigned index : branches_) {
        Stream& branch = streams_[index];
        const bool is_own = std::ranges::find(graph.branches, index) != graph.branches.end();
        if (branch.device != device || (branch.is_used && !is_own) || !is_known(index)) continue;
        branch.graph_in = graph.trunk;
        return index;
    }
    branches_.push_back(static_cast<unsigned>(streams_.size()));
    Stream& made = streams_.emplace_back();
    made.device = device;
    made.non_blocking = made.is_branch = true;
    made.graph_in = graph.trunk;
    return branches_.back();
}

bool UnorderedWork::are_nodes_of_a_graph(unsigned stream, unsigned other) const {
    const auto trunk = [&](unsigned index) { return streams_[index].is_branch ? streams_[index].graph_in : index; };
    return (streams_[stream].is_branch || streams_[other].is_branch) && trunk(stream) == trunk(other);
}

void UnorderedWork::event_destroyed(cudaEvent_t event) {
    const std::lock_guard lock(mutex_);
    events_.erase(event);
}

void UnorderedWork::recorded(cudaEvent_t event, cudaStream_t stream) {
    const std::lock_guard lock(mutex_);
    events_[event] = at_command(index_of(stream)).clock;
}

void UnorderedWork::stream_waits(cudaStream_t stream, cudaEvent_t event) {
    const std::lock_guard lock(mutex_);
    at_command(index_of(stream)).clock.join(events_[event]);
}

void UnorderedWork::host_waited(cudaStream_t stream) {
    const std::lock_guard lock(mutex_);
    host_knows(at_command(index_of(stream)).clock);
}

void UnorderedWork::host_waited(cudaEvent_t event) {
    const std::lock_guard lock(mutex_);
    host_knows(events_[event]);
}

bool UnorderedWork::host_knows(cudaEvent_t event) {
    const std::lock_guard lock(mutex_);
    return host_.covers(events_[event]);
}

void UnorderedWork::host_waited_for_device(int device) {
    const std::lock_guard lock(mutex_);
    for_each_stream_of(device, [this](const Stream& each) { host_.join(each.clock); });
    forget_awaited();
}

void UnorderedWork::host_waited_for_all() {
    const std::lock_guard lock(mutex_);
    for (const Stream& each : streams_) host_.join(each.clock);
    forget_awaited();
}

void UnorderedWork::host_knows(const StreamClock& clock) {
    host_.join(clock);
    forget_awaited();
}

void UnorderedWork::forget_awaited() {
    bool any = false;
    for (Stream& each : streams_) {
        while (!each.unawaited.empty() && !each.unawaited.front().running && knows(host_, each.unawaited.front()))
            each.unawaited.pop_front();
        any = any || !each.unawaited.empty();
    }
    unawaited_ = any;
}

// ------------------------------------------------------------------------------------------------------- kernels

template <class F>
void UnorderedWork::for_each_unknown(const StreamClock& clock, const F& f) const {
    for (std::size_t i = 0; i < streams_.size(); ++i) {
        const auto& pieces = streams_[i].unawaited;
        const std::uint64_t known = clock.known_without_gaps(i);
        const auto first = std::partition_point(pieces.begin(), pieces.end(),
                                                [&](const Piece& piece) { return piece.number <= known; });
        for (auto it = first; it != pieces.end(); ++it)
            if (!knows(clock, *it) && !f(*it)) break;
    }
}

std::string UnorderedWork::unawaited_work() {
    const std::lock_guard lock(mutex_);
    std::string what;
    for_each_unknown(at_command(legacy_of(current_device())).clock, [&](const Piece& piece) {
        what = piece.is_kernel ? "kernel " + piece.kernel : "a copy or a fill";
        return true;
    });
    return what;
}

bool UnorderedWork::runs_beside_others() {
    const std::lock_guard lock(mutex_);
    if (present.piece == nullptr || is_legacy(static_cast<const Piece*>(present.piece)->stream)) return false;
    bool any = false;
    for_each_unknown(present.clock, [&](const Piece& piece) {
        any = any || !is_legacy(piece.stream);
        return true;
    });
    return any;
}

std::uint64_t UnorderedWork::first_unknown_block(const StreamClock& clock) const {
    std::uint64_t first = next_block_;
    for_each_unknown(clock, [&](const Piece& piece) {
        first = std::min(first, piece.first_block);
        return false;
    });
    return first;
}

std::uint64_t UnorderedWork::kernel_begins(const Grid& grid, std::uint64_t first_block) {
    const std::lock_guard lock(mutex_);
    next_block_ = first_block;
    if (present.piece == nullptr) return first_block;
    auto& piece = *static_cast<Piece*>(present.piece);
    piece.is_kernel = true;
    piece.kernel = grid.kernel;
    piece.grid = grid.grid;
    piece.block = grid.block;
    piece.first_block = first_block;
    piece.behind_last_block = first_block + grid.blocks;
    beside_.clear();
    beside_begin_ = ~std::uintptr_t{0};
    beside_end_ = 0;
    for_each_unknown(present.clock, [&](const Piece& other) {
        for (const Range& range : other.ranges) {
            beside_.push_back({range,
                               {.stream = other.stream,
                                .number = other.number,
                                .call = other.call,
                                .first_block = other.first_block,
                                .behind_last_block = other.behind_last_block,
                                .called_by = other.called_by}});
            beside_begin_ = std::min(beside_begin_, range.begin);
            beside_end_ = std::max(beside_end_, range.begin + (range.rows - 1) * range.pitch + range.width);
        }
        return true;
    });
    return first_unknown_block(present.clock);
}

void UnorderedWork::kernel_ends(std::uint64_t behind_last_block) {
    const std::lock_guard lock(mutex_);
    next_block_ = behind_last_block;
    beside_.clear();
    if (present.piece == nullptr) return;
    auto& piece = *static_cast<Piece*>(present.piece);
    piece.behind_last_block = behind_last_block;  // with the numbers that the grid's barriers have brought
}

const UnorderedWork::Piece* UnorderedWork::piece_of(std::uint64_t block) const {
    for (const Stream& each : streams_) {
        const auto after = std::partition_point(each.unawaited.begin(), each.unawaited.end(),
                                                [&](const Piece& piece) { return piece.first_block <= block; });
        if (after == each.unawaited.begin()) continue;
        const Piece& piece = *std::prev(after);
        if (piece.first_block <= block && block < piece.behind_last_block) return &piece;
    }
    return nullptr;
}

bool UnorderedWork::is_ordered(std::uint64_t block) {
    const std::lock_guard lock(mutex_);
    const Piece* piece = piece_of(block);
    return piece == nullptr || knows(present.clock, *piece);
}

void UnorderedWork::waits_for_primary(bool block_has_triggered) {
    const std::lock_guard lock(mutex_);
    if (present.piece == nullptr) return;
    auto& piece = *static_cast<Piece*>(present.piece);
    piece.waits = true;
    piece.waits_before_trigger |= !block_has_triggered;
}

bool UnorderedWork::is_behind_wait(std::uint64_t block) {
    const std::lock_guard lock(mutex_);
    const Piece* before = piece_of(block);
    if (before == nullptr || present.piece == nullptr) return false;
    const auto& now = *static_cast<const Piece*>(present.piece);
    return may_run_beside(*before, now) && that_has_not_waited(*before, now) == nullptr;
}

bool UnorderedWork::may_run_beside(const Piece& before, const Piece& now) {
    return before.stream == now.stream && std::ranges::find(now.beside, before.number) != now.beside.end();
}

// The kernel between the two whose end, which the second one waits for, says nothing of the first one's.
const UnorderedWork::Piece* UnorderedWork::that_has_not_waited(const Piece& before, const Piece& now) const {
    if (before.stream != now.stream ||
        std::ranges::find(now.beside_behind_wait, before.number) == now.beside_behind_wait.end())
        return nullptr;
    const auto& pieces = streams_[now.stream].unawaited;
    const auto found =
        std::ranges::find_if(pieces, [&](const Piece& each) { return each.number > before.number && !each.waits; });
    return found == pieces.end() ? nullptr : &*found;
}

std::string UnorderedWork::how_to_order(std::uint64_t block) const {
    const std::lock_guard lock(mutex_);
    const Piece* piece = piece_of(block);
    const auto* now = static_cast<const Piece*>(present.piece);
    return piece == nullptr || now == nullptr ? order_is_missing : how_to_order(*piece, *now);
}

std::string UnorderedWork::how_to_order(const Piece& before, const Piece& now) const {
    if (const Piece* between = that_has_not_waited(before, now))
        return "Call cudaGridDependencySynchronize() in kernel " + between->kernel + ", too.";
    if (may_run_beside(before, now))
        return "Call cudaGridDependencySynchronize() before what the kernel ahead has written is read, "
               "and before what it reads is overwritten.";
    if (are_nodes_of_a_graph(before.stream, now.stream))
        return "Let the second one depend on the first one: by cudaGraphAddDependencies(), or, while streams capture, "
               "by an event that is recorded behind the first one and that the second stream waits for.";
    const std::string failed = failed_record();
    return failed.empty() ? order_is_missing : failed;
}

void UnorderedWork::acquires(Access stored) {
    const std::lock_guard lock(mutex_);
    if (const Piece* piece = piece_of(stored.block)) present.clock.know(piece->stream, piece->number);
}

void UnorderedWork::access_beside_copies(std::uintptr_t address, std::size_t bytes, bool write, Access access,
                                         std::uintptr_t code) {
    if (address + bytes <= beside_begin_ || beside_end_ <= address) return;
    const std::lock_guard lock(mutex_);
    for (const Beside& each : beside_) {
        const auto [at, n] = each.range.meets(address, bytes);
        if (n == 0 || (!write && !each.range.write) || allocation_number(at) != each.range.allocation) continue;
        if (each.range.may_be_flag(access)) {
            present.clock.know(each.copy.stream, each.copy.number);
            continue;
        }
        if (knows(present.clock, each.copy)) continue;
        const auto& now = *static_cast<const Piece*>(present.piece);
        const CheckedLaunch& launch = Checker::instance().launch();
        report_two(each.copy, now, copy(each.copy, does(each.copy, each.range.write) + " " + described(at, n)),
                   {launch.who() + " in " + name_of(now.stream), write ? "writes it" : "reads it", code - 1, at, n},
                   launch.kernel());
    }
}

// -------------------------------------------------------------------------------------------------------- copies

void UnorderedWork::touches(std::uintptr_t address, std::size_t bytes, bool write) {
    const std::lock_guard lock(mutex_);
    if (present.piece == nullptr || bytes == 0) return;
    const auto* pointer = reinterpret_cast<const void*>(address);
    bool whole = true;
    const Space space = space_of(pointer, 1, &whole);
    if (space == Space::host) {  // Such memory is read, or written, when the call returns.
        present.host_waits = present.host_waits || write;
        return;
    }
    auto& piece = *static_cast<Piece*>(present.piece);
    const auto continued = std::find_if(piece.ranges.rbegin(), piece.ranges.rend(),
                                        [&](const Range& range) { return range.continued_by(address, bytes, write); });
    if (continued != piece.ranges.rend()) {
        if (continued->rows++ == 1) continued->pitch = address - continued->begin;
    } else {
        piece.ranges.push_back({address, bytes, bytes, 1, write, allocation_number(address)});
    }
    if (piece.called_by[0] == 0) piece.called_by = callers();
    const Range row{address, bytes, bytes, 1, write, allocation_number(address)};
    hold_against_ranges(row, piece);
    hold_against_kernels(row, piece);
}

void UnorderedWork::hold_against_ranges(const Range& range, const Piece& now) {
    for_each_unknown(present.clock, [&](const Piece& before) {
        for (const Range& each : before.ranges) {
            const auto [at, n] = each.meets(range.begin, range.width);
            if (n == 0 || (!range.write && !each.write) || each.allocation != range.allocation) continue;
            report_two(before, now, copy(before, does(before, each.write) + " " + described(at, n)),
                       copy(now, does(now, range.write) + " it"), "");
            return false;
        }
        return true;
    });
}

void UnorderedWork::hold_against_kernels(const Range& range, const Piece& now) {
    const std::uint64_t first = first_unknown_block(present.clock);
    if (first == next_block_) return;
    ShadowMemory* shadow = words_at(range.begin);
    if (shadow == nullptr || !shadow->contains(range.begin, range.width)) return;
    bool found = false;
    shadow->for_each_word(range.begin, range.width, [&](std::size_t word, unsigned mask) {
        const auto hold = [&](Access access, bool write) {
            if (found || access.block < std::max(first, shadow->first_block) || (access.bytes & mask) == 0) return;
            const Piece* before = piece_of(access.block);
            if (before == nullptr || knows(present.clock, *before)) return;
            if (range.may_be_flag(access)) return;
            found = true;
            const std::uintptr_t at = shadow->begin() + word_bytes * word;
            report_two(*before, now, kernel(*before, access, (write ? "wrote " : "read ") + described(at, word_bytes)),
                       copy(now, does(now, range.write) + " it"), "");
        };
        hold(shadow->last_write(word), true);
        hold(shadow->other_write(word), true);
        if (!range.write) return;
        hold(shadow->last_read(word), false);
        hold(shadow->other_read(word), false);
    });
}

// ------------------------------------------------------------------------------------------------------ the host

void UnorderedWork::host_touches(std::uintptr_t address, std::size_t bytes, bool write, AccessKind kind,
                                 std::uintptr_t code) {
    if (present.piece != nullptr && !in_host_function()) return;  // A copy is at work: see touches().
    const std::lock_guard lock(mutex_);
    const StreamClock& clock = present.piece == nullptr ? host_ : present.clock;
    const Piece* flagged = nullptr;
    const auto did = [&] { return std::string(write ? "writes it" : "reads it"); };
    const auto tell = [&](const Piece& before, Participant first, std::uintptr_t at, std::size_t n) {
        if (!is_new(Kind::unordered, first.code, code)) return;
        const std::string what = before.is_kernel ? "the kernel" : "the copy";
        report(
            {Kind::unordered,
             "",
             {std::move(first), {"host code", did(), code - 1, at, n}},
             "Nobody has waited for " + what + ", which on a GPU may not have begun by now." + of_other_device(before),
             wait_is_missing});
    };
    ShadowMemory* shadow = words_at(address);
    if (shadow != nullptr && shadow->contains(address, bytes)) {
        bool found = false;
        shadow->for_each_word(address, bytes, [&](std::size_t word, unsigned mask) {
            const auto hold = [&](Access access, bool writes) {
                if (found || access.block < shadow->first_block || (access.bytes & mask) == 0) return;
                const Piece* before = piece_of(access.block);
                if (before == nullptr || knows(clock, *before)) return;
                if (kind != AccessKind::plain) {
                    if (writes) flagged = before;
                    return;
                }
                found = true;
                const auto n = static_cast<std::size_t>(std::popcount(static_cast<unsigned>(access.bytes & mask)));
                const std::uintptr_t at =
                    shadow->begin() + word_bytes * word + static_cast<unsigned>(std::countr_zero(access.bytes & mask));
                tell(*before, kernel(*before, access, (writes ? "wrote " : "read ") + described(at, n)), at, n);
            };
            hold(shadow->last_write(word), true);
            hold(shadow->other_write(word), true);
            if (!write) return;
            hold(shadow->last_read(word), false);
            hold(shadow->other_read(word), false);
        });
    }
    for_each_unknown(clock, [&](const Piece& before) {
        for (const Range& each : before.ranges) {
            const auto [at, n] = each.meets(address, bytes);
            if (n == 0 || (!write && !each.write) || each.allocation != allocation_number(at)) continue;
            if (kind != AccessKind::plain)
                flagged = &before;
            else
                tell(before, copy(before, does(before, each.write) + " " + described(at, n)), at, n);
        }
        return true;
    });
    if (flagged == nullptr) return;
    if (present.piece != nullptr) return present.clock.know(flagged->stream, flagged->number);
    StreamClock all = host_;
    all.know(flagged->stream, flagged->number);
    host_knows(all);
}

// --------------------------------------------------------------------------------------------------- in a report

std::string UnorderedWork::name_of(unsigned index) const {
    const std::string device = device_name(streams_[index].device), its = device.empty() ? "" : " of " + device;
    if (is_legacy(index)) return "the default stream" + its;
    if (index < default_streams()) return "cudaStreamPerThread" + its;
    if (streams_[index].is_of_thread) return "cudaStreamPerThread of another host thread" + its;
    if (streams_[index].is_branch) return "a branch of the graph in " + name_of(streams_[index].graph_in);
    const SourcePlace place = source_place(asked_at(streams_[index].made_by));
    return "stream " + std::to_string(index - default_streams() + 1) + its +
           (place.path.empty() ? "" : " (made at " + place.name() + ")");
}

// cudaDeviceSynchronize() may have been called, for the wrong device.
std::string UnorderedWork::of_other_device(const Piece& piece) const {
    const int device = streams_[piece.stream].device;
    if (device == current_device()) return "";
    return " It is work of " + device_name(device) + ", and cudaDeviceSynchronize() waits for the current device only.";
}

std::string UnorderedWork::does(const Piece& piece, bool writes) {
    const std::string_view call = piece.call;
    return call == "cudaFreeAsync" ? "frees" : call == "cudaMallocAsync" ? "allocates" : writes ? "writes" : "reads";
}

Participant UnorderedWork::copy(const Piece& piece, const std::string& what) const {
    return {std::string(piece.call) + "() in " + name_of(piece.stream), what, asked_at(piece.called_by)};
}

Participant UnorderedWork::kernel(const Piece& piece, Access access, const std::string& what) const {
    const std::uint64_t threads_block =
        (access.block - piece.first_block) % (std::uint64_t{piece.grid.x} * piece.grid.y * piece.grid.z);
    return {CheckedLaunch::who(index_in(access.thread, piece.block), index_in(threads_block, piece.grid)) +
                " of kernel " + piece.kernel + " in " + name_of(piece.stream),
            what, whole_code_address(access.code) - 1};
}

std::string UnorderedWork::in_present_stream() const {
    const std::lock_guard lock(mutex_);
    const auto* now = static_cast<const Piece*>(present.piece);
    return now == nullptr ? "" : " in " + name_of(now->stream);
}

Participant UnorderedWork::participant(Access access, const std::string& what) const {
    const std::lock_guard lock(mutex_);
    const Piece* piece = piece_of(access.block);
    return piece == nullptr ? Participant{"an earlier kernel", what, whole_code_address(access.code) - 1}
                            : kernel(*piece, access, what);
}

std::string UnorderedWork::missing_order(std::uint64_t block) const {
    const std::lock_guard lock(mutex_);
    const Piece* piece = piece_of(block);
    const auto* now = static_cast<const Piece*>(present.piece);
    return piece == nullptr || now == nullptr ? "" : missing_order(*piece, *now);
}

std::string UnorderedWork::missing_order(const Piece& before, const Piece& now) const {
    if (const Piece* between = that_has_not_waited(before, now))
        return "Kernel " + between->kernel +
               ", between the two, was launched with programmatic stream serialization and has not waited for the "
               "first "
               "one. It may end before that one has, so to wait for " +
               between->kernel + " is not enough.";
    if (may_run_beside(before, now))
        return "The second kernel was launched with programmatic stream serialization: it may begin before the first "
               "one "
               "has ended, and its thread has not waited for that.";
    if (are_nodes_of_a_graph(before.stream, now.stream))
        return "Nothing orders the two: they are nodes of a graph, and the second one does not depend on the first "
               "one.";
    if (streams_[before.stream].device != streams_[now.stream].device)
        return "Nothing orders the two: they are on two devices, which do not wait for each other.";
    const bool with_default = is_legacy(before.stream) || is_legacy(now.stream);
    return std::string(
               "Nothing orders the two: they are in two streams, and on a GPU may run at the same time, or "
               "the other way round.") +
           (with_default
                ? " A stream made with cudaStreamNonBlocking and the default stream do not wait for each other."
                : "");
}

void UnorderedWork::report_two(const Piece& before, const Piece& now, Participant first, Participant second,
                               const std::string& kernel) const {
    // Whatever else uses the memory before it is there is the same mistake.
    const bool of_allocation = does(before, true) == "allocates";
    if (!is_new(Kind::unordered, first.code, of_allocation ? 0 : second.code)) return;
    report({Kind::unordered,
            kernel,
            {std::move(first), std::move(second)},
            missing_order(before, now),
            how_to_order(before, now)});
}

// ------------------------------------------------------------------------------------- what the runtime API tells

Work::Work(cudaStream_t stream, const char* call, bool programmatic) {
    UnorderedWork::instance().begins(stream, call, programmatic);
}
Work::~Work() {
    UnorderedWork::instance().ends();
}
GraphBranches::GraphBranches(cudaStream_t stream) : graph_(std::make_unique<RunningGraph>()) {
    UnorderedWork::instance().graph_begins(*graph_, stream);
}
GraphBranches::~GraphBranches() {
    UnorderedWork::instance().graph_ends(*graph_);
}
void GraphBranches::begins(const std::vector<const void*>& before) {
    UnorderedWork::instance().node_begins(*graph_, before);
}
void GraphBranches::ends(const void* node) {
    UnorderedWork::instance().node_ends(*graph_, node);
}
void order_stream_made(cudaStream_t stream, bool non_blocking, int device) {
    UnorderedWork::instance().stream_made(stream, non_blocking, device);
}
void order_stream_destroyed(cudaStream_t stream) {
    UnorderedWork::instance().stream_destroyed(stream);
}
void order_recorded(cudaEvent_t event, cudaStream_t stream) {
    UnorderedWork::instance().recorded(event, stream);
}
void order_event_destroyed(cudaEvent_t event) {
    UnorderedWork::instance().event_destroyed(event);
}
void order_stream_waits(cudaStream_t stream, cudaEvent_t event) {
    UnorderedWork::instance().stream_waits(stream, event);
}
void order_host_waited(cudaStream_t stream) {
    UnorderedWork::instance().host_waited(stream);
}
void order_host_waited_for(cudaEvent_t event) {
    UnorderedWork::instance().host_waited(event);
}
bool order_host_knows(cudaEvent_t event) {
    return UnorderedWork::instance().host_knows(event);
}
void answer_is_discarded() {
    answer_discarded = true;
}
bool order_takes_discarded() {
    return std::exchange(answer_discarded, false);
}
void order_host_waited_for_device(int device) {
    UnorderedWork::instance().host_waited_for_device(device);
}
void order_touched(const void* pointer, std::size_t bytes) {
    UnorderedWork::instance().touches(reinterpret_cast<std::uintptr_t>(pointer), bytes, true);
}
void order_copy_between(std::optional<int> from, std::optional<int> to) {
    UnorderedWork::instance().copies_between(from, to);
}
void order_host_waited_for_all() {
    UnorderedWork::instance().host_waited_for_all();
}
std::string unawaited_work() {
    return UnorderedWork::instance().unawaited_work();
}
bool runs_beside_others() {
    return UnorderedWork::instance().runs_beside_others();
}

}  // namespace emulator
