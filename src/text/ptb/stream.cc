#include "text/ptb/stream.h"

#include <algorithm>

#include "base/utf8.h"

namespace capella::text::ptb {
namespace {

/// Whether the bytes can be taken as they are: ASCII, and none of the breaks \n \v \f \r.
bool is_plain(std::string_view caption) {
  unsigned odd = 0;
  for (const char c : caption) {
    const auto byte = static_cast<unsigned char>(c);
    odd |= static_cast<unsigned>(byte >= 0x80) |
           static_cast<unsigned>(static_cast<unsigned char>(byte - '\n') < 4);
  }
  return odd == 0;
}

bool is_break(char32_t c) {
  return (c >= '\n' && c <= '\r') || c == 0x2028 || c == 0x2029;
}

/// Whether there is an ASCII character other than space and controls. No rule looks behind the line of such a
/// caption.
bool has_visible(std::string_view caption) {
  return std::any_of(caption.begin(), caption.end(), [](char c) { return c > ' ' && c < 0x7F; });
}

}  // namespace

void append_units(std::string& out, std::string_view caption) {
  if (is_plain(caption)) {
    out.append(caption);
    return;
  }
  for (std::size_t position = 0; position < caption.size();) {
    const char32_t c = decode_utf8(caption, position);
    if (c >= 0x10000) {
      append_utf8(out, 0xD800 + ((c - 0x10000) >> 10));
      append_utf8(out, 0xDC00 + ((c - 0x10000) & 0x3FF));
    } else {
      append_utf8(out, is_break(c) ? U' ' : c);
    }
  }
}

Stream::Stream(std::span<const std::string_view> captions, std::size_t first, std::size_t last,
               char separator) {
  std::size_t size = last - first + kPadding;
  for (const std::string_view caption : captions.subspan(first, last - first)) size += caption.size();
  bytes_.reserve(size);
  begins_.reserve(last - first + 1);
  begins_.push_back(0);
  for (const std::string_view caption : captions.subspan(first, last - first)) {
    append_units(bytes_, caption);
    bytes_.push_back(separator);
    begins_.push_back(bytes_.size());
  }
  bool may_look_on = separator != kEndOfText;
  for (; may_look_on && last < captions.size(); ++last) {
    append_units(bytes_, captions[last]);
    bytes_.push_back(separator);
    may_look_on = !has_visible(captions[last]);
  }
  // The text ends without a line end; where it is cut after a caption with something in it, the line end
  // stays.
  if (last == captions.size() && !bytes_.empty()) bytes_.back() = kEndOfText;
  bytes_.append(kPadding, kEndOfText);
}

}  // namespace capella::text::ptb
