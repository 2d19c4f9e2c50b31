#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../access.h"
#include "../findings.h"
#include "../shadow_memory.h"
#include "stream_order.h"

// Which work of a program nothing orders, and what of it touches the same memory. Work is what a call gives to a
// stream: a kernel, a copy, a fill, a function. Here it has ended when the call returns; on a GPU it may come later,
// and beside the work of other streams and the host's.
//
// The streams and the host have clocks, as threads have in a launch:
//
//   a call that gives work      the stream knows what the host knows
//   the legacy default stream   knows what all streams of its device know that are not cudaStreamNonBlocking; they know
//                               what it knows
//   an event                    keeps what its stream knows; who waits for it knows that, too
//   synchronisation             the host knows what the stream, or all of them, have done
//   an atomic or volatile load  knows the work that has stored there, the same way: it may be a flag
//
// Of kernels, the shadow memory has the last accesses to each word, under numbers of blocks that no two launches share.
// Copies and fills keep the ranges that they touch. So each access is held against earlier kernels by its word, and
// against earlier copies by its range; a copy, against words and ranges. What other host threads do counts as the
// host's: where one has waited, all have. After a function that the host gave to a stream, it may know what that did.
namespace emulator {

struct Grid;
struct RunningGraph;

/// How many pieces of work of each stream are known, but for some of them.
class StreamClock {
  public:
    bool knows(std::size_t stream, std::uint64_t piece) const;
    void know(std::size_t stream, std::uint64_t pieces);
    void know_not(std::size_t stream, std::uint64_t piece);
    void join(const StreamClock& other);
    bool covers(const StreamClock& other) const;
    /// Those behind it in the stream may be unknown.
    std::uint64_t known_without_gaps(std::size_t stream) const;

  private:
    void raise(std::size_t stream, std::uint64_t pieces);
    std::uint64_t known(std::size_t stream) const { return stream < known_.size() ? known_[stream] : 0; }

    std::vector<std::uint64_t> known_;
    std::vector<std::pair<std::size_t, std::uint64_t>> gaps_;
};

class UnorderedWork {
  public:
    static UnorderedWork& instance();

    void stream_made(cudaStream_t stream, bool non_blocking, int device);
    void stream_destroyed(cudaStream_t stream);
    /// `programmatic`: it may begin before the kernel ahead of it in the stream has ended.
    void begins(cudaStream_t stream, const char* what, bool programmatic);
    void ends();
    /// See GraphBranches.
    void graph_begins(RunningGraph& graph, cudaStream_t stream);
    void graph_ends(RunningGraph& graph);
    void node_begins(RunningGraph& graph, const std::vector<const void*>& before);
    void node_ends(RunningGraph& graph, const void* node);

    void recorded(cudaEvent_t event, cudaStream_t stream);
    void event_destroyed(cudaEvent_t event);
    void stream_waits(cudaStream_t stream, cudaEvent_t event);
    void host_waited(cudaStream_t stream);
    void host_waited(cudaEvent_t event);
    bool host_knows(cudaEvent_t event);
    std::string unawaited_work();
    bool runs_beside_others();
    void host_waited_for_device(int device);
    void host_waited_for_all();

    void copies_between(std::optional<int> from, std::optional<int> to);

    /// The present work is a kernel, with blocks of these numbers on. The first number of a block that may run at the
    /// same time: the same if none may.
    std::uint64_t kernel_begins(const Grid& grid, std::uint64_t first_block);
    void kernel_ends(std::uint64_t behind_last_block);

    /// Whether the present kernel comes after the earlier one that the block is of.
    bool is_ordered(std::uint64_t block);
    /// A thread of the present kernel waits for the one ahead.
    void waits_for_primary(bool block_has_triggered);
    /// Whether the block is of a kernel that has ended once the one ahead has, beside which the present one may have
    /// begun.
    bool is_behind_wait(std::uint64_t block);
    /// The present kernel has read, atomically or through volatile, what that one has stored so.
    void acquires(Access stored);
    std::string how_to_order(std::uint64_t block) const;
    std::string in_present_stream() const;
    Participant participant(Access access, const std::string& what) const;
    std::string missing_order(std::uint64_t block) const;

    /// The number that the next launch's first block will have.
    std::uint64_t next_block() const { return next_block_; }

    /// Whether copies may run beside the present kernel, and an access held against them.
    bool copies_beside() const { return !beside_.empty(); }
    void access_beside_copies(std::uintptr_t address, std::size_t bytes, bool write, Access now, std::uintptr_t code);

    /// The present work copies from there, or copies or fills to there.
    void touches(std::uintptr_t address, std::size_t bytes, bool write);

    /// Whether there is work that the host has not waited for.
    bool any_unawaited() const { return unawaited_.load(std::memory_order_relaxed); }
    void host_touches(std::uintptr_t address, std::size_t bytes, bool write, AccessKind kind, std::uintptr_t code);

