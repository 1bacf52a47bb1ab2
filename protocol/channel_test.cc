#include "protocol/channel.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <thread>

#include "protocol/messages.h"

namespace kernelbench::protocol {
namespace {

TEST(Channel, CarriesALargeMessageAndADescriptor) {
  auto [a, b] = socket_pair();
  Channel sender(std::move(a));
  Channel receiver(std::move(b), 1u << 30, 2);
  Fd file(::open("/dev/null", O_RDONLY));
  NeedUnit message{std::string(8u << 20, 'x')};
  std::thread thread(
      [&] { EXPECT_EQ(sender.send(message, Deadline::after(10), {file.get()}), Status::ok); });
  Frame frame;
  EXPECT_EQ(receiver.receive_frame(frame, Deadline::after(10)), Status::ok);
  thread.join();
  EXPECT_EQ(frame.fds.size(), 1u);
  const auto back = message_in<NeedUnit>(frame);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->specification, message.specification);
  EXPECT_FALSE(message_in<Failed>(frame));
}

TEST(Channel, TheKernelDropsDescriptorsThatNobodyAskedFor) {
  auto [a, b] = socket_pair();
  Channel sender(std::move(a));
  Channel receiver(std::move(b));
  Fd file(::open("/dev/null", O_RDONLY));
  ASSERT_EQ(sender.send(Stored{true}, Deadline::after(1), {file.get()}), Status::ok);
  Frame frame;
  EXPECT_EQ(receiver.receive_frame(frame, Deadline::after(1)), Status::ok);
  EXPECT_TRUE(frame.fds.empty());
}

TEST(Channel, SilenceIsATimeoutAndAnEndIsClosed) {
  auto [a, b] = socket_pair();
  Channel receiver(std::move(b));
  Frame frame;
  EXPECT_EQ(receiver.receive_frame(frame, Deadline::after(0.02)), Status::timeout);
  // half a header, then nothing
  ASSERT_EQ(::send(a.get(), "abc", 3, 0), 3);
  EXPECT_EQ(receiver.receive_frame(frame, Deadline::after(0.02)), Status::timeout);
  a.reset();
  EXPECT_EQ(receiver.receive_frame(frame, Deadline::after(1)), Status::closed);
}

TEST(Channel, AnAnnouncedGiantIsMalformed) {
  auto [a, b] = socket_pair();
  Channel receiver(std::move(b), 1024);
  const std::uint32_t header[2] = {1, 0xffffffff};
  ASSERT_EQ(::send(a.get(), header, sizeof header, 0), static_cast<ssize_t>(sizeof header));
  Frame frame;
  EXPECT_EQ(receiver.receive_frame(frame, Deadline::after(1)), Status::malformed);
}

TEST(Channel, AReaderThatNeverReadsDoesNotHoldTheSender) {
  auto [a, b] = socket_pair();
  Channel sender(std::move(a));
  EXPECT_EQ(sender.send(NeedUnit{std::string(64u << 20, 'x')}, Deadline::after(0.05)), Status::timeout);
}

} // namespace
} // namespace kernelbench::protocol
