#include "text/ptb/token_line.h"

#include "base/utf8.h"
#include "text/lowercase.h"
#include "text/ptb/stream.h"
#include "text/ptb/token_text.h"

namespace capella::text::ptb {

/// The punctuation that caption evaluation leaves out. Its list also has the names of brackets, as -LRB-; but
/// they come here in lower case and so count as words.
bool TokenLine::is_dropped(std::string_view token) {
  constexpr std::string_view kMarks = "'`.?!,:-;";
  if (token.size() == 1) return kMarks.find(token.front()) != std::string_view::npos;
  return token == "''" || token == "``" || token == "--" || token == "...";
}

void TokenLine::grow(std::size_t more) {
  bytes_.resize(2 * bytes_.size() + more + kSlack);
}

void TokenLine::add_rewritten(const RuleEntry& rule, const char* begin, const char* end) {
  std::u16string units;
  while (begin < end) units.push_back(read_unit(begin));
  scratch_.clear();
  append_lower_case(scratch_, token_text(rule, units));
  if (bytes_.size() - size_ < scratch_.size() + kSlack) grow(scratch_.size());
  std::memcpy(bytes_.data() + size_, scratch_.data(), scratch_.size());
  close_token(scratch_.size());
}

std::string_view TokenLine::finish() {
  const std::string_view line(bytes_.data(), size_ == 0 ? 0 : size_ - 1);
  size_ = 0;
  if (line.empty() || last_dropped_) return line;
  // A web address may end in white space that the lexer does not know as such.
  const auto last = static_cast<unsigned char>(line.back());
  return last < 0x20 || last >= 0x80 ? python_rstrip(line) : line;
}

}  // namespace capella::text::ptb
