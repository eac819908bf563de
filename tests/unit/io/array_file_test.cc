// Matrices of features: files that numpy.save and scipy.io.savemat wrote, and a clear word on all others.
#include "io/array_file.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "io/npy.h"
#include "support/mat_file.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::io {
namespace {

using test::mat_element;
using test::mat_header;
using test::mat_packed;
using test::mat_variable;
using test::MatVariable;
using test::message_of;
using test::raw;
using Values = std::vector<float>;

std::string array_file_from_hex(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes += static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16));
  return bytes;
}

// As numpy writes it: version, header padded so that the data begin at a multiple of 64.
std::string npy(int version, const std::string& header, const std::string& data) {
  const std::size_t length_size = version == 1 ? 2 : 4;
  std::string text = header;
  text.append((64 - (8 + length_size + text.size() + 1) % 64) % 64, ' ');
  text += '\n';
  std::string out = std::string("\x93NUMPY") + static_cast<char>(version) + '\0';
  for (std::size_t i = 0; i < length_size; ++i) out += static_cast<char>(text.size() >> 8 * i & 0xff);
  return out + text + data;
}

std::string header(const std::string& type, bool fortran, const std::string& shape) {
  return "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }";
}

std::string npy_problem(const std::string& bytes) {
  return message_of<FileError>([&] { npy_matrix(bytes, "f.npy"); });
}

std::string mat_problem(const std::string& bytes, const std::string& variable = "") {
  return message_of<FileError>([&] { mat_matrix(bytes, "f.mat", variable); });
}

TEST(NpyMatrix, ReadsWhatOurWriterWrites) {
  const Values values = {1, -2, 3.5f, 0, 1e-30f, 7};
  const Matrix matrix = npy_matrix(npy_bytes(values, 2, 3), "f.npy");
  EXPECT_EQ(matrix.rows, 2u);
  EXPECT_EQ(matrix.columns, 3u);
  EXPECT_EQ(matrix.values, values);
  EXPECT_EQ(matrix.source, "f.npy");
  EXPECT_EQ(matrix.row(1)[2], 7);
}

TEST(NpyMatrix, ReadsEveryVersionTypeAndOrder) {
  const Values expected = {1, 2, 3, 4, 5, 6};
  for (const int version : {1, 2, 3}) {
    EXPECT_EQ(npy_matrix(npy(version, header("<f4", false, "(2, 3)"), raw(expected)), "f").values, expected);
    const std::string doubles = raw<double>({1, 2, 3, 4, 5, 6});
    EXPECT_EQ(npy_matrix(npy(version, header("<f8", false, "(2, 3)"), doubles), "f").values, expected);
    const std::string turned = raw<float>({1, 4, 2, 5, 3, 6});  // column after column
    EXPECT_EQ(npy_matrix(npy(version, header("<f4", true, "(2, 3)"), turned), "f").values, expected);
  }
}

TEST(NpyMatrix, ReadsHalfPrecision) {
  // numpy: np.array([0, 1, -2, 6e-8, 65504, np.inf, .333], 'f2').view('u2')
  const std::string halves = raw<std::uint16_t>({0, 0x3c00, 0xc000, 1, 0x7bff, 0x7c00, 0x3554, 0x7e00});
  const Values values = npy_matrix(npy(1, header("<f2", false, "(1, 8)"), halves), "f").values;
  const Values expected = {0, 1, -2, 5.9604645e-08f, 65504, INFINITY, 0.33300781f};
  EXPECT_EQ(Values(values.begin(), values.end() - 1), expected);
  EXPECT_TRUE(std::isnan(values.back()));
}

