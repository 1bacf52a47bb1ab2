#include "protocol/child.h"

#include <sys/socket.h>

namespace kernelbench::protocol {

std::optional<ChildExit> Child::wait_exit(const Deadline& deadline) {
  if (!exit_ && guard_) {
    Frame frame;
    if (guard_.receive_frame(frame, deadline) == Status::ok) {
      exit_ = message_in<ChildExit>(frame);
    }
  }
  return exit_;
}

std::optional<ChildExit> Child::kill() {
  if (!exit_ && guard_) {
    ::shutdown(guard_.fd(), SHUT_WR);
  }
  return wait_exit(Deadline::after(10));
}

std::optional<ZygoteReady> Zygote::wait_ready(const Deadline& deadline) {
  Frame frame;
  if (control_.receive_frame(frame, deadline) != Status::ok) {
    return std::nullopt;
  }
  return message_in<ZygoteReady>(frame);
}

std::unique_ptr<Child> Zygote::spawn(const Spawn& request, std::uint32_t max_frame, int accept_fds) {
  auto [channel, child_channel] = socket_pair();
  auto [guard, child_guard] = socket_pair();
  if (control_.send(request, Deadline::after(10), {child_channel.get(), child_guard.get()}) != Status::ok) {
    return nullptr;
  }
  return std::make_unique<Child>(std::move(channel), std::move(guard), max_frame, accept_fds);
}

} // namespace kernelbench::protocol
