#include "reference/ptb_reference.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>

#include "base/utf8.h"
#include "reference/ptb_reference_text.h"
#include "text/ptb/action.h"
#include "text/ptb/compiler/grammar.h"

namespace capella::reference {
namespace {

namespace compiler = text::ptb::compiler;
using compiler::Expression;
using compiler::Rule;
using Positions = std::set<std::size_t>;

std::string read(const std::string& name) {
  std::ifstream in(CAPELLA_PTB_GRAMMAR_DIR "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// All places where the expression may have ended when it began at one of `starts`.
Positions ends(const Expression& expression, std::u16string_view text, const Positions& starts) {
  if (starts.empty()) return {};
  Positions result;
  switch (expression.kind) {
    case Expression::Kind::set:
      for (const std::size_t start : starts) {
        if (start < text.size() && expression.set.contains(text[start])) result.insert(start + 1);
      }
      return result;
    case Expression::Kind::sequence:
      result = starts;
      for (const auto& child : expression.children) result = ends(*child, text, result);
      return result;
    case Expression::Kind::choice:
      for (const auto& child : expression.children) result.merge(ends(*child, text, starts));
      return result;
    default:
      Positions now = starts;
      for (int i = 0; !now.empty(); ++i) {
        if (i >= expression.least) {
          const std::size_t before = result.size();
          result.insert(now.begin(), now.end());
          if (i > expression.least && result.size() == before) break;
        }
        if (i == expression.most) break;
        now = ends(*expression.children.front(), text, now);
      }
      return result;
  }
}

struct Found {
  const Rule* rule;
  std::size_t end;
};

/// The longest match, counted with what must follow; between equals the first rule. Then its longest token.
std::optional<Found> find_token(const std::vector<Rule>& rules, std::u16string_view text, std::size_t begin) {
  const Rule* best = nullptr;
  std::size_t best_end = begin;
  for (const Rule& rule : rules) {
    Positions all = ends(*rule.body, text, {begin});
    if (rule.tail != nullptr) all = ends(*rule.tail, text, all);
    if (!all.empty() && *all.rbegin() > best_end) {
      best = &rule;
      best_end = *all.rbegin();
    }
  }
  if (best == nullptr) return std::nullopt;
  if (best->tail == nullptr) return Found{best, best_end};
  std::size_t longest = begin;
  for (const std::size_t end : ends(*best->body, text, {begin})) {
    if (ends(*best->tail, text, {end}).contains(best_end)) longest = end;
  }
  return Found{best, longest};
}

std::u16string to_units(std::string_view caption) {
  std::u16string units;
  for (const char32_t c : to_code_points(caption)) {
    const bool line_break = c == '\n' || c == '\r' || c == '\v' || c == '\f' || c == 0x2028 || c == 0x2029;
    if (c >= 0x10000) {
      units.push_back(static_cast<char16_t>(0xD800 + ((c - 0x10000) >> 10)));
      units.push_back(static_cast<char16_t>(0xDC00 + ((c - 0x10000) & 0x3FF)));
    } else {
      units.push_back(line_break ? u' ' : static_cast<char16_t>(c));
    }
  }
  return units;
}

/// Pairs of surrogates are one character; others become U+FFFD.
std::string to_utf8(const std::u16string& units) {
  std::string out;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const char32_t unit = units[i];
    const char32_t next = i + 1 < units.size() ? units[i + 1] : 0;
    const bool high = unit >= 0xD800 && unit <= 0xDBFF, low = unit >= 0xDC00 && unit <= 0xDFFF;
    if (high && next >= 0xDC00 && next <= 0xDFFF) {
      append_utf8(out, 0x10000 + (unit - 0xD800) * 0x400 + (next - 0xDC00));
      ++i;
    } else {
      append_utf8(out, high || low ? kReplacementCharacter : unit);
    }
  }
  return out;
}

std::string drop_punctuation(const std::string& line) {
  static const std::set<std::string> kPunctuation = {"''",    "'",     "``", "`",   "-LRB-", "-RRB-",
                                                     "-LCB-", "-RCB-", ".",  "?",   "!",     ",",
                                                     ":",     "-",     "--", "...", ";"};
  std::string kept;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    const std::string token = line.substr(begin, end - begin);
    if (!kPunctuation.contains(token) && !token.empty()) kept += (kept.empty() ? "" : " ") + token;
    begin = end + 1;
  }
  return kept;
}

}  // namespace

struct PtbReference::Rules {
  compiler::UnicodeData unicode = compiler::parse_unicode_data(read("unicode.ranges"));
  std::vector<Rule> rules;

  explicit Rules(std::string_view edition)
      : rules(compiler::parse_grammar(read("ptb.grammar"), edition, unicode)) {}

  /// The tokens of a text, line by line; a line feed ends a line.
  std::vector<std::vector<std::u16string>> lines(std::u16string_view text) const {
    std::vector<std::vector<std::u16string>> lines(1);
    for (std::size_t position = 0; position < text.size();) {
      const std::optional<Found> found = find_token(rules, text, position);
      if (!found) {
        ++position;
        continue;
      }
      const std::uint16_t actions = found->rule->actions;
      if ((actions & text::ptb::kNewline) != 0) lines.emplace_back();
      std::size_t shown = found->end - static_cast<std::size_t>(found->rule->give_back);
      std::size_t next = shown;
      if ((actions & text::ptb::kStopTwice) != 0) next = shown - 1;
      if ((actions & text::ptb::kInitial) != 0) {
        next = shown - 1;
        if (shown - position == 2) shown = next;
      }
      if ((actions & (text::ptb::kSkip | text::ptb::kNewline)) == 0) {
        lines.back().push_back(
            reference_token_text(*found->rule, std::u16string(text.substr(position, shown - position))));
      }
      position = next;
    }
    return lines;
  }

  std::vector<std::string> lower_case_lines(std::u16string_view text) const {
    std::vector<std::string> out;
    for (const std::vector<std::u16string>& tokens : lines(text)) {
      std::string line;
      for (const std::u16string& token : tokens) {
        line += (line.empty() ? "" : " ") + reference_lower_case(token, unicode);
      }
      out.push_back(std::move(line));
    }
    return out;
  }
};

PtbReference::PtbReference(std::string_view edition) : rules_(std::make_unique<Rules>(edition)) {}
PtbReference::~PtbReference() = default;

std::vector<std::string> PtbReference::tokenize(std::span<const std::string_view> captions, bool stream,
                                                bool keep) const {
  std::vector<std::string> lines;
  if (stream && !captions.empty()) {
    std::u16string all = to_units(captions.front());
    for (const std::string_view caption : captions.subspan(1)) all += u'\n' + to_units(caption);
    lines = rules_->lower_case_lines(all);
  } else {
    for (const std::string_view caption : captions)
      lines.push_back(rules_->lower_case_lines(to_units(caption)).front());
  }
  for (std::string& line : lines) {
    line = python_rstrip(line);
    if (!keep) line = drop_punctuation(line);
  }
  return lines;
}

std::vector<std::string> PtbReference::words(std::string_view caption) const {
  std::vector<std::string> words;
  for (const std::vector<std::u16string>& line : rules_->lines(to_units(caption))) {
    for (const std::u16string& token : line) words.push_back(to_utf8(token));
  }
  return words;
}

}  // namespace capella::reference
