// Files of tensors: reading back what was written, and a clear word on everything that can be wrong.
#include "tensor/safetensors.h"

#include <bit>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::tensor {
namespace {

using test::message_of;
using test::TempDir;

std::string file_bytes(const std::string& header, const std::string& data) {
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + header + data;
}

class SafetensorsTest : public ::testing::Test {
 protected:
  std::string write(const std::string& bytes) const { return folder_.write("model.safetensors", bytes); }

  // What opening a file says, without the path in front.
  std::string problem(const std::string& bytes) const {
    const std::string path = write(bytes);
    const std::string message = message_of<FileError>([&] { Safetensors{path}; });
    EXPECT_EQ(message.substr(0, path.size() + 2), path + ": ");
    return message.substr(std::min(message.size(), path.size() + 2));
  }

  TempDir folder_;
};

TEST_F(SafetensorsTest, ReadsWhatWasWritten) {
  const std::vector<float> floats = {1.5f, -2.0f, 3.25f, 0.0f, 1e-30f, 7.0f};
  const std::vector<std::int8_t> bytes = {-128, 0, 127};
  const std::vector<std::int64_t> longs = {-1, std::int64_t{1} << 40};
  const std::string path = (folder_.path() / "a").string();
  write_safetensors(path,
                    std::vector<NamedTensor>{named_tensor<std::int8_t>("b", {3}, bytes),
                                             named_tensor<float>("a.weight", {2, 3}, floats),
                                             named_tensor<std::int64_t>("long", {2, 1}, longs)},
                    {{"format", "test"}, {"width", "12"}});
  const Safetensors file(path);
  EXPECT_EQ(file.text("format"), "test");
  EXPECT_EQ(file.number("width", 1, 100), 12u);
  EXPECT_EQ(file.tensors().size(), 3u);
  const auto read = file.values<float>("a.weight", {2, 3});
  EXPECT_EQ(std::vector<float>(read.begin(), read.end()), floats);
  EXPECT_EQ(file.values<std::int8_t>("b", {3})[0], -128);
  EXPECT_EQ(file.values<std::int64_t>("long", {2, 1})[1], std::int64_t{1} << 40);
}

TEST_F(SafetensorsTest, ReadsTensorsThatLieAskew) {
  const float value = 2.5f;
  const std::string data = "x" + std::string(reinterpret_cast<const char*>(&value), sizeof value);
  const Safetensors file(
      write(file_bytes(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[1,5]}})", data)));
  const auto values = file.values<float>("a", {1});
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(values.data()) % alignof(float), 0u);
  EXPECT_EQ(values[0], value);
}

TEST_F(SafetensorsTest, TakesEmptyTensorsAndScalars) {
  const Safetensors file(write(file_bytes(
      R"({"none":{"dtype":"F16","shape":[0,3],"data_offsets":[0,0]},"one":{"dtype":"BF16","shape":[],"data_offsets":[0,2]}} )",
      "ab")));
  EXPECT_EQ(file.tensor("none").bytes.size(), 0u);
  EXPECT_EQ(file.tensor("one").bytes.size(), 2u);
}

