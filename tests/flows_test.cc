// Runs every flow of tests/flows: a task, a candidate (or an LM's answer), and what must become of it. A flow is data; its
// folder holds flow.toml, which says what it shows.

#include <fmt/format.h>
#include <gtest/gtest.h>

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "extract/candidate_file.h"
#include "extract/extract.h"
#include "run/session.h"
#include "task/open.h"

namespace kernelbench {
namespace {

namespace fs = std::filesystem;

const fs::path source_directory = KERNELBENCH_SOURCE_DIR;

std::vector<std::string> flow_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(source_directory / "tests" / "flows")) {
    if (fs::exists(entry.path() / "flow.toml")) {
      names.push_back(entry.path().filename().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Flow : public testing::TestWithParam<std::string> {
protected:
  // One session serves all flows, as in a run: what one candidate does must not reach the next.
  static void SetUpTestSuite() {
    installation_ = Installation::find();
    session_ = run::Session::open(installation_, {});
    session_->warm_up(true);
    catalog_ = std::make_unique<task::Catalog>(task::Catalog::load(installation_.data / "tasks"));
    presets_ = std::make_unique<task::Presets>(task::Presets::load(installation_.data / "presets"));
  }
  static void TearDownTestSuite() { session_.reset(); }

  static inline Installation installation_;
  static inline std::unique_ptr<run::Session> session_;
  static inline std::unique_ptr<task::Catalog> catalog_;
  static inline std::unique_ptr<task::Presets> presets_;
};

TEST_P(Flow, HasItsOutcome) {
  const fs::path folder = source_directory / "tests" / "flows" / GetParam();
  const toml::table flow = toml::parse_file((folder / "flow.toml").string());
  const auto text = [](const auto& node) { return node.template value_or<std::string>(""); };
  evaluate::Request request;
  request.tolerance = flow["tolerance"].value_or<std::string>("paper");
  const auto limits = flow["limits"];
  request.limits.build_s = limits["build_s"].value_or(request.limits.build_s);
  request.limits.load_s = limits["load_s"].value_or(request.limits.load_s);
  request.limits.check_s = limits["check_s"].value_or(request.limits.check_s);
  request.limits.time_s = limits["time_s"].value_or(request.limits.time_s);
  request.limits.memory_mb = limits["memory_mb"].value_or(request.limits.memory_mb);
  request.limits.processes = limits["processes"].value_or(request.limits.processes);
  request.limits.disk_mb = limits["disk_mb"].value_or(request.limits.disk_mb);
  session_->set_request(request);

  std::string spec = text(flow["task"]);
  if (spec.ends_with(".py")) {
    spec = (folder / spec).string();
  }
  const Task task = task::open_task(*catalog_, *presets_, spec, flow["preset"].value_or<std::string>("smoke"));

  Record record;
  if (flow.contains("answer")) {
    const auto extraction = extract::extract_candidate(read_file(folder / text(flow["answer"]), "answer"));
    if (!extraction.cause.empty()) {
      record = session_->not_extracted({}, task, 0, extraction.cause, extraction.message);
    } else {
      const Candidate candidate = make_candidate(extraction.source);
      record = session_->evaluate({}, task, candidate, session_->build(task, candidate)).record;
    }
  } else {
    const Candidate candidate = extract::read_candidate_file(folder / text(flow["candidate"]));
    record = session_->evaluate({}, task, candidate, session_->build(task, candidate)).record;
  }

  ASSERT_FALSE(record.fault) << *record.fault;
  const std::string expected = text(flow["expect"]["outcome"]) + "/" + text(flow["expect"]["cause"]);
  EXPECT_EQ(fmt::format("{}/{}", name_of(*record.outcome), record.cause), expected) << record.message;
  EXPECT_NE(record.message.find(text(flow["expect"]["message_contains"])), std::string::npos)
      << "the message lacks '" << text(flow["expect"]["message_contains"]) << "':\n"
      << record.message;
  EXPECT_LE(record.message.size(), 70'000U);
  if (record.outcome == Outcome::correct) {
    ASSERT_TRUE(record.timing);
    EXPECT_EQ(record.timing->candidate.n, 100);
    EXPECT_EQ(record.check->passed, 5);
  } else {
    EXPECT_FALSE(record.timing);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Flow, testing::ValuesIn(flow_names()), [](const auto& name) { return name.param; });

// Every outcome and cause that can arise on a CPU has a flow.
TEST(Flows, CoverEveryCause) {
  std::vector<std::string> covered;
  for (const std::string& name : flow_names()) {
    const toml::table flow = toml::parse_file((source_directory / "tests" / "flows" / name / "flow.toml").string());
    covered.push_back(flow["expect"]["outcome"].value_or<std::string>("") + "/" + flow["expect"]["cause"].value_or<std::string>(""));
  }
  const std::vector<std::string> needs_a_gpu = {"crashed/illegal_memory_access", "crashed/launch_failure", "out_of_memory/device"};
  for (const Outcome outcome : all_outcomes()) {
    for (const std::string_view cause : causes_of(outcome)) {
      const std::string both = fmt::format("{}/{}", name_of(outcome), cause);
      if (both == "wrong_output/nondeterministic" || std::count(needs_a_gpu.begin(), needs_a_gpu.end(), both) > 0) {
        continue;
      }
      EXPECT_GT(std::count(covered.begin(), covered.end(), both), 0) << both;
    }
  }
}

} // namespace
} // namespace kernelbench
