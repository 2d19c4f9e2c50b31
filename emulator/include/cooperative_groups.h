#pragma once

#include "emulator/letters_begin.h"

#define _COOPERATIVE_GROUPS_H_

#include "emulator/cooperative_groups.h"

#include "emulator/letters_end.h"