// Sizes are those of the format's description; masks and counters of other programs stand in the way of none.
TEST_F(SafetensorsTest, KnowsAllTypesOfWholeBytes) {
  const std::map<std::string, std::size_t> sizes = {
      {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E4M3", 1}, {"F8_E5M2", 1}, {"I16", 2}, {"U16", 2}, {"F16", 2},
      {"BF16", 2}, {"I32", 4}, {"U32", 4}, {"F32", 4},     {"I64", 8},     {"U64", 8}, {"F64", 8}};
  for (const auto& [name, size] : sizes) {
    const std::string header = "{\"a\":{\"dtype\":\"" + name + "\",\"shape\":[2],\"data_offsets\":[0," +
                               std::to_string(2 * size) + "]}}";
    const Safetensors file(write(file_bytes(header, std::string(2 * size, 'x'))));
    EXPECT_EQ(type_name(file.tensor("a").type), name);
    EXPECT_EQ(file.tensor("a").bytes.size(), 2 * size) << name;
  }
}

TEST_F(SafetensorsTest, SaysWhatIsWrongWithTheHeader) {
  EXPECT_EQ(problem("abc"), "3 bytes are too few for a file of tensors");
  EXPECT_EQ(problem(std::string(9, '\xFF')),
            "not a safetensors file: its header would have 18446744073709551615 bytes");
  EXPECT_EQ(problem(file_bytes("{}", "").substr(0, 9)),
            "the header has 2 bytes, of which 1 are there; the file may be cut short");
  EXPECT_EQ(problem(file_bytes("{", "")), "the header is not JSON");
  EXPECT_EQ(problem(file_bytes("[]", "")), "the header is not a JSON object");
  EXPECT_EQ(problem(file_bytes(R"({"a":1,"a":2})", "")), "the header has 'a' twice");
  EXPECT_EQ(problem(file_bytes(R"({"__metadata__":{"k":1}})", "")), "'__metadata__': 'k' is not a text");
  EXPECT_EQ(problem(file_bytes(R"({"__metadata__":[]})", "")), "'__metadata__' is not an object");
}

TEST_F(SafetensorsTest, SaysWhatIsWrongWithATensor) {
  const auto tensor = [&](const std::string& entry) {
    return problem(file_bytes("{\"a\":" + entry + "}", "1234"));
  };
  EXPECT_EQ(tensor("1"), "tensor 'a' is not described by an object");
  EXPECT_EQ(tensor(R"({"shape":[1],"data_offsets":[0,4]})"), "tensor 'a' has no 'dtype'");
  EXPECT_EQ(tensor(R"({"dtype":"F4","shape":[1],"data_offsets":[0,4]})"),
            "tensor 'a' has the type F4, which is not supported");
  EXPECT_EQ(tensor(R"({"dtype":"F32","data_offsets":[0,4]})"), "tensor 'a' has no list 'shape'");
  EXPECT_EQ(tensor(R"({"dtype":"F32","shape":[-1],"data_offsets":[0,4]})"), "tensor 'a': 'shape' has -1");
  EXPECT_EQ(tensor(R"({"dtype":"F32","shape":[[1]],"data_offsets":[0,4]})"),
            "tensor 'a': 'shape' has a list");
  EXPECT_EQ(tensor(R"({"dtype":"F32","shape":[1],"data_offsets":[0,{"b":4}]})"),
            "tensor 'a': 'data_offsets' has an object");
  EXPECT_EQ(tensor(R"({"dtype":"F32","shape":[1],"data_offsets":[4,0]})"),
            "tensor 'a': 'data_offsets' is no range");
  EXPECT_EQ(tensor(R"({"dtype":"F32","shape":[2],"data_offsets":[0,8]})"),
            "tensor 'a' ends at byte 8 of the data, which have 4; the file may be cut short");
  EXPECT_EQ(tensor(R"({"dtype":"F32","shape":[2],"data_offsets":[0,4]})"),
            "tensor 'a' of type F32 and shape [2] has 4 bytes");
  EXPECT_EQ(tensor(R"({"dtype":"I8","shape":[4294967296,4294967296],"data_offsets":[0,0]})"),
            "tensor 'a' of type I8 and shape [4294967296, 4294967296] has 0 bytes");
}

// A file of megabytes would else ask for terabytes.
TEST_F(SafetensorsTest, TensorsDoNotShareBytes) {
  const auto two = [&](const std::string& first, const std::string& second) {
    return file_bytes(R"({"b":{"dtype":"I8","shape":[2],"data_offsets":)" + first +
                          R"(},"a":{"dtype":"I8","shape":[2],"data_offsets":)" + second + "}}",
                      "1234");
  };
  EXPECT_EQ(problem(two("[0,2]", "[1,3]")), "tensors 'b' and 'a' share bytes, expected each to have its own");
  EXPECT_EQ(problem(two("[1,3]", "[1,3]")), "tensors 'a' and 'b' share bytes, expected each to have its own");
  EXPECT_EQ(Safetensors(write(two("[2,4]", "[0,2]"))).tensors().size(), 2u);
}

// Recursion over the lists would need more stack than there is.
TEST_F(SafetensorsTest, RefusesListsOfAnyDepth) {
  constexpr std::size_t kDepth = 1'000'000;
  const std::string deep = std::string(kDepth, '[') + std::string(kDepth, ']');
  EXPECT_EQ(
      problem(file_bytes(R"({"a":{"dtype":"F32","shape":)" + deep + R"(,"data_offsets":[0,4]}})", "1234")),
      "tensor 'a': 'shape' has a list");
}

TEST_F(SafetensorsTest, SaysWhatIsNotThere) {
  const std::vector<float> values = {1, 2};
  const std::string path = write(
      safetensors_bytes(std::vector<NamedTensor>{named_tensor<float>("a", {2}, values)}, {{"width", "12x"}}));
  const Safetensors file(path);
  const auto what = [](auto call) { return message_of<FileError>(call); };
  EXPECT_EQ(what([&] { file.tensor("b"); }), path + ": there is no tensor 'b'");
  EXPECT_EQ(what([&] {
              file.values<float>("a", {1, 2});
            }),
            path + ": tensor 'a' is F32 [2], expected F32 [1, 2]");
  EXPECT_EQ(what([&] { file.values<std::int8_t>("a", {2}); }),
            path + ": tensor 'a' is F32 [2], expected I8 [2]");
  EXPECT_EQ(what([&] { file.text("x"); }), path + ": '__metadata__' has no 'x'");
  EXPECT_EQ(what([&] { file.number("width", 1, 20); }),
            path + ": '__metadata__': 'width' is '12x', expected a number from 1 to 20");
}

TEST_F(SafetensorsTest, WriterRefusesWhatDoesNotFit) {
  const std::vector<float> values = {1, 2};
  const NamedTensor good = named_tensor<float>("a", {2}, values);
  const NamedTensor bad = named_tensor<float>("b", {3}, values);
  EXPECT_THROW(safetensors_bytes(std::vector{bad}, {}), UsageError);
  EXPECT_THROW(safetensors_bytes(std::vector{good, good}, {}), UsageError);
}

}  // namespace
}  // namespace capella::tensor
