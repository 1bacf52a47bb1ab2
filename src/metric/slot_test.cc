#include "metric/slot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace kernelbench::metric {
namespace {

using ::testing::ElementsAre;

Record record_of(const std::string& task, int sample, const std::string& id, Outcome outcome = Outcome::correct) {
  Record record;
  record.id = id;
  record.task_id = task;
  record.task_level = level_of_task_id(task);
  record.sample = sample;
  record.outcome = outcome;
  return record;
}

std::vector<std::string> tasks_of(const std::vector<Slot>& slots) {
  std::vector<std::string> tasks;
  for (const Slot& slot : slots) {
    tasks.push_back(slot.planned.task + "#" + std::to_string(slot.planned.sample));
  }
  return tasks;
}

TEST(Slot, LevelIsTheDirectoryOfTheId) {
  EXPECT_EQ(level_of_task_id("level1/19"), 1);
  EXPECT_EQ(level_of_task_id("my/level12/19_ReLU.py"), 12);
  EXPECT_EQ(level_of_task_id("/level3/19_ReLU.py"), 3);
  for (const char* id :
       {"my/19_ReLU.py", "level1", "level/1", "levelx/1", "level1x/1", "lev/1", "/1", "", "level99999/1"}) {
    EXPECT_EQ(level_of_task_id(id), 0) << id;
  }
}

TEST(Fill, SortsByLevelNumberAndSampleAndCountsOnce) {
  const std::vector<Record> records;
  const Plan plan = {{"level2/1", 0},  {"level1/19", 1}, {"level1/2", 0},
                     {"level1/19", 0}, {"my/3_x.py", 0}, {"level1/19", 1}};
  const auto slots = fill(plan, records);
  EXPECT_THAT(tasks_of(slots), ElementsAre("my/3_x.py#0", "level1/2#0", "level1/19#0", "level1/19#1", "level2/1#0"));
  EXPECT_THAT(levels_of(slots), ElementsAre(0, 1, 2));
  EXPECT_THAT(tasks_of(at_level(slots, 2)), ElementsAre("level2/1#0"));
  for (const Slot& slot : slots) {
    EXPECT_TRUE(slot.missing());
  }
}

TEST(Fill, LeavesOutRecordsOutsideThePlan) {
  const std::vector<Record> records = {record_of("level1/1", 0, "a"), record_of("level1/1", 1, "b"),
                                       record_of("level1/2", 0, "c")};
  const auto slots = fill({{"level1/1", 1}}, records);
  ASSERT_EQ(slots.size(), 1u);
  EXPECT_EQ(slots[0].record, &records[1]);
}

TEST(Fill, WithoutAPlanTheRecordsAreThePlan) {
  std::vector<Record> records = {record_of("level1/2", 0, "a"), record_of("level1/1", 0, "b")};
  records[0].sample.reset(); // as `eval` writes it
  EXPECT_THAT(tasks_of(fill({}, records)), ElementsAre("level1/1#0", "level1/2#0"));
}

TEST(Fill, TakesTheLevelThatARecordKnows) {
  std::vector<Record> records = {record_of("/elsewhere/7_x.py", 0, "a")};
  records[0].task_level = 3;
  const auto slots = fill({{"/elsewhere/7_x.py", 0}, {"/elsewhere/7_x.py", 1}}, records);
  EXPECT_EQ(slots[0].level, 3);
  EXPECT_EQ(slots[1].level, 3);
}

TEST(Fill, TakesAnOutcomeBeforeAFaultThenTheNewest) {
  std::vector<Record> records = {record_of("level1/1", 0, "old"), record_of("level1/1", 0, "new"),
                                 record_of("level1/1", 0, "fault")};
  records[0].provenance.created = "2025-01-01T00:00:00Z";
  records[1].provenance.created = "2025-01-02T00:00:00Z";
  records[2].provenance.created = "2025-01-03T00:00:00Z";
  records[2].outcome.reset();
  records[2].fault = "the judge was killed";
  std::ranges::sort(records, {}, &Record::id);
  do {
    EXPECT_EQ(fill({}, records)[0].record->id, "new");
  } while (std::ranges::next_permutation(records, {}, &Record::id).found);
}

TEST(Slot, SpeedupIsThatOfACorrectTimedCandidate) {
  Record record = record_of("level1/1", 0, "a");
  Slot slot{{"level1/1", 0}, 1, &record};
  EXPECT_EQ(slot.speedup(), 0); // not timed
  record.timing.emplace().speedup = 1.5;
  EXPECT_EQ(slot.speedup(), 1.5);
  record.timing->speedup = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(slot.speedup(), 0);
  record.timing->speedup = 1.5;
  record.outcome = Outcome::cheated;
  EXPECT_EQ(slot.speedup(), 0);
  EXPECT_EQ(Slot{}.speedup(), 0);
}

} // namespace
} // namespace kernelbench::metric
