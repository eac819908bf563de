// MATLAB's files of version 5 (its "MAT-File Format" manual): 128 bytes of header, then elements, each a tag
// (type, bytes) and data, padded to eight bytes; few data may stand inside the tag itself. A variable is one
// element that holds others: flags, sizes, name, numbers. It may be packed as a whole by zlib. Numbers that
// are whole may be stored as integers although the variable's class is double.
#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <zlib.h>

#include "capella/error.h"

#include "base/names.h"
#include "io/array_file.h"
#include "io/array_numbers.h"

namespace capella::io {
namespace {

constexpr std::size_t kHeaderSize = 128;
constexpr std::size_t kTagSize = 8;
constexpr std::size_t kMostInTag = 4;  // bytes of data that stand inside a tag
constexpr std::uint32_t kText = 1;     // of a variable's name
constexpr std::uint32_t kInt32 = 5;
constexpr std::uint32_t kUint32 = 6;
constexpr std::uint32_t kVariable = 14;
constexpr std::uint32_t kPacked = 15;
constexpr std::uint32_t kComplexFlag = 0x800;
constexpr std::uint32_t kDouble = 6;
constexpr std::uint32_t kSingle = 7;
constexpr std::uint32_t kOpaque = 17;
constexpr std::array kClasses = {"nothing",         "a cell array", "a structure", "an object", "text",
                                 "a sparse matrix", "double",       "single",      "int8",      "uint8",
                                 "int16",           "uint16",       "int32",       "uint32",    "int64",
                                 "uint64",          "a function",   "an object"};
constexpr std::string_view kFeatures = "feats";
constexpr std::string_view kRemedy = "save the file again with save('-v7')";

template <class... Args>
[[noreturn]] void fail(const std::string& path, fmt::format_string<Args...> format, Args&&... args) {
  throw FileError(fmt::format("{}: {}", path, fmt::format(format, std::forward<Args>(args)...)));
}

struct Tag {
  std::uint32_t type = 0;
  std::uint32_t size = 0;
  bool small = false;  ///< the data are the tag's last four bytes
};

Tag read_tag(const char* bytes) {
  std::uint32_t words[2];
  std::memcpy(words, bytes, sizeof words);
  if (words[0] >> 16) return {words[0] & 0xffff, words[0] >> 16, true};
  return {words[0], words[1], false};
}

// A variable's bytes from front to back, unpacked on the way.
class Bytes {
 public:
  Bytes(std::string_view data, bool packed, const std::string& path) : rest_(data), path_(path) {
    if (!packed) return;
    stream_ = std::unique_ptr<z_stream, decltype(&close)>(new z_stream{}, close);
    stream_->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
    stream_->avail_in = static_cast<uInt>(data.size());
    if (inflateInit(stream_.get()) != Z_OK) fail(path_, "zlib cannot start");
  }

  void read(char* to, std::size_t count) {
    if (stream_) return unpack(to, count);
    if (count > rest_.size()) fail(path_, "the file ends inside a variable; it may be cut short");
    std::memcpy(to, rest_.data(), count);
    rest_.remove_prefix(count);
  }

  void skip(std::size_t count) {
    char unwanted[kTagSize];
    for (; count > 0; count -= std::min(count, kTagSize)) read(unwanted, std::min(count, kTagSize));
  }

  // Goes to the end of what is packed, where its checksum is.
  void finish() {
    char unwanted[kTagSize * kTagSize];
    for (int status = Z_OK; stream_ && status != Z_STREAM_END;) {
      stream_->next_out = reinterpret_cast<Bytef*>(unwanted);
      stream_->avail_out = sizeof unwanted;
      status = inflate(stream_.get(), Z_NO_FLUSH);
      if (status != Z_OK && status != Z_STREAM_END) damaged();
    }
  }

  // At most so many bytes are to come; for room to be kept, no more.
  std::size_t most() const {
    constexpr std::size_t kMostRatio = 1032;  // of deflate
    return stream_ ? stream_->avail_in * kMostRatio : rest_.size();
  }

 private:
  static void close(z_stream* stream) {
    inflateEnd(stream);
    delete stream;
  }

