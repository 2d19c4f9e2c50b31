// A mask may name lanes that have returned: a vote waits for those only that have not, and takes the others for no.
#include "../arrays.h"

__global__ void votes(unsigned* result, int n) {
    const int lane = threadIdx.x;
    if (lane >= n) return;
    const unsigned even = __ballot_sync(0xffffffff, lane % 2 == 0);
    if (lane == 0) *result = even;
}

int main() {
    Array<unsigned> result(1);
    votes<<<1, 32>>>(result, 10);
    return differs(result[0], 0x155);
}
