#pragma once

#include "emulator/letters_begin.h"

#include "emulator/group_algorithms.h"

#include "emulator/letters_end.h"
