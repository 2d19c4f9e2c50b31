#pragma once

#include "emulator/letters_begin.h"

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "emulator/wmma_fragments.h"
#include "emulator/wmma_functions.h"

#include "emulator/letters_end.h"
