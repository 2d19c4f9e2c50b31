// Finds a word in a text, a thread for each position, and changes case with a device function.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__device__ char lower(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }

__device__ int matches(const char *text, const char *word, int length)
{
    for (int i = 0; i < length; i++)
        if (lower(text[i]) != lower(word[i])) return 0;
    return 1;
}

__global__ void search(char *text, int textLength, char *word, int wordLength, int *found)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > textLength - wordLength) return;
    found[i] = matches(text + i, word, wordLength);
}

int main(int argc, char **argv)
{
    const char *piece = "The cat sat; a concatenation of CATs isn't a \"dog\" <<<cat, 1>>>(cat); // cAt\n";
    char word[] = "cat", text[4000] = "";
    while (strlen(text) + strlen(piece) + 1 < sizeof(text)) strcat(text, piece);
    int n = strlen(text), m = strlen(word), *found = (int*)calloc(n, sizeof(int)), *d_found, count = 0, expected = 0;
    char *d_text, *d_word;
    if (cudaMalloc((void**)&d_text, n) != cudaSuccess || cudaMalloc((void**)&d_word, m) != cudaSuccess ||
        cudaMalloc((void**)&d_found, n * sizeof(int)) != cudaSuccess) {
        fprintf(stderr, "out of memory\n");
        exit(-1);
    }
    cudaMemcpy(d_text, text, n, cudaMemcpyHostToDevice);
    cudaMemcpy(d_word, word, m, cudaMemcpyHostToDevice);
    cudaMemset(d_found, 0, n * sizeof(int));
    search<<<(n + 127) / 128, 128>>>(d_text, n, d_word, m, d_found);
    cudaMemcpy(found, d_found, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i <= n - m; i++) {
        int same = 1;
        for (int j = 0; j < m; j++) same = same && tolower(text[i + j]) == word[j];
        expected += same, count += found[i];
    }
    printf("%d occurrences\n", count);
    if (count != expected || count < 100) { printf("FAILED\n"); return 1; }
    printf("PASSED\n");
    return 0;
}
