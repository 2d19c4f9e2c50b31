"""What the emulator does not have, as data: headers and words of CUDA, with what an error message calls them.

Where the preprocessor may skip the place, the error is left to the compiler.
"""

import re

DYNAMIC_PARALLELISM = "a kernel launch inside device code (dynamic parallelism): let the host launch it"
TEXTURES = "textures: read device memory through a pointer to const"
SURFACES = "surfaces: write device memory through a pointer"
CUDA_ARRAYS = "CUDA arrays (textures): take cudaMallocPitch() or cudaMalloc3D()"
DRIVER_API = "the CUDA driver API: take the runtime API (cuda_runtime.h)"
INLINE_PTX = "inline PTX assembly (asm) in device code"

# (what stands between < and >, what it is)
UNSUPPORTED_HEADERS = [
    (r"thrust/.*", "Thrust, unless -I names a folder with NVIDIA's CCCL"),
    (r"cub/.*", "CUB"),
    (r"cuda/.*", "libcu++, of which there are {libcuxx}"),
    (r"cublas\w*\.h", "cuBLAS"),
    (r"curand\w*\.h", "cuRAND, unless -I names a folder with nothing but NVIDIA's headers of it"),
    (r"cufft\w*\.h", "cuFFT"),
    (r"cusparse\w*\.h", "cuSPARSE"),
    (r"cusolver\w*\.h", "cuSOLVER"),
    (r"cudnn\w*\.h", "cuDNN"),
    (r"nvrtc\.h", "runtime compilation (NVRTC)"),
    (r"cutlass/.*|cute/.*", "CUTLASS"),
    (r"cooperative_groups(\.h|/.*)", "cooperative groups"),
    (r"cuda_(fp16|bf16)\.hp*", "half and bfloat16 numbers"),
    (r"cuda_fp[468]\.hp*", "numbers of 4, 6 and 8 bits"),
    (r"cuda_awbarrier\w*\.h", "asynchronous barriers"),
    (r"cudaProfiler\.h|cupti\w*\.h|nvperf_\w+\.h|nvToolsExt\w*\.h|nvtx3/.*", "profiling"),
    (r"npp\w*\.h|nvjpeg\w*\.h|nvml\.h|nvgraph\.h|nvblas\.h|cufile\.h|cudalibxt\.h|library_types\.h", "CUDA's other libraries"),
    (r"(texture|surface)_\w+\.h|channel_descriptor\.h", "textures"),
    (r"(cudaGL|cudaEGL|cudaVDPAU|cuda_(gl|egl|vdpau)_interop)\w*\.h", "graphics interoperability"),
    (r"cuda_device_runtime_api\.h", DYNAMIC_PARALLELISM),
    (r"nv/detail/.*|crt/.*|nvJitLink\.h|nvvm\.h", "the inner headers of CUDA"),
]

# (a word, the tokens of which one must follow it or None, what it is)
UNSUPPORTED_WORDS = [
    (r"texture", "<", "texture references, which CUDA 13 does not have either: read device memory through a pointer to const"),
    (r"surface", "<", "surface references, which CUDA 13 does not have either: write device memory through a pointer"),
    (r"cudaTextureObject_t|cudaCreateTextureObject|cudaBindTexture\w*", None, TEXTURES),
    (r"cudaSurfaceObject_t|cudaCreateSurfaceObject", None, SURFACES),
    (r"tex(1D|2D|3D|Cubemap)\w*", "(<", TEXTURES),
    (r"surf(1D|2D|3D|Cubemap)\w*(read|write)", "(<", SURFACES),
    (r"this_multi_grid|multi_grid_group|cudaLaunchCooperativeKernelMultiDevice", None, "grids over several devices"),
    (r"cudaGraph(Add|Exec)?ExternalSemaphores\w*", None, "external semaphores in CUDA graphs"),
    (r"cudaDevice(GetGraphMemAttribute|SetGraphMemAttribute)", None, "attributes of the memory of CUDA graphs"),
    (r"cudaUserObject\w*|cudaGraph(Retain|Release)UserObject", None, "objects of the user in CUDA graphs"),
    (r"cudaGraphKernelNode(Copy|Get|Set)Attributes?", None, "attributes of kernels in CUDA graphs"),
    (r"cudaGraph(Exec)?(AddMemcpyNode|MemcpyNodeSetParams)(To|From)Symbol", None, "copies of symbols by nodes of CUDA graphs"),
    (
        r"cudaStreamGraph\w+|cudaGetCurrentGraphExec|cudaGraphKernelNodeSetParam|cudaGraphKernelNodeUpdatesApply",
        None,
        "CUDA graphs in device code",
    ),
    (r"cudaGraphics\w*", None, "graphics interoperability"),
    (r"cuda(Malloc(3D)?Array|MallocMipmappedArray|CreateChannelDesc|ChannelFormatDesc)", None, CUDA_ARRAYS),
    (r"cudaMemcpy(2D)?(To|From)Array(Async)?|cudaMemcpy(2D)?ArrayToArray", None, CUDA_ARRAYS),
    (r"cudaMemcpy3D(BatchAsync|Peer(Async)?)", None, "3-D copies in batches or between devices"),
    (r"cudaMemDiscard(AndPrefetch)?BatchAsync", None, "memory whose contents are given up"),
    (r"cudaMemRangeGetAttributes?", None, "what was advised for a range of managed memory"),
    (
        r"cudaLibrary(_t|Load\w+|Unload|Get\w+|EnumerateKernels)|cudaKernel(_t|SetAttributeForDevice)",
        None,
        "libraries that are loaded",
    ),
    (r"cudaGet(Kernel|FuncBySymbol|ExportTable)", None, "handles of kernels and functions of the driver"),
    (r"cudaFuncGet(Name|ParamInfo)", None, "names and parameters of kernels"),
    (r"cudaLogs\w+", None, "the driver's logs"),
    (r"cudaDevice(Unr|R)egisterAsyncNotification|cudaDeviceGetNvSciSyncAttributes", None, "notifications of the driver"),
    (r"cudaSetValidDevices|cudaDeviceGetHostAtomicCapabilities", None, "choosing among devices by lists or by their atomics"),
    (r"cudaMemPool(Export|Import|[GS]etAccess)\w*", None, "memory pools of other devices or processes"),
    (r"cudaMem([GS]et|GetDefault)MemPool", None, "memory pools by location"),
    (r"cudaIpc\w+", None, "memory and events of other processes (IPC)"),
    (r"cuda(Import|Destroy)?External(Memory|Semaphore)\w*", None, "external memory and semaphores"),
    (r"CU(device|context|module|function|deviceptr|library|mem[A-Z]\w*)", None, DRIVER_API),
    (
        r"cu(Init|DriverGetVersion|GetError(Name|String)|GetProcAddress|PointerGet\w+|(Ctx|Module|Library)[A-Z]\w*|Launch\w*"
        r"|Device(Get|Primary|Compute|Total|CanAccess)\w*|Mem(Alloc|Free|Get|Host|cpy|set|Create|Map|Unmap|Address|Set)\w*"
        r"|(Stream|Event)(Create|Destroy|Record|Synchronize|Query|Wait)\w*|(Func[GS]|ParamS)et\w*|Occupancy\w+|TensorMap(?!EncodeTiled\b)\w+)",
        "(",
        DRIVER_API,
    ),
]
UNSUPPORTED_WORD = re.compile("|".join(f"(?:{pattern})" for pattern, _, _ in UNSUPPORTED_WORDS))