  private:
    struct Bytes {
        std::uintptr_t begin;
        std::size_t count;
    };
    // Rows of bytes that a copy or a fill touches.
    struct Range {
        std::uintptr_t begin;
        std::size_t width, pitch, rows;
        bool write;
        unsigned long allocation;  // its number; 0: none

        bool continued_by(std::uintptr_t address, std::size_t bytes, bool write) const;
        /// The first bytes in common; none: 0 of them.
        Bytes meets(std::uintptr_t address, std::size_t bytes) const;
        /// Whether the access may have to do with a flag that is copied. To add to a word is none of that; to take it
        /// may be, if the range is no longer than a flag.
        bool may_be_flag(Access access) const;
    };
    struct Piece {
        unsigned stream;
        std::uint64_t number;  // in its stream, from 1 on
        const char* call;      // of a copy
        std::uint64_t first_block, behind_last_block;
        bool running = true;
        bool is_kernel = false;
        // Of kernels with programmatic stream serialization: those ahead that may run when it begins, and, of them,
        // those that may do so when it has waited for the one ahead. The latest of them.
        std::vector<std::uint64_t> beside{}, beside_behind_wait{};
        bool waits = false;                 // some thread, for the kernel ahead
        bool waits_before_trigger = false;  // in some block, before it has let the next kernel begin
        std::string kernel{};
        dim3 grid{}, block{};
        ShadowMemory::Frames called_by{};  // of a copy
        std::vector<Range> ranges{};
    };
    struct Stream {
        int device = 0;
        bool non_blocking = false;
        ShadowMemory::Frames made_by{};
        bool is_of_thread = false;  // of another host thread than the first one that uses its own
        bool is_branch = false;     // of a graph
        bool is_used = false;       // by a graph that runs
        unsigned graph_in = 0;      // the stream of the graph
        StreamClock clock{};
        std::uint64_t pieces = 0;
        std::deque<Piece> unawaited{};  // by the host; the older ones are known to whatever comes
    };
    // A range of a copy that may run beside the present kernel, and the copy without its ranges.
    struct Beside {
        Range range;
        Piece copy;
    };

    UnorderedWork();
    unsigned index_of(cudaStream_t stream);
    unsigned of_this_thread();
    Stream& at_command(unsigned stream);
    template <class F>
    void for_each_stream_of(int device, const F& f);
    template <class F>
    void for_each_other_stream(const F& f);
    static void begins_beside(const Piece& primary, Piece& now);
    void forget_awaited();
    void host_knows(const StreamClock& clock);
    const Piece* piece_of(std::uint64_t block) const;
    bool are_nodes_of_a_graph(unsigned stream, unsigned other) const;
    unsigned branch_for(const StreamClock& clock, const RunningGraph& graph);
    static bool knows(const StreamClock& clock, const Piece& piece) { return clock.knows(piece.stream, piece.number); }
    static bool may_run_beside(const Piece& before, const Piece& now);
    const Piece* that_has_not_waited(const Piece& before, const Piece& now) const;
    std::uint64_t first_unknown_block(const StreamClock& clock) const;
    template <class F>
    void for_each_unknown(const StreamClock& clock, const F& f) const;
    void hold_against_ranges(const Range& range, const Piece& now);
    void hold_against_kernels(const Range& range, const Piece& now);

    std::string name_of(unsigned stream) const;
    std::string of_other_device(const Piece& piece) const;
    static std::string does(const Piece& piece, bool writes);
    Participant copy(const Piece& piece, const std::string& what) const;
    Participant kernel(const Piece& piece, Access access, const std::string& what) const;
    void report_two(const Piece& before, const Piece& now, Participant first, Participant second,
                    const std::string& kernel) const;
    std::string missing_order(const Piece& before, const Piece& now) const;
    std::string how_to_order(const Piece& before, const Piece& now) const;

    mutable std::mutex mutex_;
    // Of each device the legacy default stream and that of a thread; behind these, all others.
    std::deque<Stream> streams_;
    std::unordered_map<cudaStream_t, unsigned> indices_;
    std::map<std::pair<unsigned, int>, unsigned> of_threads_;  // cudaStreamPerThread, by host thread and device
    std::vector<unsigned> unused_;                             // indices of streams that were destroyed
    std::vector<unsigned> branches_;                           // indices of the branches of graphs
    std::unordered_map<cudaEvent_t, StreamClock> events_;
    StreamClock host_;
    std::atomic<bool> unawaited_ = false;
    std::atomic<std::uint64_t> next_block_ = 1;
    std::vector<Beside> beside_;
    std::uintptr_t beside_begin_ = 0, beside_end_ = 0;
};

}  // namespace emulator
