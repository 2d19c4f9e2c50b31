#pragma once

// What nvcc gives every .cu file: the language and the runtime, here on the CPU.

#include "emulator/device.h"
#include "emulator/engine.h"
#include "emulator/error.h"
#include "emulator/language.h"
#include "emulator/runtime_api.h"
#include "emulator/shared.h"
#include "emulator/types.h"
