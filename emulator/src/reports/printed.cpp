#include "printed.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>
#include <mutex>
#include <set>

#include "error_state.h"

namespace emulator {
namespace {

// Never destroyed: static objects' destructors may launch kernels.
struct Kept {
    std::mutex mutex;
    std::string text;

    Kept() {
        std::atexit([] {
            const std::string& text = kept().text;
            if (text.empty()) return;
            const auto lines = std::max<std::ptrdiff_t>(1, std::count(text.begin(), text.end(), '\n'));
            explain(
                "%td line%s of printf() in kernels did not appear, as on a GPU: the program ended without "
                "cudaDeviceSynchronize(), which prints them",
                lines, lines == 1 ? "" : "s");
        });
    }

    static Kept& kept() {
        static Kept& instance = *new Kept;
        return instance;
    }
};

constexpr std::size_t most_kept = 1 << 20;  // bytes, as many as a device keeps

}  // namespace

// The lanes at one place go on, those that are elsewhere wait. A place where others will come to later waits for them,
// as a device's lanes meet again behind a branch; of several that need not wait, the first in the source is next.
std::string Prints::take(unsigned warp, unsigned lanes) {
    struct Lane {
        std::vector<Text> texts;
        std::size_t next = 0;
        std::map<unsigned, unsigned> left;  // place -> how often it will still come there

        bool is_done() const { return next == texts.size(); }
        unsigned place() const { return texts[next].place; }
    } warp_lanes[32];
    const auto is_taken = [&](const Text& t) { return t.thread / 32 == warp && (lanes >> t.thread % 32 & 1) != 0; };
    for (Text& text : texts_) {
        if (!is_taken(text)) continue;
        Lane& lane = warp_lanes[text.thread % 32];
        ++lane.left[text.place];
        lane.texts.push_back(std::move(text));
    }
    texts_.erase(std::remove_if(texts_.begin(), texts_.end(), is_taken), texts_.end());

    const auto waits_for_others = [&](unsigned place) {
        return std::any_of(std::begin(warp_lanes), std::end(warp_lanes), [&](const Lane& lane) {
            return !lane.is_done() && lane.place() != place && lane.left.count(place) > 0;
        });
    };
    std::string out;
    for (;;) {
        std::set<unsigned> places;
        for (const Lane& lane : warp_lanes)
            if (!lane.is_done()) places.insert(lane.place());
        if (places.empty()) return out;
        auto place = std::find_if_not(places.begin(), places.end(), waits_for_others);
        if (place == places.end()) place = places.begin();
        for (Lane& lane : warp_lanes) {
            if (lane.is_done() || lane.place() != *place) continue;
            if (--lane.left[*place] == 0) lane.left.erase(*place);
            out += lane.texts[lane.next++].text;
        }
    }
}

std::string Prints::take_all() {
    std::string out;
    while (!texts_.empty()) {
        unsigned first = ~0u;
        for (const Text& text : texts_) first = std::min(first, text.thread / 32);
        out += take(first, ~0u);
    }
    return out;
}

void keep_printed(const std::string& text) {
    Kept& kept = Kept::kept();
    const std::lock_guard lock(kept.mutex);
    kept.text += text;
    if (kept.text.size() < most_kept) return;
    std::fwrite(kept.text.data(), 1, kept.text.size(), stdout);
    kept.text.clear();
}

void show_printed() {
    Kept& kept = Kept::kept();
    const std::lock_guard lock(kept.mutex);
    std::fwrite(kept.text.data(), 1, kept.text.size(), stdout);
    kept.text.clear();
}

}  // namespace emulator
