#include "judge/memory.h"

namespace kernelbench::judge {

std::unique_ptr<Memory> open_cuda_memory(int) {
  throw MemoryFault("this judge was built without CUDA: install nvcc and run script/setup again");
}

} // namespace kernelbench::judge
