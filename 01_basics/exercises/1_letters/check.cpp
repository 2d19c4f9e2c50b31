#include "../message.cpp"

void check() {
    decode_text("Hello! We are 76 threads. Each of us wrote one letter, all at the same time.");
    for_sizes({1, 2, 31, 32, 33, 255, 256, 257, 1009, 1024}, [](int n) { decode_and_compare(random_bytes(n), false); });
}

void counted() {
    decode_and_compare(random_bytes(1000), false);
}
