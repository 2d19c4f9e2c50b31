#pragma once

#ifdef EMULATOR_CHECKED
#include "../checked/checker.h"
#define EMULATOR_CHECK(call) Checker::instance().call  // tells the checked build, and costs the plain one nothing
#else
#define EMULATOR_CHECK(call) static_cast<void>(0)
#endif
