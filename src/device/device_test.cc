#include "device/device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "base/result.h"

namespace kernelbench::device {
namespace {

TEST(ParseDevice, KnowsTheCpuAndEveryGpu) {
  EXPECT_FALSE(parse_device("cpu").cuda);
  EXPECT_TRUE(parse_device("cuda").cuda);
  EXPECT_EQ(parse_device("cuda").index, 0);
  EXPECT_TRUE(parse_device("cuda:0").cuda);
  EXPECT_EQ(parse_device("cuda:0").index, 0);
  EXPECT_EQ(parse_device("cuda:17").index, 17);
}

TEST(ParseDevice, RefusesEverythingElse) {
  for (const char* text : {"", "CPU", "cpu:0", "cpu ", "gpu", "tpu", "cuda:", "cuda:x", "cuda:-1", "cuda:+1",
                           "cuda:1.5", "cuda: 1", "cuda:1 ", "cuda:0x1", "cuda:99999999999", "cuda0", "0"}) {
    EXPECT_THAT([&] { parse_device(text); }, testing::ThrowsMessage<UserError>("unknown device '" + std::string(text) +
                                                                               "': give cpu, cuda or cuda:N"));
  }
}

TEST(Device, TextIsReadBack) {
  EXPECT_EQ(Device{}.text(), "cpu");
  EXPECT_EQ((Device{true, 3}.text()), "cuda:3");
  for (const char* text : {"cpu", "cuda:0", "cuda:12"}) {
    EXPECT_EQ(parse_device(text).text(), text);
  }
}

TEST(GpusPresent, AreWhatTheCallerMaySee) {
  ::setenv("CUDA_VISIBLE_DEVICES", "3,GPU-ea1b,0", 1);
  EXPECT_EQ(gpus_present(), (std::vector<std::string>{"3", "GPU-ea1b", "0"}));
  ::setenv("CUDA_VISIBLE_DEVICES", "", 1);
  EXPECT_TRUE(gpus_present().empty());
  ::unsetenv("CUDA_VISIBLE_DEVICES");
}

} // namespace
} // namespace kernelbench::device