TEST(NpyMatrix, NamesWhatIsWrong) {
  const std::string six = raw<float>({1, 2, 3, 4, 5, 6});
  EXPECT_NE(
      npy_problem(npy(1, header("<f4", false, "(2, 4)"), six)).find("24 bytes of numbers, expected 2 x 4"),
      std::string::npos);
  EXPECT_NE(npy_problem(npy(1, header("<f4", false, "(6,)"), six)).find("1 dimensions, expected 2"),
            std::string::npos);
  EXPECT_NE(npy_problem(npy(1, header("<i4", false, "(2, 3)"), six)).find("type '<i4'"), std::string::npos);
  EXPECT_NE(npy_problem(npy(1, header(">f4", false, "(2, 3)"), six)).find("big-endian"), std::string::npos);
  EXPECT_NE(npy_problem(npy(1, header("<f4", false, "(0, 3)"), "")).find("0 x 3"), std::string::npos);
  EXPECT_NE(npy_problem(npy(1, header("<f4", false, "(4294967296, 4294967296)"), "")).find("expected"),
            std::string::npos);
  EXPECT_NE(npy_problem(npy(4, header("<f4", false, "(2, 3)"), six)).find("version 4"), std::string::npos);
  EXPECT_NE(npy_problem(npy(1, "{'descr': [('a', '<f4')], }", six)).find("records"), std::string::npos);
  for (const char* text : {"", "{", "{'descr': '<f4'}", "{'descr': '<f4', 'shape': (2, 3)}", "{'other': 1}",
                           "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2, 3)}",
                           "{'descr': '<f4', 'fortran_order': False, 'shape': (2, -3)}",
                           "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3"}) {
    EXPECT_NE(npy_problem(npy(1, text, six)).find("header is damaged"), std::string::npos) << text;
  }
  const std::string whole = npy(1, header("<f4", false, "(2, 3)"), six);
  for (std::size_t size = 6; size < whole.size(); ++size) npy_problem(whole.substr(0, size));
}

// Written by scipy 1.17.1: feats = [[1.5, -2], [.25, 3e10], [0, 1]], as single and packed, as double and not.
constexpr std::string_view kScipyPacked =
    "0f0000003c000000789ce36360600800623620e600627606086085f2998198098819a16269a98925c5507512609507ec19181aec"
    "a0da"
    "0e94b5dc071ad7600f00b5e30823";
constexpr std::string_view kScipyPlain =
    "0e000000680000000600000008000000060000000000000005000000080000000300000002000000010000000500000066656174"
    "73"
    "0000000900000030000000000000000000f83f000000000000d03f000000000000000000000000000000c0000000c08ef01b4200"
    "00"
    "00000000f03f";

TEST(MatMatrix, ReadsWhatScipyWrote) {
  for (const std::string_view digits : {kScipyPacked, kScipyPlain}) {
    const Matrix matrix = mat_matrix(mat_header() + array_file_from_hex(digits), "f.mat");
    EXPECT_EQ(matrix.rows, 2u);  // columns of the variable are images
    EXPECT_EQ(matrix.columns, 3u);
    EXPECT_EQ(matrix.values, (Values{1.5f, .25f, 0, -2, 3e10f, 1}));
  }
}

TEST(MatMatrix, ReadsNumbersThatAreStoredAsOthers) {
  const auto read = [](std::uint32_t type, const std::string& numbers) {
    return mat_matrix(mat_header() + mat_variable({.flags = 6, .type = type, .numbers = numbers}), "f")
        .values;
  };
  const Values expected = {1, 2, 3, 4, 5, 250};
  EXPECT_EQ(read(2, raw<std::uint8_t>({1, 2, 3, 4, 5, 250})), expected);
  EXPECT_EQ(read(3, raw<std::int16_t>({1, 2, 3, 4, 5, 250})), expected);
  EXPECT_EQ(read(4, raw<std::uint16_t>({1, 2, 3, 4, 5, 250})), expected);
  EXPECT_EQ(read(5, raw<std::int32_t>({1, 2, 3, 4, 5, 250})), expected);
  EXPECT_EQ(read(6, raw<std::uint32_t>({1, 2, 3, 4, 5, 250})), expected);
  EXPECT_EQ(read(12, raw<std::int64_t>({1, 2, 3, 4, 5, 250})), expected);
  EXPECT_EQ(read(13, raw<std::uint64_t>({1, 2, 3, 4, 5, 250})), expected);
  EXPECT_EQ(read(1, raw<std::int8_t>({1, 2, 3, 4, 5, -6})), (Values{1, 2, 3, 4, 5, -6}));
}

TEST(MatMatrix, ReadsSmallElements) {
  const MatVariable small{
      .name = "f", .sizes = {2, 1}, .flags = 6, .type = 2, .numbers = std::string("\7\11"), .small = true};
  const Matrix matrix = mat_matrix(mat_header() + mat_variable(small), "f.mat");
  EXPECT_EQ(matrix.rows, 1u);
  EXPECT_EQ(matrix.values, (Values{7, 9}));
}

