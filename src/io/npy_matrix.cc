// The header of an .npy file is a dictionary as Python writes it: {'descr': '<f4', 'fortran_order': False,
// 'shape': (3, 4), }. Of Python's language just so much is understood as that needs.
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"
#include "io/array_file.h"
#include "io/array_numbers.h"

namespace capella::io {
namespace {

constexpr std::size_t kMagicSize = 6;
constexpr std::size_t kVersionSize = 2;

template <class... Args>
[[noreturn]] void fail(const std::string& path, fmt::format_string<Args...> format, Args&&... args) {
  throw FileError(fmt::format("{}: {}", path, fmt::format(format, std::forward<Args>(args)...)));
}

struct Header {
  std::string type;
  bool fortran = false;
  std::vector<std::size_t> shape;
};

// Reads the dictionary from left to right.
class HeaderText {
 public:
  HeaderText(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  Header read() {
    Header header;
    std::size_t found = 0;
    expect('{');
    while (!next_is('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr") {
        if (next_is('[')) fail(path_, "an array of records, expected numbers: float32, float64 or float16");
        header.type = quoted();
      } else if (key == "fortran_order") {
        header.fortran = truth();
      } else if (key == "shape") {
        header.shape = sizes();
      } else {
        damaged();
      }
      ++found;
      if (!next_is('}')) expect(',');
    }
    if (found != 3 || header.type.empty()) damaged();
    return header;
  }

 private:
  [[noreturn]] void damaged() const { fail(path_, "its header is damaged: '{}'", excerpt(text_)); }

  bool next_is(char c) {
    at_ = std::min(text_.find_first_not_of(" \n", at_), text_.size());
    return at_ < text_.size() && text_[at_] == c;
  }

  void expect(char c) {
    if (!next_is(c)) damaged();
    ++at_;
  }

  std::string quoted() {
    const char quote = next_is('"') ? '"' : '\'';
    expect(quote);
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) damaged();
    const std::string_view word = text_.substr(at_, end - at_);
    at_ = end + 1;
    return std::string(word);
  }

  bool truth() {
    for (const std::string_view word : {"True", "False"}) {
      if (!next_is(word[0]) || !text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      return word == "True";
    }
    damaged();
  }

  std::vector<std::size_t> sizes() {
    std::vector<std::size_t> all;
    expect('(');
    while (!next_is(')')) {
      std::size_t size = 0;
      const auto [end, problem] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), size);
      if (problem != std::errc()) damaged();
      at_ = static_cast<std::size_t>(end - text_.data());
      all.push_back(size);
      if (!next_is(')')) expect(',');
    }
    ++at_;
    return all;
  }

  std::string_view text_;
  const std::string& path_;
  std::size_t at_ = 0;
};

// The header's text; the data begin behind it.
std::string_view header_text(std::string_view bytes, const std::string& path) {
  const std::size_t version = bytes.size() > kMagicSize ? static_cast<unsigned char>(bytes[kMagicSize]) : 0;
  if (bytes.size() > kMagicSize && (version == 0 || version > 3))
    fail(path, "an .npy file of version {}, expected 1, 2 or 3", version);
  const std::size_t length_size = version == 1 ? 2 : 4;
  const std::size_t begin = kMagicSize + kVersionSize + length_size;
  std::uint32_t length = 0;
  if (bytes.size() >= begin) std::memcpy(&length, bytes.data() + begin - length_size, length_size);
  if (bytes.size() < begin || bytes.size() - begin < length) fail(path, "the file ends inside its header");
  return bytes.substr(begin, length);
}

NumberKind kind_of(const std::string& type, const std::string& path) {
  if (type == "<f4") return number_kind<float>();
  if (type == "<f8") return number_kind<double>();
  if (type == "<f2") return number_kind<Half>();
  if (type.starts_with('>'))
    fail(path, "big-endian numbers ('{}'), expected little-endian ones", excerpt(type));
  fail(path,
       "numbers of type '{}', expected float32, float64 or float16; convert them with astype('float32')",
       excerpt(type));
}

// Numbers in Fortran order to C order.
std::vector<float> transposed(const std::vector<float>& values, std::size_t rows, std::size_t columns) {
  std::vector<float> turned(values.size());
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) turned[r * columns + c] = values[c * rows + r];
  }
  return turned;
}

// The numbers of an array of `rows` x `columns`.
std::vector<float> numbers(std::string_view data, const Header& header, std::size_t rows, std::size_t columns,
                           const std::string& path) {
  const NumberKind kind = kind_of(header.type, path);
  std::size_t size = 0;
  if (__builtin_mul_overflow(rows, columns, &size) || __builtin_mul_overflow(size, kind.size, &size) ||
      size != data.size()) {
    fail(path, "{} bytes of numbers, expected {} x {} numbers of {} bytes; the file may be cut short",
         data.size(), rows, columns, kind.size);
  }
  if (size == 0) fail(path, "an array of {} x {} numbers, expected some", rows, columns);
  std::vector<float> values;
  values.reserve(data.size() / kind.size);
  kind.append(data, values);
  return header.fortran ? transposed(values, rows, columns) : values;
}

}  // namespace

Matrix npy_matrix(std::string_view bytes, const std::string& path) {
  const std::string_view text = header_text(bytes, path);
  const Header header = HeaderText(text, path).read();
  const std::string_view data = bytes.substr(static_cast<std::size_t>(text.end() - bytes.begin()));
  kind_of(header.type, path);
  if (header.shape.size() != 2)
    fail(path, "an array of {} dimensions, expected 2: a row of numbers for each image", header.shape.size());
  return {path, header.shape[0], header.shape[1],
          numbers(data, header, header.shape[0], header.shape[1], path)};
}

NumberArray npy_array(std::string_view bytes, const std::string& path) {
  constexpr std::string_view kMagic("\x93NUMPY", kMagicSize);
  if (!bytes.starts_with(kMagic)) fail(path, "no array of numpy, expected one in the layout of .npy files");
  const std::string_view text = header_text(bytes, path);
  const Header header = HeaderText(text, path).read();
  const std::string_view data = bytes.substr(static_cast<std::size_t>(text.end() - bytes.begin()));
  if (header.shape.empty() || header.shape.size() > 2)
    fail(path, "an array of {} dimensions, expected 1 or 2", header.shape.size());
  const std::size_t columns = header.shape.size() == 2 ? header.shape[1] : 1;
  return {header.shape, numbers(data, header, header.shape[0], columns, path)};
}

}  // namespace capella::io
