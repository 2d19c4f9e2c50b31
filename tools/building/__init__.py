"""From a checkout to a built program: GPU or emulator, what must be installed, CMake and Ninja."""