TEST(MatMatrix, RefusesSmallElementsThatDoNotFitTheirTag) {
  MatVariable small{
      .name = "f", .sizes = {8, 1}, .flags = 6, .type = 2, .numbers = "abcdefgh", .small = true};
  EXPECT_NE(mat_problem(mat_header() + mat_variable(small)).find("8 bytes of numbers"), std::string::npos);
  small.numbers = "ab";
  small.sizes = {2, 1};
  small.name = "more than four";
  EXPECT_NE(mat_problem(mat_header() + mat_variable(small)).find("14 bytes"), std::string::npos);
}

TEST(MatMatrix, ChoosesTheVariable) {
  const std::string other = mat_variable({.name = "other", .numbers = raw<float>({6, 5, 4, 3, 2, 1})});
  const std::string both = mat_header() + mat_packed(other) + mat_variable({});
  EXPECT_EQ(mat_matrix(both, "f").values[0], 1);
  EXPECT_EQ(mat_matrix(both, "f", "other").values[0], 6);
  EXPECT_EQ(mat_matrix(mat_header() + other, "f").values[0], 6);  // the only one
  EXPECT_EQ(mat_problem(both, "third"),
            "f.mat: there is no variable 'third'; the file has other, feats; name one with --variable");
  const std::string neither = mat_header() + other + mat_variable({.name = "more"});
  EXPECT_NE(mat_problem(neither).find("no variable 'feats'; the file has other, more"), std::string::npos);
  EXPECT_EQ(mat_problem(mat_header()), "f.mat: the file has no variables");
}

TEST(MatMatrix, NamesWhatIsWrong) {
  const auto problem = [](const MatVariable& variable) {
    return mat_problem(mat_header() + mat_variable(variable));
  };
  EXPECT_EQ(problem({.flags = 2}),
            "f.mat: variable 'feats' is a structure, expected single or double numbers");
  EXPECT_NE(problem({.flags = 9}).find("uint8"), std::string::npos);
  EXPECT_NE(problem({.flags = 0x806}).find("complex"), std::string::npos);
  EXPECT_NE(problem({.sizes = {1, 2, 3}}).find("3 dimensions"), std::string::npos);
  EXPECT_NE(problem({.sizes = {0, 3}, .numbers = ""}).find("0 x 3"), std::string::npos);
  EXPECT_NE(problem({.sizes = {3, 3}}).find("24 bytes of numbers, expected 3 x 3"), std::string::npos);
  EXPECT_NE(problem({.type = 8}).find("type 8"), std::string::npos);
  const std::string hdf = "MATLAB 7.3 MAT-file, Platform: GLNXA64" + std::string(600, ' ');
  EXPECT_NE(mat_problem(hdf).find("MATLAB 7.3 file (HDF5), expected version 5; save the file again"),
            std::string::npos);
  EXPECT_NE(mat_problem("\x89HDF\r\n\x1a\n").find("HDF5"), std::string::npos);
  EXPECT_NE(mat_problem(std::string(200, 'x')).find("neither an .npy nor a MATLAB 5 file"),
            std::string::npos);
  std::string big_endian = mat_header();
  big_endian.replace(126, 2, "MI");
  EXPECT_NE(mat_problem(big_endian).find("big-endian"), std::string::npos);
}

TEST(MatMatrix, FindsFilesThatWereCutOrChanged) {
  for (const bool packed : {false, true}) {
    const std::string whole = mat_header() + (packed ? mat_packed(mat_variable({})) : mat_variable({}));
    for (std::size_t size = 0; size < whole.size(); ++size) mat_problem(whole.substr(0, size));
  }
  std::string packed = mat_header() + mat_packed(mat_variable({}));
  packed.back() = static_cast<char>(packed.back() + 1);  // its checksum
  EXPECT_NE(mat_problem(packed).find("damaged"), std::string::npos);
}

TEST(ReadMatrix, TellsFilesByContent) {
  const test::TempDir folder;
  const Values values = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(read_matrix(folder.write("a", npy_bytes(values, 2, 3))).rows, 2u);
  EXPECT_EQ(read_matrix(folder.write("b", mat_header() + mat_variable({}))).rows, 3u);
  EXPECT_NE(message_of<FileError>([&] { read_matrix(folder.write("c", "")); }).find("empty"),
            std::string::npos);
  EXPECT_NE(message_of<FileError>([&] { read_matrix((folder.path() / "d").string()); }).find("d"),
            std::string::npos);
  message_of<UsageError>([&] { read_matrix(folder.write("a", npy_bytes(values, 2, 3)), "feats"); });
}

}  // namespace
}  // namespace capella::io
