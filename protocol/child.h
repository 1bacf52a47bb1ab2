#pragma once

#include <memory>
#include <optional>

#include "protocol/channel.h"
#include "protocol/messages.h"

namespace kernelbench::protocol {

// One single-use process forked by a zygote. The object owns its life: destroyed, the guard kills whatever is left of it.
class Child {
public:
  Child(Fd channel, Fd guard, std::uint32_t max_frame, int accept_fds)
      : channel_(std::move(channel), max_frame, accept_fds), guard_(std::move(guard), 1u << 20) {}

  Channel& channel() { return channel_; }

  // How the child ended, waiting for it. Nothing when the guard does not say so in time (then the harness is at fault).
  std::optional<ChildExit> wait_exit(const Deadline& deadline);
  // Kills the child and everything that it started, then waits for the guard's report.
  std::optional<ChildExit> kill();

private:
  Channel channel_;
  Channel guard_;
  std::optional<ChildExit> exit_;
};

// The owner's end of a zygote's control socket.
class Zygote {
public:
  explicit Zygote(Fd control) : control_(std::move(control), 1u << 20) {}

  std::optional<ZygoteReady> wait_ready(const Deadline& deadline);
  // Nothing when the zygote is gone. max_frame and accept_fds bound what the child may send.
  std::unique_ptr<Child> spawn(const Spawn& request, std::uint32_t max_frame = 64u << 20, int accept_fds = 0);

private:
  Channel control_;
};

} // namespace kernelbench::protocol
