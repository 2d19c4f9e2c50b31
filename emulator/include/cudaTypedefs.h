#pragma once

#include "cuda.h"

typedef CUresult(CUDAAPI* PFN_cuTensorMapEncodeTiled_v12000)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*,
                                                             const cuuint64_t*, const cuuint64_t*, const cuuint32_t*,
                                                             const cuuint32_t*, CUtensorMapInterleave,
                                                             CUtensorMapSwizzle, CUtensorMapL2promotion,
                                                             CUtensorMapFloatOOBfill);
typedef PFN_cuTensorMapEncodeTiled_v12000 PFN_cuTensorMapEncodeTiled;
