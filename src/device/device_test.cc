#include "device/device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

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

TEST(GpusPresent, GivesEachIndexOnceInOrder) {
  const auto gpus = gpus_present();
  EXPECT_TRUE(std::is_sorted(gpus.begin(), gpus.end()));
  EXPECT_EQ(std::adjacent_find(gpus.begin(), gpus.end()), gpus.end());
  EXPECT_TRUE(std::all_of(gpus.begin(), gpus.end(), [](int index) { return index >= 0; }));
}

} // namespace
} // namespace kernelbench::device