  void unpack(char* to, std::size_t count) {
    stream_->next_out = reinterpret_cast<Bytef*>(to);
    stream_->avail_out = static_cast<uInt>(count);
    while (stream_->avail_out > 0) {
      const int status = inflate(stream_.get(), Z_NO_FLUSH);
      if (status == Z_OK || (status == Z_STREAM_END && stream_->avail_out == 0)) continue;
      damaged();
    }
  }

  [[noreturn]] void damaged() const { fail(path_, "a packed variable is damaged or cut short; {}", kRemedy); }

  std::string_view rest_;
  const std::string& path_;
  std::unique_ptr<z_stream, decltype(&close)> stream_{nullptr, close};
};

// An element that is short: its data, padding skipped.
std::string short_element(Bytes& bytes, std::uint32_t type, std::size_t longest, const std::string& path) {
  char raw[kTagSize];
  bytes.read(raw, kTagSize);
  const Tag tag = read_tag(raw);
  if (tag.type != type || tag.size > (tag.small ? kMostInTag : longest))
    fail(path, "a variable is damaged: found type {} with {} bytes, expected type {}", tag.type, tag.size,
         type);
  if (tag.small) return {raw + 4, tag.size};
  std::string data(tag.size, '\0');
  bytes.read(data.data(), data.size());
  bytes.skip((kTagSize - tag.size % kTagSize) % kTagSize);
  return data;
}

struct Variable {
  std::string name;
  std::uint32_t kind = 0;
  bool complex = false;
  std::vector<std::uint32_t> sizes;
};

Variable read_head(Bytes& bytes, const std::string& path) {
  constexpr std::size_t kMostDimensions = 64;
  constexpr std::size_t kLongestName = 1024;
  const std::string flags = short_element(bytes, kUint32, kTagSize, path);
  if (flags.size() != kTagSize) fail(path, "a variable is damaged: {} bytes of flags", flags.size());
  std::uint32_t word = 0;
  std::memcpy(&word, flags.data(), sizeof word);
  Variable variable;
  variable.kind = word & 0xff;
  variable.complex = word & kComplexFlag;
  if (variable.kind == kOpaque) return variable;  // its head is another; it cannot be read anyway
  const std::string sizes = short_element(bytes, kInt32, kMostDimensions * 4, path);
  for (std::size_t at = 0; at + sizeof word <= sizes.size(); at += sizeof word) {
    std::memcpy(&word, sizes.data() + at, sizeof word);
    variable.sizes.push_back(word);
  }
  variable.name = short_element(bytes, kText, kLongestName, path);
  return variable;
}

// Where a variable lies in the file.
struct Place {
  std::string_view data;
  bool packed = false;
  Variable head;
};

// What a variable holds behind its own tag, ready to be read.
Bytes open(const Place& place, const std::string& path) {
  Bytes bytes(place.data, place.packed, path);
  if (!place.packed) return bytes;
  char raw[kTagSize];
  bytes.read(raw, kTagSize);
  if (const Tag tag = read_tag(raw); tag.type != kVariable)
    fail(path, "a packed element has type {}, expected a variable; {}", tag.type, kRemedy);
  return bytes;
}

std::vector<Place> list_variables(std::string_view file, const std::string& path) {
  std::vector<Place> places;
  for (std::size_t at = kHeaderSize; at < file.size();) {
    if (file.size() - at < kTagSize) fail(path, "the file ends inside a tag; it may be cut short");
    const Tag tag = read_tag(file.data() + at);
    at += kTagSize;
    const std::size_t size = tag.small ? 0 : tag.size;
    if (size > file.size() - at)
      fail(path, "a variable has {} bytes, of which {} are there; the file may be cut short", size,
           file.size() - at);
    if (!tag.small && (tag.type == kVariable || tag.type == kPacked) && size > 0) {
      Place place{file.substr(at, size), tag.type == kPacked, {}};
      Bytes bytes = open(place, path);
      place.head = read_head(bytes, path);
      places.push_back(std::move(place));
    }
    at += size;
    if (tag.type != kPacked) at += (kTagSize - size % kTagSize) % kTagSize;
  }
  return places;
}

const Place& choose(const std::vector<Place>& places, std::string_view wanted, const std::string& path) {
  const std::string_view name = wanted.empty() ? kFeatures : wanted;
  std::vector<std::string_view> names;
  for (const Place& place : places) {
    if (place.head.name == name && place.head.kind != kOpaque) return place;
    names.push_back(place.head.name);
  }
  if (places.empty()) fail(path, "the file has no variables");
  if (wanted.empty() && places.size() == 1) return places[0];
  fail(path, "there is no variable '{}'; the file has {}; name one with --variable", excerpt(name),
       list_names(names));
}

NumberKind kind_of(std::uint32_t type) {
  switch (type) {
    case 1:
      return number_kind<std::int8_t>();
    case 2:
      return number_kind<std::uint8_t>();
    case 3:
      return number_kind<std::int16_t>();
    case 4:
      return number_kind<std::uint16_t>();
    case kInt32:
      return number_kind<std::int32_t>();
    case kUint32:
      return number_kind<std::uint32_t>();
    case 7:
      return number_kind<float>();
    case 9:
      return number_kind<double>();
    case 12:
      return number_kind<std::int64_t>();
    case 13:
      return number_kind<std::uint64_t>();
    default:
      return {};
  }
}

Matrix check_head(const Variable& head, const std::string& path) {
  const std::string name = excerpt(head.name);
  if ((head.kind != kSingle && head.kind != kDouble) || head.complex) {
    const char* found = head.kind < kClasses.size() ? kClasses[head.kind] : "of an unknown class";
    fail(path, "variable '{}' is {}, expected single or double numbers", name,
         head.complex ? "complex" : found);
  }
  if (head.sizes.size() != 2)
    fail(path, "variable '{}' has {} dimensions, expected 2: a column of numbers for each image", name,
         head.sizes.size());
  if (head.sizes[0] == 0 || head.sizes[1] == 0)
    fail(path, "variable '{}' has {} x {} numbers, expected some", name, head.sizes[0], head.sizes[1]);
  return {path, head.sizes[1], head.sizes[0], {}};
}

void read_numbers(Bytes& bytes, const std::string& path, Matrix& matrix) {
  constexpr std::size_t kStep = 1 << 16;
  char raw[kTagSize];
  bytes.read(raw, kTagSize);
  const Tag tag = read_tag(raw);
  const NumberKind kind = kind_of(tag.type);
  const std::size_t count = matrix.rows * matrix.columns;  // both have 32 bits
  if (kind.size == 0) fail(path, "numbers of type {}, which MATLAB 5 files do not have", tag.type);
  if (tag.size % kind.size != 0 || tag.size / kind.size != count || (tag.small && tag.size > kMostInTag))
    fail(path, "{} bytes of numbers, expected {} x {} numbers of {} bytes; the file is damaged", tag.size,
         matrix.columns, matrix.rows, kind.size);
  if (tag.small) return kind.append({raw + 4, tag.size}, matrix.values);
  matrix.values.reserve(std::min(count, bytes.most() / kind.size + 1));
  std::string step(kStep, '\0');
  for (std::size_t left = tag.size; left > 0; left -= step.size()) {
    step.resize(std::min(left, kStep));
    bytes.read(step.data(), step.size());
    kind.append(step, matrix.values);
  }
}

void check_file(std::string_view bytes, const std::string& path) {
  if (bytes.starts_with("\x89HDF") || bytes.starts_with("MATLAB 7.3") ||
      (bytes.size() > 516 && bytes.substr(512, 4) == "\x89HDF")) {
    fail(path, "a MATLAB 7.3 file (HDF5), expected version 5; {}", kRemedy);
  }
  if (bytes.size() < kHeaderSize || !bytes.starts_with("MATLAB 5"))
    fail(path, "neither an .npy nor a MATLAB 5 file; expected features, a vector for each image");
  const std::string_view order = bytes.substr(kHeaderSize - 2, 2);
  if (order == "MI") fail(path, "a MATLAB file of a big-endian machine; {} on another one", kRemedy);
  if (order != "IM") fail(path, "its header is damaged: it does not say how numbers are stored");
}

}  // namespace

Matrix mat_matrix(std::string_view bytes, const std::string& path, std::string_view variable) {
  check_file(bytes, path);
  const std::vector<Place> places = list_variables(bytes, path);
  const Place& place = choose(places, variable, path);
  Matrix matrix = check_head(place.head, path);
  Bytes content = open(place, path);
  read_head(content, path);
  read_numbers(content, path, matrix);
  content.finish();
  return matrix;
}

}  // namespace capella::io
