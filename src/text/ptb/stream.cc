#include "text/ptb/stream.h"

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

/// Whether there is anything but white space. No rule looks behind the line of such a caption.
bool has_visible(std::string_view caption) {
  for (std::size_t position = 0; position < caption.size();) {
    if (!is_python_space(decode_utf8(caption, position))) return true;
  }
  return false;
}

/// Blank captions in a row beyond this many are all the same to every rule that looks over them.
constexpr int kBlankCaptions = 8;

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
  for (int blank = 0; may_look_on && last < captions.size(); ++last) {
    may_look_on = !has_visible(captions[last]);
    if (may_look_on && ++blank > kBlankCaptions) continue;
    append_units(bytes_, captions[last]);
    bytes_.push_back(separator);
  }
  // The whole text ends without a line end; a text that is cut off here keeps it.
  if (last == captions.size() && !bytes_.empty()) bytes_.back() = kEndOfText;
  bytes_.append(kPadding, kEndOfText);
}

}  // namespace capella::text::ptb
