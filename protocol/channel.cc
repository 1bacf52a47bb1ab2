#include "protocol/channel.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace kernelbench::protocol {

namespace {

constexpr int max_fds = 4;

struct Header {
  std::uint32_t kind;
  std::uint32_t length;
};

bool wait_for(int fd, short events, const Deadline& deadline) {
  while (true) {
    pollfd entry{fd, events, 0};
    const int n = ::poll(&entry, 1, deadline.poll_milliseconds());
    if (n > 0) {
      return true;
    }
    if ((n == 0 || errno != EINTR) && deadline.passed()) {
      return false;
    }
  }
}

// One sendmsg of as much of `size` bytes as fits, with descriptors.
ssize_t send_some(int socket, const char* bytes, std::size_t size, const std::vector<int>& fds) {
  iovec part{const_cast<char*>(bytes), size};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * max_fds)> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (!fds.empty()) {
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(sizeof(int) * fds.size());
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * fds.size());
    std::memcpy(CMSG_DATA(header), fds.data(), sizeof(int) * fds.size());
  }
  return ::sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

ssize_t receive_some(int socket, char* bytes, std::size_t size, int accept_fds, std::vector<Fd>& fds) {
  iovec part{bytes, size};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * max_fds)> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (accept_fds > 0) {
    message.msg_control = control.data();
    message.msg_controllen = control.size();
  }
  const ssize_t n = ::recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (n > 0 && accept_fds > 0) {
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr; header = CMSG_NXTHDR(&message, header)) {
      if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) {
        continue;
      }
      const std::size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
      for (std::size_t i = 0; i < count; ++i) {
        int fd = -1;
        std::memcpy(&fd, CMSG_DATA(header) + i * sizeof(int), sizeof fd);
        fds.emplace_back(fd);
      }
    }
  }
  return n;
}

} // namespace

Status Channel::send_frame(std::uint32_t kind, const std::string& payload, const Deadline& deadline,
                           const std::vector<int>& fds) {
  const Header header{kind, static_cast<std::uint32_t>(payload.size())};
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
  bytes += payload;
  bool fds_sent = fds.empty();
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n =
        send_some(socket_.get(), bytes.data() + done, bytes.size() - done, fds_sent ? std::vector<int>{} : fds);
    if (n > 0) {
      done += static_cast<std::size_t>(n);
      fds_sent = true;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!wait_for(socket_.get(), POLLOUT, deadline)) {
        return Status::timeout;
      }
    } else if (errno != EINTR) {
      return Status::closed;
    }
  }
  return Status::ok;
}

Status Channel::receive_frame(Frame& frame, const Deadline& deadline) {
  frame = {};
  Header header{};
  const auto fill = [&](char* to, std::size_t size) {
    for (std::size_t done = 0; done < size;) {
      const ssize_t n = receive_some(socket_.get(), to + done, size - done, accept_fds_, frame.fds);
      if (n > 0) {
        done += static_cast<std::size_t>(n);
      } else if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
        return Status::closed;
      } else if (errno != EINTR && !wait_for(socket_.get(), POLLIN, deadline)) {
        return Status::timeout;
      }
    }
    return Status::ok;
  };
  if (const Status status = fill(reinterpret_cast<char*>(&header), sizeof header); status != Status::ok) {
    return status;
  }
  if (header.length > max_frame_ || frame.fds.size() > static_cast<std::size_t>(accept_fds_)) {
    return Status::malformed;
  }
  frame.kind = header.kind;
  // Grown as bytes arrive: a peer that announces much and sends little costs little.
  while (frame.payload.size() < header.length) {
    const std::size_t start = frame.payload.size();
    const std::size_t piece = std::min<std::size_t>(header.length - start, 1u << 20);
    frame.payload.resize(start + piece);
    if (const Status status = fill(frame.payload.data() + start, piece); status != Status::ok) {
      return status;
    }
  }
  return Status::ok;
}

bool Channel::readable(const Deadline& deadline) const { return wait_for(socket_.get(), POLLIN, deadline); }

std::pair<Fd, Fd> socket_pair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw std::system_error(errno, std::generic_category(), "socketpair");
  }
  return {Fd(ends[0]), Fd(ends[1])};
}

} // namespace kernelbench::protocol
