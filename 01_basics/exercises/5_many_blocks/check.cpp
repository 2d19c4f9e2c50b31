#include "../message.cpp"

void check() {
    decode_text(
        "Hello from the first of three blocks. There are 256 threads in a block, and each block counts its own from 0 "
        "to 255, so threadIdx.x alone says nothing about the place in a long message: in every block there is a "
        "thread 0. This line ends in the hands of block 1. "
        "And here is block 2: there are letters for a few of its threads only.");
    for_each_size(
        [](int n) {
            if (n > 0) decode_and_compare(random_bytes(n), false);
        },
        {70'001});
}

void counted() {
    for (const int n : {10'000, 512}) decode_and_compare(random_bytes(n), false);
}
