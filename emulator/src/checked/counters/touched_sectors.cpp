#include "touched_sectors.h"

#include "memory_requests.h"

namespace emulator {

void TouchedSectors::touch(std::uintptr_t address, std::size_t bytes, bool reads, bool writes) {
    if (bytes == 0) return;
    for (std::uintptr_t sector = address / bytes_of_sector; sector <= (address + bytes - 1) / bytes_of_sector;
         ++sector) {
        Page& touched = page(sector / sectors_of_page);
        const std::size_t at = sector % sectors_of_page;
        if (reads && !touched.written[at]) touched.read.set(at);
        if (writes) touched.written.set(at);
    }
}

TouchedSectors::Page& TouchedSectors::page(std::uintptr_t number) {
    Recent& recent = recent_[number % recent_.size()];
    if (recent.page == nullptr || recent.number != number) recent = {number, &pages_[number]};
    return *recent.page;
}

std::uint64_t TouchedSectors::read() const {
    std::uint64_t sum = 0;
    for (const auto& [number, page] : pages_) sum += page.read.count();
    return sum;
}

std::uint64_t TouchedSectors::written() const {
    std::uint64_t sum = 0;
    for (const auto& [number, page] : pages_) sum += page.written.count();
    return sum;
}

void TouchedSectors::clear() {
    pages_.clear();
    recent_ = {};
}

}  // namespace emulator
