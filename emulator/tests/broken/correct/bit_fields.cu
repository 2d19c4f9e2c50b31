// Storing a bit-field reads the word around it, which nobody has written before: that is the compiler's business.
#include "../arrays.h"

struct Colour {
    unsigned red : 5, green : 6, blue : 5;
};

__global__ void colours(Colour* pixel, unsigned* sum) {
    __shared__ Colour cache[32];
    const unsigned t = threadIdx.x;
    Colour mine;
    mine.red = t;
    mine.green = 2 * t;
    mine.blue = 31 - t;
    cache[t].red = mine.blue;
    cache[t].green = mine.green;
    cache[t].blue = mine.red;
    pixel[t].green = cache[t].green;
    sum[t] = cache[t].red + cache[t].green + cache[t].blue + pixel[t].green;
}

int main() {
    Array<Colour> pixel(32);
    Array<unsigned> sum(32);
    colours<<<1, 32>>>(pixel, sum);
    return differs(sum[31], 155);
}
