// One caption's tokens while they are written: in lower case, joined by single spaces, without punctuation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "text/ptb/action.h"
#include "text/ptb/pipeline.h"
#include "text/ptb/tables.h"

namespace capella::text::ptb {

/// Copies and lower-cases eight bytes at a time; false if one is not ASCII. May write seven bytes too many.
inline bool copy_lower_ascii(char* out, const char* text, std::size_t length) {
  constexpr std::uint64_t kOnes = 0x0101010101010101u;
  constexpr std::uint64_t kHigh = 0x80 * kOnes;
  for (std::size_t i = 0; i < length; i += 8) {
    std::uint64_t bytes;
    std::memcpy(&bytes, text + i, 8);
    const std::size_t left = length - i;
    const std::uint64_t mine = left >= 8 ? kHigh : kHigh >> 8 * (8 - left);
    if ((bytes & mine) != 0) return false;
    // The high bit of each byte says: from 'A' on, beyond 'Z'. Where they differ is a capital.
    const std::uint64_t from_a = (bytes & ~kHigh) + (0x80 - 'A') * kOnes;
    const std::uint64_t beyond_z = (bytes & ~kHigh) + (0x7F - 'Z') * kOnes;
    bytes |= ((from_a ^ beyond_z) & kHigh) >> 2;
    std::memcpy(out + i, &bytes, 8);
  }
  return true;
}

class TokenLine {
 public:
  explicit TokenLine(Punctuation punctuation) : keep_(punctuation == Punctuation::keep), bytes_(4096) {}

  /// Adds begin..end as the rule writes it. Seven bytes behind `end` must be readable.
  void add(const RuleEntry& rule, const char* begin, const char* end) {
    const auto length = static_cast<std::size_t>(end - begin);
    if (bytes_.size() - size_ < length + kSlack) grow(length);
    if ((rule.actions & kRewrites) == 0 && copy_lower_ascii(bytes_.data() + size_, begin, length)) {
      close_token(length);
    } else {
      add_rewritten(rule, begin, end);
    }
  }

  /// The line, as Python's rstrip() leaves it; the next token begins a new one.
  std::string_view finish();

 private:
  static constexpr std::size_t kSlack = 16;

  void close_token(std::size_t length) {
    const char* token = bytes_.data() + size_;
    last_dropped_ = !keep_ && may_be_dropped(*token) && is_dropped({token, length});
    if (last_dropped_) return;
    size_ += length;
    bytes_[size_++] = ' ';
  }

  static bool may_be_dropped(char first) { return first <= '?' || first == '`'; }
  static bool is_dropped(std::string_view token);
  void add_rewritten(const RuleEntry& rule, const char* begin, const char* end);
  void grow(std::size_t more);

  bool keep_;
  std::vector<char> bytes_;
  std::size_t size_ = 0;
  bool last_dropped_ = false;
  std::string scratch_;
};

}  // namespace capella::text::ptb
