// Named arrays: archives that numpy wrote, archives that numpy can read, and a clear word on all others.
#include "io/npz.h"

#include <string>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "base/file.h"
#include "io/npy.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::io {
namespace {

using test::message_of;

// numpy 2.4.6: savez and savez_compressed of {"sit on/W1": [[1, 2.5, -3], [4, 5, 6]] as float32,
// "b": [0.5, -1] as float64}.
constexpr std::string_view kSaved =
    "504b03042d0000000000000021005b01f25fffffffffffffffff0d001400736974206f6e2f57312e6e707901001000980000"
    "00000000009800000000000000934e554d5059010076007b276465736372273a20273c6634272c2027666f727472616e5f6f"
    "72646572273a2046616c73652c20277368617065273a2028322c2033292c207d202020202020202020202020202020202020"
    "202020202020202020202020202020202020202020202020202020202020202020202020202020200a0000803f0000204000"
    "0040c0000080400000a0400000c040504b03042d000000000000002100bcd4baa1ffffffffffffffff05001400622e6e7079"
    "0100100090000000000000009000000000000000934e554d5059010076007b276465736372273a20273c6638272c2027666f"
    "727472616e5f6f72646572273a2046616c73652c20277368617065273a2028322c292c207d20202020202020202020202020"
    "20202020202020202020202020202020202020202020202020202020202020202020202020202020202020202020200a0000"
    "00000000e03f000000000000f0bf504b01022d032d0000000000000021005b01f25f98000000980000000d00000000000000"
    "00000000800100000000736974206f6e2f57312e6e7079504b01022d032d000000000000002100bcd4baa190000000900000"
    "000500000000000000000000008001d7000000622e6e7079504b050600000000020002006e0000009e0100000000";
constexpr std::string_view kSavedPacked =
    "504b03042d0000000800000021005b01f25fffffffffffffffff0d001400736974206f6e2f57312e6e707901001000980000"
    "00000000005a000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9366a2aea3a09e965f54529498179f"
    "5f94920a12774bcc294e058a17672416a402f91a463a0ac69a3a0ab50a64032e0686067b06060507060687034036905e00c4"
    "071c00504b03042d000000080000002100bcd4baa1ffffffffffffffff05001400622e6e7079010010009000000000000000"
    "4d000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9366a1aea3a09e965f54529498179f5f94920a12"
    "774bcc294e058a17672416a402f91a463a9a3a0ab50a14002e063078600fa13fec0700504b01022d032d0000000800000021"
    "005b01f25f5a000000980000000d0000000000000000000000800100000000736974206f6e2f57312e6e7079504b01022d03"
    "2d000000080000002100bcd4baa14d00000090000000050000000000000000000000800199000000622e6e7079504b050600"
    "000000020002006e0000001d0100000000";

std::string from_hex(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes += static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16));
  return bytes;
}

using Values = std::vector<float>;
using Shape = std::vector<std::size_t>;

TEST(Npz, ReadsWhatNumpyWrites) {
  const test::TempDir folder;
  for (const std::string_view file : {kSaved, kSavedPacked}) {
    const NamedArrays arrays = read_npz(folder.write("a.npz", from_hex(file)));
    ASSERT_EQ(arrays.size(), 2u);
    EXPECT_EQ(arrays.at("sit on/W1").shape, (Shape{2, 3}));
    EXPECT_EQ(arrays.at("sit on/W1").values, (Values{1, 2.5f, -3, 4, 5, 6}));
    EXPECT_EQ(arrays.at("b").shape, (Shape{2}));
    EXPECT_EQ(arrays.at("b").values, (Values{.5f, -1}));
  }
}

TEST(Npz, ComesBackAndIsTheSameBytesEachTime) {
  const test::TempDir folder;
  const std::string path = (folder.path() / "b.npz").string();
  const NamedArrays arrays = {{"play with/V", {{1, 4}, {1, -2, 1e-30f, 7}}}, {"\xC3\xA9", {{3}, {0, 1, 2}}}};
  write_npz(path, arrays);
  const std::string bytes = read_file_as_is(path);
  const NamedArrays back = read_npz(path);
  ASSERT_EQ(back.size(), 2u);
  for (const auto& [name, array] : arrays) {
    EXPECT_EQ(back.at(name).shape, array.shape);
    EXPECT_EQ(back.at(name).values, array.values);
  }
  write_npz(path, arrays);
  EXPECT_EQ(read_file_as_is(path), bytes);
}

// The members must lie there as numpy.save writes them: numpy.load finds them by the directory at the end.
TEST(Npz, HoldsWholeNpyFilesUnpacked) {
  const test::TempDir folder;
  const std::string path = (folder.path() / "c.npz").string();
  write_npz(path, {{"x", {{2, 1}, {3, 4}}}, {"y", {{1}, {5}}}});
  const std::string bytes = read_file_as_is(path);
  EXPECT_NE(bytes.find(npy_bytes(Values{3, 4}, 2, 1)), std::string::npos);
  EXPECT_NE(bytes.find("'shape': (1,), }"), std::string::npos);
  EXPECT_NE(bytes.find("PK\x01\x02"), std::string::npos);
}

TEST(Npz, SaysWhatIsWrong) {
  const test::TempDir folder;
  const auto problem = [&](const std::string& bytes) {
    const std::string path = folder.write("bad.npz", bytes);
    return message_of<FileError>([&] { read_npz(path); });
  };
  EXPECT_NE(problem("no archive at all").find("cannot be read as a zip"), std::string::npos);
  std::string damaged = from_hex(kSaved);
  damaged.replace(damaged.find("NUMPY"), 5, "NIMPY");
  EXPECT_NE(problem(damaged), "");
  std::string other = from_hex(kSaved);
  for (std::size_t at; (at = other.find(".npy")) != std::string::npos;) other.replace(at, 4, ".txt");
  EXPECT_NE(problem(other).find("expected arrays alone (.npy)"), std::string::npos);
  EXPECT_NE(message_of<FileError>([] { read_npz("/nowhere/at/all.npz"); }).find("/nowhere/at/all.npz"),
            std::string::npos);
}

}  // namespace
}  // namespace capella::io
