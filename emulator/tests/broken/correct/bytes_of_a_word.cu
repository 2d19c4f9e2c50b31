// Different bytes of one word, stored by different threads, have nothing to do with each other.
#include "../arrays.h"

__global__ void letters(char* text) {
    __shared__ char cache[64];
    const int t = threadIdx.x;
    cache[t] = static_cast<char>('a' + t % 26);
    text[t] = cache[t];
    reinterpret_cast<short*>(text + 64)[t] = static_cast<short>(t);
}

int main() {
    Array<char> text(192);
    letters<<<1, 64>>>(text);
    return differs(text[63], 'l') || differs(text[190], 63);
}
