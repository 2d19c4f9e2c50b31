#pragma once

#include "emulator/cooperative_groups.h"
