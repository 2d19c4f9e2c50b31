#pragma once

#include "emulator/letters_begin.h"

#include "emulator/cooperative_groups.h"

#include "emulator/letters_end.h"
