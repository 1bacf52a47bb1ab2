#include "domain/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/result.h"

namespace kernelbench {
namespace {

TEST(Plan, GoesThroughJson) {
  const Plan plan = {{"level1/19", 0}, {"my/\"odd\" näme.py", 3}};
  EXPECT_EQ(plan_to_json({{"level1/19", 0}}), R"([{"task":"level1/19","sample":0}])");
  EXPECT_EQ(plan_from_json(plan_to_json(plan)), plan);
  EXPECT_EQ(plan_to_json({}), "[]");
  EXPECT_TRUE(plan_from_json("").empty());
  EXPECT_TRUE(plan_from_json("[]").empty());
}

TEST(Plan, RefusesWhatIsNoPlan) {
  for (const char* text : {"{}", "[1]", "[{\"task\":\"a\"}]", "[{\"task\":1,\"sample\":0}]", "[", "null"}) {
    EXPECT_THROW(plan_from_json(text), UserError) << text;
  }
}

} // namespace
} // namespace kernelbench
