#include "worker/cuda.h"

#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>

#include <cstring>
#include <stdexcept>

namespace kernelbench::worker::cuda {

namespace {

void check(cudaError_t status) {
  if (status != cudaSuccess) {
    throw std::runtime_error(std::string("CUDA error: ") + cudaGetErrorString(status));
  }
}

} // namespace

struct EventTimer::State {
  cudaEvent_t start = nullptr;
  cudaEvent_t stop = nullptr;
};

void* open_shared_memory(const std::string& ipc_handle) {
  cudaIpcMemHandle_t handle{};
  if (ipc_handle.size() != sizeof handle) {
    throw std::runtime_error("not a CUDA IPC handle");
  }
  std::memcpy(&handle, ipc_handle.data(), sizeof handle);
  void* memory = nullptr;
  check(cudaIpcOpenMemHandle(&memory, handle, cudaIpcMemLazyEnablePeerAccess));
  return memory;
}

void synchronize() { check(cudaDeviceSynchronize()); }

EventTimer::EventTimer() : state_(std::make_unique<State>()) {
  check(cudaEventCreate(&state_->start));
  check(cudaEventCreate(&state_->stop));
}

EventTimer::~EventTimer() {
  cudaEventDestroy(state_->start);
  cudaEventDestroy(state_->stop);
}

void EventTimer::start() { check(cudaEventRecord(state_->start, c10::cuda::getCurrentCUDAStream())); }

void EventTimer::stop() { check(cudaEventRecord(state_->stop, c10::cuda::getCurrentCUDAStream())); }

double EventTimer::seconds() const {
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, state_->start, state_->stop));
  return milliseconds / 1e3;
}

} // namespace kernelbench::worker::cuda
