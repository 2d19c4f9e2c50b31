#pragma once

// What CUDA's libraries have in common, as far as headers for kernels name it.

typedef enum libraryPropertyType_t { MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL } libraryPropertyType;
