#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "protocol/codec.h"

// Framed messages over one end of a Unix stream socket: {kind, length} and the encoded message, with file descriptors on
// the side where the receiver wants them. Nothing here blocks past its deadline, whatever the other end does or does not do.

namespace kernelbench::protocol {

struct Frame {
  std::uint32_t kind = 0;
  std::string payload;
  std::vector<Fd> fds;
};

enum class Status {
  ok,
  timeout,
  closed,    // the other end is gone
  malformed, // a frame that no honest peer sends: too long, or of an unexpected kind
};

class Channel {
public:
  Channel() = default;
  // max_frame: longest payload accepted, bytes. accept_fds: how many descriptors a frame may carry; 0 has the kernel drop them.
  explicit Channel(Fd socket, std::uint32_t max_frame = 256u << 20, int accept_fds = 0)
      : socket_(std::move(socket)), max_frame_(max_frame), accept_fds_(accept_fds) {}

  int fd() const { return socket_.get(); }
  explicit operator bool() const { return static_cast<bool>(socket_); }
  void close() { socket_.reset(); }

  template <class Message>
  Status send(const Message& message, const Deadline& deadline, const std::vector<int>& fds = {}) {
    return send_frame(Message::kind, encode(message), deadline, fds);
  }
  Status send_frame(std::uint32_t kind, const std::string& payload, const Deadline& deadline, const std::vector<int>& fds);
  // A frame of which only a part arrives in time is lost: what follows on the channel is then malformed.
  Status receive_frame(Frame& frame, const Deadline& deadline);
  // Whether there is something to receive, or the other end is gone.
  bool readable(const Deadline& deadline) const;

private:
  Fd socket_;
  std::uint32_t max_frame_ = 0;
  int accept_fds_ = 0;
};

// The message in `frame` if it is of that kind and well formed.
template <class Message>
std::optional<Message> message_in(const Frame& frame) {
  return frame.kind == Message::kind ? decode<Message>(frame.payload) : std::nullopt;
}

// Two connected ends, both close-on-exec.
std::pair<Fd, Fd> socket_pair();

} // namespace kernelbench::protocol
