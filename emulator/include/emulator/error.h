#pragma once

#include "emulator/types.h"

extern "C" {
// What a program asks about the error state that a CUDA context and its host threads keep.
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);
}
