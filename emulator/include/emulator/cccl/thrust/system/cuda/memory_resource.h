#pragma once

#include "emulator/thrust.h"  // in the place of Thrust's own
