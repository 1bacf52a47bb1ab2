// kernelbench-judge: one per device, long-lived, trusted. Reads Evaluate requests, answers each with a Verdict.

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <string>

#include "judge/evaluation.h"

namespace {

using namespace kernelbench;
using namespace kernelbench::protocol;

constexpr double zygote_start_s = 120;

int serve(Channel control, Zygote zygote, const std::string& device) {
  std::unique_ptr<judge::Memory> memory;
  try {
    memory = device == "cpu" ? judge::open_host_memory() : judge::open_cuda_memory(0);
  } catch (const judge::MemoryFault& fault) {
    std::cerr << "kernelbench-judge: " << fault.what() << "\n";
    return 3;
  }
  const auto zygote_ready = zygote.wait_ready(Deadline::after(zygote_start_s));
  if (!zygote_ready) {
    std::cerr << "kernelbench-judge: the worker did not start\n";
    return 3;
  }
  JudgeReady ready;
  ready.device_name = memory->device_name();
  ready.driver = memory->driver();
  ready.architecture = memory->architecture();
  ready.torch = zygote_ready->torch;
  ready.cuda = zygote_ready->cuda;
  ready.python = zygote_ready->python;
  if (control.send(ready, Deadline::after(10)) != Status::ok) {
    return 3;
  }
  while (true) {
    Frame frame;
    const Status status = control.receive_frame(frame, Deadline::after(3600));
    if (status == Status::timeout) {
      continue;
    }
    const auto request = message_in<Evaluate>(frame);
    if (status != Status::ok || !request) {
      return status == Status::closed ? 0 : 3;
    }
    if (control.send(judge::evaluate(*request, zygote, *memory), Deadline::after(60)) != Status::ok) {
      return 3;
    }
  }
}

} // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  int control = -1;
  int zygote = -1;
  std::string device;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string flag = argv[i];
    if (flag == "--control-fd") {
      control = std::atoi(argv[i + 1]);
    } else if (flag == "--zygote-fd") {
      zygote = std::atoi(argv[i + 1]);
    } else if (flag == "--device") {
      device = argv[i + 1];
    }
  }
  if (control < 0 || zygote < 0 || (device != "cpu" && device != "cuda")) {
    std::cerr << "kernelbench-judge is started by kernelbench, not by hand: see 'kernelbench --help'\n";
    return 2;
  }
  return serve(Channel(Fd(control)), Zygote(Fd(zygote)), device);
}
