#include "extract/candidate_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/hash.h"
#include "base/result.h"

namespace kernelbench::extract {
namespace {

using testing::AllOf;
using testing::HasSubstr;

namespace fs = std::filesystem;

class CandidateFile : public testing::Test {
protected:
  CandidateFile() {
    std::string name = testing::TempDir() + "kernelbench-candidate-XXXXXX";
    directory_ = mkdtemp(name.data());
  }
  ~CandidateFile() override { fs::remove_all(directory_); }

  fs::path write(const std::string& name, const std::string& content) const {
    std::ofstream(directory_ / name, std::ios::binary) << content;
    return directory_ / name;
  }
  static std::string error_of(const fs::path& path) {
    try {
      (void)read_candidate_file(path);
    } catch (const UserError& error) {
      return error.what();
    }
    return "no error";
  }

  fs::path directory_;
};

TEST_F(CandidateFile, IsReadAsItIs) {
  const std::string source = "import triton\r\nclass ModelNew: pass # \xc3\xa9";
  const fs::path path = write("relu.py", source);
  const Candidate candidate = read_candidate_file(path);
  EXPECT_EQ(candidate.source, source);
  EXPECT_EQ(candidate.sha256, sha256_hex(source));
  EXPECT_EQ(candidate.path, path.string());
  EXPECT_EQ(candidate.language, "triton");
  EXPECT_FALSE(candidate.sample);
}

TEST_F(CandidateFile, KnowsItsSampleByUpstreamsName) {
  EXPECT_EQ(read_candidate_file(write("level_1_problem_19_sample_4_kernel.py", "x")).sample, 4);
}

TEST_F(CandidateFile, SaysWhyAFileIsNone) {
  EXPECT_THAT(error_of(directory_ / "none.py"), AllOf(HasSubstr("none.py"), HasSubstr("No such file")));
  EXPECT_THAT(error_of(directory_), HasSubstr("is a directory"));
  EXPECT_THAT(error_of(write("big.py", std::string((1u << 20) + 1, 'x'))), HasSubstr("at most 1 MiB"));
  EXPECT_EQ(error_of(write("full.py", std::string(1u << 20, 'x'))), "no error");
  EXPECT_THAT(error_of(write("nul.py", std::string("ab\0c", 4))), HasSubstr("zero byte at offset 2"));
  EXPECT_THAT(error_of(write("latin1.py", "x = 1 # \xe9t\xe9")), HasSubstr("not UTF-8 at byte offset 8"));
  EXPECT_THAT(error_of("/dev/null"), HasSubstr("not a regular file"));
}

TEST(CandidateFileNames, AreUpstreams) {
  EXPECT_EQ(parse_candidate_file_name("level_1_problem_19_sample_0_kernel.py"), (CandidateFileName{1, 19, 0}));
  EXPECT_EQ(parse_candidate_file_name("level_3_problem_50_sample_127_kernel.py"), (CandidateFileName{3, 50, 127}));
  for (const char* name :
       {"", "level_", "level_1_problem_19_sample_0_kernel.pyc", "level_1_problem_19_sample_0_prompt.txt",
        "level_1_problem_19_epoch_0_sample_0_kernel.py", "level_-1_problem_19_sample_0_kernel.py",
        "level_1_problem__sample_0_kernel.py", "level_1_problem_99999999999_sample_0_kernel.py",
        "runs/level_1_problem_19_sample_0_kernel.py", "xlevel_1_problem_19_sample_0_kernel.py", "level_1_problem_19"}) {
    EXPECT_FALSE(parse_candidate_file_name(name)) << name;
  }
}

} // namespace
} // namespace kernelbench::extract
