// Checkpoints: what is written is read, and no damaged bit is taken for what was written.
#include "method/training_state.h"

#include <cmath>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "base/file.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::method {
namespace {

constexpr NetworkFormat kFormat = {"test.model", "test.checkpoint", "capella test"};

class TrainingStateTest : public ::testing::Test {
 protected:
  TrainingStateTest() {
    write_training_state(path_, kFormat, 0xfedcba9876543210u, {{std::nan(""), .5}, {.25, -1}},
                         std::vector<NetworkArray>{{"b", {2, 1}, {1, -2}}, {"a", {1}, {.5f}}});
  }

  std::string problem() const {
    return test::message_of<FileError>([&] { read_training_state(path_, kFormat, 2); });
  }

  test::TempDir folder_;
  std::string path_ = (folder_.path() / "x.checkpoint").string();
};

TEST_F(TrainingStateTest, ReadsWhatWasWritten) {
  const TrainingState state = read_training_state(path_, kFormat, 2);
  EXPECT_EQ(state.fingerprint, 0xfedcba9876543210u);
  ASSERT_EQ(state.rows.size(), 2u);
  EXPECT_TRUE(std::isnan(state.rows[0][0]));
  EXPECT_EQ(state.rows[1], (std::vector<double>{.25, -1}));
  ASSERT_EQ(state.arrays.size(), 2u);
  EXPECT_EQ(state.arrays[1].values, (std::vector<float>{1, -2}));
}

TEST_F(TrainingStateTest, NoDamagedBitIsTaken) {
  const std::string whole = read_file(path_);
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    if (whole[bit / 8] == ' ') continue;  // blanks between header and arrays are nothing that is read
    std::string bytes = whole;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    folder_.write("x.checkpoint", bytes);
    const std::string message = problem();
    ASSERT_TRUE(message.starts_with(path_ + ": ")) << "bit " << bit << ": " << message;
    ASSERT_TRUE(message.ends_with("begin anew with --restart")) << message;
  }
}

TEST_F(TrainingStateTest, SaysWhatIsWrong) {
  std::string bytes = read_file(path_);
  ++bytes.back();
  folder_.write("x.checkpoint", bytes);
  EXPECT_NE(problem().find("is damaged: it is not what its checksum is of"), std::string::npos);
  write_network_file(path_, {},
                     {{"test.checkpoint", R"({"fingerprint": "0000000000000000", "rows": [[1, 2]]})"}});
  EXPECT_NE(problem().find("has no checksum"), std::string::npos);
  write_network_file(path_, {}, {{"test.model", ""}});
  EXPECT_NE(problem().find("no 'test.checkpoint'"), std::string::npos);
}

}  // namespace
}  // namespace capella::method
