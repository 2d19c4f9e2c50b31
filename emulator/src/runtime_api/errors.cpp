#include "emulator/error.h"

#include "../checked/host/api_calls.h"
#include "../reports/error_state.h"

cudaError_t cudaGetLastError() {
    const cudaError_t error = emulator::last_error();
    emulator::forget_last_error();
    emulator::note_errors_are_looked_at();
    return error;
}

cudaError_t cudaPeekAtLastError() {
    emulator::note_errors_are_looked_at();
    return emulator::last_error();
}

const char* cudaGetErrorName(cudaError_t error) {
    switch (error) {
#define EMULATOR_CASE(name, value, text) \
    case name:                           \
        return #name;
        EMULATOR_ERRORS(EMULATOR_CASE)
#undef EMULATOR_CASE
    }
    return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
    switch (error) {
#define EMULATOR_CASE(name, value, text) \
    case name:                           \
        return text;
        EMULATOR_ERRORS(EMULATOR_CASE)
#undef EMULATOR_CASE
    }
    return "unrecognized error code";
}
