# Read by the emulator's project(): for a wheel it is compiled and installed as if it were configured by itself.
set(PROJECT_IS_TOP_LEVEL ON)
