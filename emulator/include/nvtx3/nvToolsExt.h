#pragma once

#include <cstdint>

// NVTX: marks and ranges for a profiler's time line. The checked build's counters tell the kernels of one range of a
// thread from those of another; all else does nothing, as on a GPU without a profiler, and answers so.

#define NVTX_VERSION 3
#define NVTX_NO_PUSH_POP_TRACKING (-2)
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE (static_cast<std::uint16_t>(sizeof(nvtxEventAttributes_t)))

using nvtxRangeId_t = std::uint64_t;

enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 };

enum nvtxMessageType_t {
    NVTX_MESSAGE_UNKNOWN = 0,
    NVTX_MESSAGE_TYPE_ASCII = 1,
    NVTX_MESSAGE_TYPE_UNICODE = 2,
    NVTX_MESSAGE_TYPE_REGISTERED = 3
};

enum nvtxPayloadType_t {
    NVTX_PAYLOAD_UNKNOWN = 0,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
    NVTX_PAYLOAD_TYPE_INT64 = 2,
    NVTX_PAYLOAD_TYPE_DOUBLE = 3,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
    NVTX_PAYLOAD_TYPE_INT32 = 5,
    NVTX_PAYLOAD_TYPE_FLOAT = 6
};

union nvtxMessageValue_t {
    const char* ascii;
    const wchar_t* unicode;
};

struct nvtxEventAttributes_t {
    std::uint16_t version;
    std::uint16_t size;
    std::uint32_t category;
    std::int32_t colorType;
    std::uint32_t color;
    std::int32_t payloadType;
    std::int32_t reserved0;
    union {
        std::uint64_t ullValue;
        std::int64_t llValue;
        double dValue;
        std::uint32_t uiValue;
        std::int32_t iValue;
        float fValue;
    } payload;
    std::int32_t messageType;
    nvtxMessageValue_t message;
};

namespace emulator {

/// Begins a range of the calling thread, and ends the one begun last.
void push_range(const char* name);
void pop_range();

}  // namespace emulator

inline int nvtxRangePushA(const char* name) {
    emulator::push_range(name);
    return NVTX_NO_PUSH_POP_TRACKING;
}
inline int nvtxRangePushEx(const nvtxEventAttributes_t* attributes) {
    const bool has_text = attributes && attributes->messageType == NVTX_MESSAGE_TYPE_ASCII;
    return nvtxRangePushA(has_text ? attributes->message.ascii : nullptr);
}
inline int nvtxRangePop() {
    emulator::pop_range();
    return NVTX_NO_PUSH_POP_TRACKING;
}
inline nvtxRangeId_t nvtxRangeStartA(const char*) {
    return 0;
}
inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t*) {
    return 0;
}
inline void nvtxRangeEnd(nvtxRangeId_t) {}
inline void nvtxMarkA(const char*) {}
inline void nvtxMarkEx(const nvtxEventAttributes_t*) {}
inline void nvtxNameOsThreadA(std::uint32_t, const char*) {}
inline void nvtxNameCategoryA(std::uint32_t, const char*) {}

#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxNameCategory nvtxNameCategoryA
