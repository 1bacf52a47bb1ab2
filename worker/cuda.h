#pragma once

#include <memory>
#include <string>

// The few calls of the CUDA runtime that torch does not wrap. Without CUDA torch, cuda_absent.cc takes cuda.cc's place.

namespace kernelbench::worker::cuda {

// Maps memory of another process. Throws std::runtime_error.
void* open_shared_memory(const std::string& ipc_handle);
// Waits for everything on the device, whatever the stream. Throws std::runtime_error with CUDA's message.
void synchronize();

// Times what is launched between start and stop on torch's current stream.
class EventTimer {
public:
  EventTimer();
  ~EventTimer();
  EventTimer(const EventTimer&) = delete;
  EventTimer& operator=(const EventTimer&) = delete;
  void start();
  void stop();
  // After synchronize().
  double seconds() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace kernelbench::worker::cuda
