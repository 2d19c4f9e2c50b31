// cuTensorMapEncodeTiled(), and how programs find it.

#include "emulator/tensor_maps.h"

#include <cstring>
#include <string>

#include "../reports/error_state.h"
#include "emulator/driver_api.h"

namespace {

using emulator::TensorMap;

std::size_t bytes_of(CUtensorMapDataType type) {
    switch (type) {
        case CU_TENSOR_MAP_DATA_TYPE_UINT8:
            return 1;
        case CU_TENSOR_MAP_DATA_TYPE_UINT16:
        case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
        case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
            return 2;
        case CU_TENSOR_MAP_DATA_TYPE_UINT64:
        case CU_TENSOR_MAP_DATA_TYPE_INT64:
        case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
            return 8;
        default:
            return type <= CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ ? 4 : 0;
    }
}

CUresult not_supported(const char* what) {
    emulator::explain("cuTensorMapEncodeTiled: %s is not supported", what);
    return CUDA_ERROR_NOT_SUPPORTED;
}

bool is_aligned(const void* pointer, std::size_t bytes) {
    return reinterpret_cast<std::uintptr_t>(pointer) % bytes == 0;
}

}  // namespace

extern "C" CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                           const cuuint64_t* sizes, const cuuint64_t* strides, const cuuint32_t* box,
                                           const cuuint32_t* element_strides, CUtensorMapInterleave interleave,
                                           CUtensorMapSwizzle swizzle, CUtensorMapL2promotion,
                                           CUtensorMapFloatOOBfill fill) {
    constexpr std::uint64_t most_size = std::uint64_t{1} << 32, most_stride = std::uint64_t{1} << 40;
    constexpr unsigned most_box = 256, most_element_stride = 8, piece = 16;
    const std::size_t element = bytes_of(type);
    if (map == nullptr || !is_aligned(map, 64) || element == 0 || rank == 0 || rank > TensorMap::most ||
        address == nullptr || !is_aligned(address, piece) || sizes == nullptr || box == nullptr ||
        element_strides == nullptr || (rank > 1 && strides == nullptr))
        return CUDA_ERROR_INVALID_VALUE;
    TensorMap made{static_cast<char*>(address), {}, {element}, {}, 0, TensorMap::mark};
    for (unsigned d = 0; d < TensorMap::most; ++d) {
        const bool is_there = d < rank;
        made.size[d] = is_there ? sizes[d] : 1;
        made.box[d] = static_cast<std::uint16_t>(is_there ? box[d] : 1);
        if (!is_there) continue;
        if (d > 0) made.stride[d] = strides[d - 1];
        if (sizes[d] == 0 || sizes[d] > most_size || box[d] == 0 || box[d] > most_box || element_strides[d] == 0 ||
            element_strides[d] > most_element_stride ||
            (d > 0 && (made.stride[d] % piece != 0 || made.stride[d] >= most_stride)))
            return CUDA_ERROR_INVALID_VALUE;
    }
    if (interleave != CU_TENSOR_MAP_INTERLEAVE_NONE) return not_supported("an interleaved layout");
    if (fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) return not_supported("a fill other than zeros");
    if (swizzle > CU_TENSOR_MAP_SWIZZLE_128B) return not_supported("a swizzle of more than 16 bytes at a time");
    for (unsigned d = 0; d < rank; ++d)
        if (element_strides[d] != 1) return not_supported("a stride of elements other than 1");
    const std::size_t row = box[0] * element;
    if (row % piece != 0) return CUDA_ERROR_INVALID_VALUE;
    if (swizzle != CU_TENSOR_MAP_SWIZZLE_NONE) {
        const std::size_t span = std::size_t{16} << swizzle;
        if (row > span) return CUDA_ERROR_INVALID_VALUE;
        made.swizzled = static_cast<std::uint16_t>(span - piece);
    }
    *map = {};
    std::memcpy(map, &made, sizeof made);
    return CUDA_SUCCESS;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult* found) {
    if (symbol == nullptr || function == nullptr) return cudaErrorInvalidValue;
    const bool is_there = std::string(symbol) == "cuTensorMapEncodeTiled";
    *function = is_there ? reinterpret_cast<void*>(&cuTensorMapEncodeTiled) : nullptr;
    if (!is_there) emulator::explain("%s is not supported: it belongs to the driver API", symbol);
    if (found != nullptr) *found = is_there ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return cudaSuccess;
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* found) {
    return cudaGetDriverEntryPointByVersion(symbol, function, 0, flags, found);
}
