#include "copies_to_host.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "../../reports/source_places.h"
#include "../findings.h"
#include "allocation_names.h"
#include "allocations.h"
#include "api_calls.h"

extern "C" const char __executable_start, etext;  // by the linker

namespace emulator {

std::uintptr_t unwritten_begin;
std::size_t unwritten_bytes;

namespace {

struct Copy {
    std::uintptr_t from;
    std::size_t bytes, unwritten = 0, first = 0;  // from the first unwritten one on
    ShadowMemory::Frames called_by;
};

struct Piece {
    std::uintptr_t end;
    std::shared_ptr<const Copy> copy;
};

struct Unwritten {
    std::mutex mutex;
    std::map<std::uintptr_t, Piece> pieces;  // by their first bytes
    std::set<ShadowMemory::Frames> told;
    std::set<std::uintptr_t> functions;  // whose addresses came from the device

    /// From now on the bytes are others.
    void forget(std::uintptr_t begin, std::uintptr_t end) {
        auto it = pieces.upper_bound(begin);
        if (it != pieces.begin()) --it;
        while (it != pieces.end() && it->first < end) {
            const auto [first, piece] = *it;
            if (piece.end <= begin) {
                ++it;
                continue;
            }
            it = pieces.erase(it);
            if (first < begin) pieces[first] = {begin, piece.copy};
            if (end < piece.end) pieces[end] = piece;
        }
    }

    // No two pieces share a byte, so the last one ends last.
    void set_bounds() {
        unwritten_begin = pieces.empty() ? 0 : pieces.begin()->first;
        unwritten_bytes = pieces.empty() ? 0 : std::prev(pieces.end())->second.end - unwritten_begin;
    }
};

Unwritten& unwritten_copies() {
    static auto& unwritten = *new Unwritten;
    return unwritten;
}

// Of the program itself, without its libraries.
bool is_code(std::uintptr_t address) {
    return reinterpret_cast<std::uintptr_t>(&__executable_start) <= address &&
           address < reinterpret_cast<std::uintptr_t>(&etext);
}

constexpr std::size_t smallest_piece = 4, most_pieces = 1024;  // of a copy

}  // namespace

void note_from_device(std::uintptr_t address, std::size_t bytes) {
    for (std::uintptr_t at = (address + 7) & ~std::uintptr_t{7}; at + 8 <= address + bytes; at += 8) {
        std::uintptr_t value = 0;
        std::memcpy(&value, reinterpret_cast<const void*>(at), sizeof value);
        if (!is_code(value)) continue;
        const std::lock_guard lock(unwritten_copies().mutex);
        unwritten_copies().functions.insert(value);
    }
}

bool may_be_from_device(std::uintptr_t function) {
    const std::lock_guard lock(unwritten_copies().mutex);
    return !is_code(function) || unwritten_copies().functions.contains(function);
}

void copied_to_host(std::uintptr_t to, const ShadowMemory* shadow, std::uintptr_t from, std::size_t bytes) {
    const std::lock_guard lock(unwritten_copies().mutex);
    const bool overlaps =
        unwritten_bytes != 0 && to < unwritten_begin + unwritten_bytes && unwritten_begin < to + bytes;
    if (overlaps) unwritten_copies().forget(to, to + bytes);
    std::size_t begin = 0, end = 0;
    if (shadow != nullptr && shadow->next_unwritten(from, bytes, 0, begin, end)) {
        auto copy = std::make_shared<Copy>(Copy{from, bytes, 0, begin, callers()});
        if (!unwritten_copies().told.contains(copy->called_by)) {
            std::size_t pieces = 0;
            do {
                copy->unwritten += end - begin;
                if (end - begin >= smallest_piece && ++pieces <= most_pieces)
                    unwritten_copies().pieces[to + begin] = {to + end, copy};
            } while (shadow->next_unwritten(from, bytes, end, begin, end));
        }
    } else if (!overlaps) {
        return;
    }
    unwritten_copies().set_bounds();
}

// The poison that it had is still there. (Memory that was used for something else since may have been written unseen.)
void host_reads(std::uintptr_t address, std::size_t bytes, std::uintptr_t code) {
    const auto* first = reinterpret_cast<const unsigned char*>(address);
    if (bytes > 8 || std::any_of(first, first + bytes, [](unsigned char b) { return b != 0xff; })) return;
    std::shared_ptr<const Copy> copy;
    {
        const std::unique_lock lock(unwritten_copies().mutex, std::try_to_lock);
        if (!lock) return;
        auto it = unwritten_copies().pieces.upper_bound(address);
        if (it == unwritten_copies().pieces.begin()) return;
        --it;
        if (address + bytes > it->second.end) return;
        copy = it->second.copy;
        unwritten_copies().told.insert(copy->called_by);
        std::erase_if(unwritten_copies().pieces,
                      [&](const auto& each) { return unwritten_copies().told.contains(each.second.copy->called_by); });
        unwritten_copies().set_bounds();
    }
    const SourcePlace place = source_place(asked_at(copy->called_by));
    const std::string failed = failed_before();
    const auto values = [&](std::size_t n) {
        return bytes > 1 && n % bytes == 0 ? std::to_string(n / bytes) + " values of " + bytes_of(bytes) : bytes_of(n);
    };
    note({"host code", "reads what nobody has written,", code - 1},
         "It is from the copy" + (place.path.empty() ? "" : " at " + place.name()) + " of " + values(copy->bytes) +
             ", " + describe_allocation(copy->from) + ". No kernel, copy or fill has written " +
             values(copy->unwritten) + " of these, from byte " + std::to_string(copy->first) + " on." +
             (failed.empty() ? "" : " But " + failed + "."));
}

void host_writes(std::uintptr_t address, std::size_t bytes) {
    const std::unique_lock lock(unwritten_copies().mutex, std::try_to_lock);
    if (!lock) return;
    unwritten_copies().forget(address, address + bytes);
    unwritten_copies().set_bounds();
}

}  // namespace emulator
