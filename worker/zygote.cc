#include "worker/zygote.h"

#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <iostream>
#include <iterator>

#include "protocol/channel.h"
#include "protocol/messages.h"
#include "worker/guard.h"
#include "worker/interpreter.h"

namespace kernelbench::worker {

using protocol::Channel;
using protocol::Frame;
using protocol::Status;

int run_zygote(const ZygoteOptions& options) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGCHLD, SIG_IGN); // guards are reaped by the kernel; they report for themselves
  // Whoever started us may have been killed before anything could kill us along with it: then nobody holds the other end.
  pollfd other_end{options.control_fd, 0, 0};
  if (::poll(&other_end, 1, 0) > 0) {
    return 0;
  }
  Channel control(Fd(options.control_fd), 1u << 20, 2);

  protocol::ZygoteReady ready;
  try {
    start_interpreter(options.python);
    ready = import_torch();
  } catch (const std::exception& error) {
    std::cerr << "kernelbench-worker: " << error.what() << "\n";
    return 3;
  }
  // A thread would not survive the fork, and might hold a lock that no child could ever take.
  const auto threads =
      std::distance(std::filesystem::directory_iterator("/proc/self/task"), std::filesystem::directory_iterator());
  if (threads != 1) {
    std::cerr << "kernelbench-worker: importing torch started " << threads - 1 << " threads; none may exist before a fork\n";
    return 3;
  }
  if (control.send(ready, Deadline::after(60)) != Status::ok) {
    return 3;
  }

  while (true) {
    Frame frame;
    const Status status = control.receive_frame(frame, Deadline::after(3600));
    if (status == Status::timeout) {
      continue;
    }
    const auto request = protocol::message_in<protocol::Spawn>(frame);
    if (status != Status::ok || !request || frame.fds.size() != 2) {
      return status == Status::closed ? 0 : 3; // children die with their owners' sockets
    }
    start_guarded_child(*request, options, std::move(frame.fds[0]), std::move(frame.fds[1]));
  }
}

} // namespace kernelbench::worker
