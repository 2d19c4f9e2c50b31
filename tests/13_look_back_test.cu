// On the emulator blocks run nearly one after the other, so that no tile ever looks far back. Here tiles have said what
// a test wants them to have said.

#include <numeric>

#include "testing.h"

#undef STAGES
#define STAGES(...) static_assert(true)  // they are in no list
#define scan look_back_test              // the stages once more, in another namespace, to call what is inside them
#include "13_scan/8_look_back.cu"
#include "13_scan/9_wide_look_back.cu"
#undef scan

namespace look_back_test {
namespace {

template <class Flag>
__global__ void ask_one_by_one(Said* said, unsigned t, unsigned own, unsigned* before) {
    say_own_sum<Flag>(said, t, own);
    *before = look_back<Flag>(said, t, own);
}

__global__ void ask_in_a_warp(Word* words, unsigned t, unsigned own, unsigned* before) {
    before[threadIdx.x] = look_back(words, t, own);
}

Word word(unsigned what, unsigned sum) {
    return Word{what} << 32 | sum;
}

}  // namespace

TEST_CASE("a tile looks back as far as it has to, and no further", "[13_scan]") {
    const auto t = GENERATE(as<unsigned>{}, 0, 1, 2, 31, 32, 33, 63, 64, 65, 100);
    const std::vector<unsigned> own = random_values<unsigned>(t + 1);
    for (unsigned knowing = 0; knowing < std::max(1u, t); ++knowing) {  // the last tile that knows all up to its end
        CAPTURE(t, knowing);
        std::vector<Said> said(t + 1);
        std::vector<Word> words(t + 1);
        const unsigned garbage = 0x12345678;  // What lies before that tile does not matter.
        for (unsigned tile = 0; tile < t; ++tile) {
            const unsigned what = tile == knowing ? Said::sum_up_to_end : Said::own_sum;
            const unsigned sum = tile == knowing  ? std::accumulate(own.begin(), own.begin() + tile + 1, 0u)
                                 : tile < knowing ? garbage
                                                  : own[tile];
            said[tile] = {what, tile == knowing ? garbage : sum, tile == knowing ? sum : garbage};
            words[tile] = word(what, sum);
        }
        const unsigned expected = std::accumulate(own.begin(), own.begin() + t, 0u);

        auto d_words = DeviceBuffer<Word>::from_host(words);
        auto before = poisoned<unsigned>(32);
        ask_in_a_warp<<<1, 32>>>(d_words.data(), t, own[t], before.data());
        CUDA_CHECK_LAUNCH();
        REQUIRE_SAME(before.to_host(), std::vector(32, expected));
        REQUIRE(d_words.to_host()[t] == word(sum_up_to_end, expected + own[t]));

        for (const auto kernel : {ask_one_by_one<VolatileFlag>, ask_one_by_one<AtomicFlag>}) {
            auto d_said = DeviceBuffer<Said>::from_host(said);
            before.poison();
            kernel<<<1, 1>>>(d_said.data(), t, own[t], before.data());
            CUDA_CHECK_LAUNCH();
            REQUIRE(before.to_host()[0] == expected);
            const Said now = d_said.to_host()[t];
            REQUIRE(now.what == Said::sum_up_to_end);
            REQUIRE(now.own == own[t]);
            REQUIRE(now.up_to_end == expected + own[t]);
        }
    }
}

}  // namespace look_back_test
