#include "protocol/codec.h"

#include <gtest/gtest.h>

#include <random>

#include "protocol/messages.h"

namespace kernelbench::protocol {
namespace {

TEST(Codec, ReturnsWhatWasEncoded) {
  Verdict verdict;
  verdict.verdict = Verdict::Kind::outcome;
  verdict.outcome = Outcome::wrong_output;
  verdict.cause = "shape";
  verdict.check.worst_index = -7;
  verdict.reference_s = {1e-6, 2.5};
  const auto back = decode<Verdict>(encode(verdict));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->outcome, Outcome::wrong_output);
  EXPECT_EQ(back->cause, "shape");
  EXPECT_EQ(back->check.worst_index, -7);
  EXPECT_EQ(back->reference_s, verdict.reference_s);
}

TEST(Codec, RefusesEveryTruncation) {
  Load load;
  load.source = "class ModelNew: pass";
  load.units = {{"digest", "/path", "log"}, {"d2", "", "error"}};
  const std::string bytes = encode(load);
  ASSERT_TRUE(decode<Load>(bytes));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decode<Load>(std::string_view(bytes).substr(0, size))) << size;
  }
  EXPECT_FALSE(decode<Load>(bytes + "x"));
}

TEST(Codec, ACountBeyondTheBytesIsRefusedWithoutAllocating) {
  std::string bytes(8, '\xff');
  EXPECT_FALSE(decode<Drawn>(bytes));
  EXPECT_FALSE(decode<NeedUnit>(bytes));
}

TEST(Codec, AValueOutOfItsTypesRangeIsRefused) {
  Spawn spawn;
  std::string bytes = encode(spawn);
  bytes[3] = 1; // role = 2^24
  EXPECT_FALSE(decode<Spawn>(bytes));
}

TEST(Codec, SurvivesRandomBytes) {
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string bytes(random() % 200, '\0');
    for (char& byte : bytes) {
      byte = static_cast<char>(random() % 3 == 0 ? random() : 0);
    }
    (void)decode<Called>(bytes);
    (void)decode<Failed>(bytes);
    (void)decode<Drawn>(bytes);
    (void)decode<ChildExit>(bytes);
  }
}

} // namespace
} // namespace kernelbench::protocol
