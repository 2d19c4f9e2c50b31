#include "host_objects.h"

#include <mutex>
#include <set>
#include <vector>

namespace emulator {
namespace {

struct Pointers {
    std::mutex mutex;
    std::set<std::uintptr_t> all;

    void erase(std::uintptr_t begin, std::size_t bytes) {
        all.erase(all.lower_bound(begin), all.lower_bound(begin + bytes));
    }
};

Pointers& pointers() {
    static Pointers& pointers = *new Pointers;
    return pointers;
}

}  // namespace

void note_constructed(std::uintptr_t pointer, bool by_host) {
    const std::lock_guard lock(pointers().mutex);
    if (by_host)
        pointers().all.insert(pointer);
    else if (!pointers().all.empty())
        pointers().all.erase(pointer);
}

void note_objects_copied(std::uintptr_t to, std::uintptr_t from, std::size_t bytes) {
    const std::lock_guard lock(pointers().mutex);
    std::set<std::uintptr_t>& all = pointers().all;
    const std::vector<std::uintptr_t> copied(all.lower_bound(from), all.lower_bound(from + bytes));
    pointers().erase(to, bytes);
    for (const std::uintptr_t pointer : copied) all.insert(pointer - from + to);
}

void note_no_objects(std::uintptr_t begin, std::size_t bytes) {
    const std::lock_guard lock(pointers().mutex);
    pointers().erase(begin, bytes);
}

bool is_of_host_object(std::uintptr_t pointer) {
    const std::lock_guard lock(pointers().mutex);
    return pointers().all.contains(pointer);
}

}  // namespace emulator
