#include "checker.h"

#include <set>

using namespace exercise;

int words_of_k();
int words_of_thread();
int words_of_thread_over_8();
int words_of_thread_mod_8();
int words_of_block();
int words_of_row();
int words_of_column();
void read_table(const int* values, int kind, int blocks, int rounds, int* sums);

namespace {

constexpr int kinds = 7;

// The index that a thread uses, by its number in the block.
int index_of(int kind, int block, int thread, int k) {
    switch (kind) {
        case 0:
            return k;
        case 1:
            return thread % 64;
        case 2:
            return thread / 8;
        case 3:
            return thread % 8;
        case 4:
            return block % 64;
        case 5:
            return thread / 16;
        default:
            return thread % 16;
    }
}

int words_of_a_warp(int kind) {
    std::set<int> words;
    for (int lane = 0; lane < 32; ++lane) words.insert(index_of(kind, 1, 64 + lane, 3));
    return static_cast<int>(words.size());
}

void read_and_compare(int kind, int blocks, int rounds) {
    const std::vector<int> values = random_values<int>(64, -1'000'000, 1'000'000);
    Output<int> sums("sums", static_cast<std::size_t>(blocks) * 256);
    read_table(values.data(), kind, blocks, rounds, sums.data());
    finish();

    std::vector<int> expected;
    for (int i = 0; i < blocks * 256; ++i) {
        int sum = 0;
        for (int k = 0; k < rounds; ++k) sum += values[index_of(kind, i / 256, i % 256, k)];
        expected.push_back(sum);
    }
    sums.require_same(expected);
}

}  // namespace

void check() {
    require_prediction("words_of_k", words_of_k(), words_of_a_warp(0));
    require_prediction("words_of_thread", words_of_thread(), words_of_a_warp(1));
    require_prediction("words_of_thread_over_8", words_of_thread_over_8(), words_of_a_warp(2));
    require_prediction("words_of_thread_mod_8", words_of_thread_mod_8(), words_of_a_warp(3));
    require_prediction("words_of_block", words_of_block(), words_of_a_warp(4));
    require_prediction("words_of_row", words_of_row(), words_of_a_warp(5));
    require_prediction("words_of_column", words_of_column(), words_of_a_warp(6));
    for (int kind = 0; kind < kinds; ++kind) read_and_compare(kind, 3, 5);
}

void counted() {
    for (int kind = 0; kind < kinds; ++kind) read_and_compare(kind, 2, 8);
}
