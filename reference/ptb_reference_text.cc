#include "reference/ptb_reference_text.h"

#include <map>

#include "base/utf8.h"
#include "text/ptb/action.h"

namespace capella::reference {
namespace {

using text::ptb::CodeRange;
using text::ptb::LowerRun;
using text::ptb::compiler::UnicodeData;

void replace_all(std::u16string& text, const std::u16string& what, const std::u16string& by) {
  for (std::size_t at = text.find(what); at != std::u16string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

std::u16string ascii_lower(std::u16string text) {
  for (char16_t& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char16_t>(c + 32);
  }
  return text;
}

void replace_amp(std::u16string& text) {
  for (std::size_t at = 0; (at = ascii_lower(text).find(u"&amp;", at)) != std::u16string::npos; ++at) {
    text.replace(at, 5, u"&");
  }
}

void replace_quotes(std::u16string& text, bool open) {
  replace_all(text, u"&apos;", u"'");
  replace_all(text, u"&quot;", u"\"");
  if (open) replace_all(text, u"'", u"`");
  replace_all(text, u"\"", open ? u"``" : u"''");
  for (const char16_t c : std::u16string(u"\u2018\u201B\u2039\x91")) replace_all(text, {c}, u"`");
  for (const char16_t c : std::u16string(u"\u2019\u203A\x92")) replace_all(text, {c}, u"'");
  for (const char16_t c : std::u16string(u"\u201C\u00AB\x93")) replace_all(text, {c}, u"``");
  for (const char16_t c : std::u16string(u"\u201D\u00BB\x94")) replace_all(text, {c}, u"''");
}

bool is_in(const std::vector<CodeRange>& ranges, char32_t c) {
  for (const CodeRange& range : ranges) {
    if (range.first <= c && c <= range.last) return true;
  }
  return false;
}

char32_t partner(const UnicodeData& unicode, char32_t c) {
  if (c >= 'A' && c <= 'Z') return c + 32;
  for (const LowerRun& run : unicode.lower) {
    if (run.first <= c && c <= run.last && (c - run.first) % run.step == 0)
      return run.partner + c - run.first;
  }
  return c;
}

/// Cuts the word out in which the sigma stands, and looks for letters with case on both sides.
bool is_final(const std::u32string& text, std::size_t index, const UnicodeData& unicode) {
  const auto in_word = [&](char32_t c) {
    return is_in(unicode.sets.at("LETTER"), c) || (c >= '0' && c <= '9') || (c >= 0x300 && c <= 0x36F) ||
           std::u32string(U"'.:_\u00AD\u00B7\u2018\u2019\u2024\u2027").find(c) != std::u32string::npos;
  };
  const auto cased = [&](char32_t c) { return is_in(unicode.sets.at("CASED"), c); };
  bool before = false;
  bool behind = false;
  for (std::size_t i = index; i-- > 0 && in_word(text[i]);) before = before || cased(text[i]);
  for (std::size_t i = index + 1; i < text.size() && in_word(text[i]); ++i) behind = behind || cased(text[i]);
  return before && !behind;
}

std::u32string to_characters(const std::u16string& units) {
  std::u32string text;
  for (const char16_t unit : units) {
    const bool low = unit >= 0xDC00 && unit <= 0xDFFF;
    if (low && !text.empty() && text.back() >= 0xD800 && text.back() <= 0xDBFF) {
      text.back() = 0x10000 + ((text.back() - 0xD800) << 10) + (unit - 0xDC00u);
    } else {
      text.push_back(unit);
    }
  }
  for (char32_t& c : text) {
    if (c >= 0xD800 && c <= 0xDFFF) c = kReplacementCharacter;
  }
  return text;
}

}  // namespace

std::u16string reference_token_text(const text::ptb::compiler::Rule& rule, std::u16string token) {
  using namespace text::ptb;
  static const std::map<std::u16string, std::u16string> kFractions = {{u"\u00BC", u"1/4"},
                                                                      {u"\u00BD", u"1/2"},
                                                                      {u"\u00BE", u"3/4"},
                                                                      {u"\u2153", u"1/3"},
                                                                      {u"\u2154", u"2/3"}};
  static const std::map<std::u16string, std::u16string> kCurrencies = {
      {u"\u00A2", u"cents"}, {u"\u00A3", u"#"}, {u"\u00A4", u"$"},
      {u"\x80", u"$"},       {u"\u20A0", u"$"}, {u"\u20AC", u"$"}};
  const auto has = [&](Action action) { return (rule.actions & action) != 0; };
  if (has(kBecomes)) token = std::u16string(rule.becomes.begin(), rule.becomes.end());
  if (has(kNoBreak)) replace_all(token, u" ", u"\u00A0");
  if (has(kDropShy)) replace_all(token, u"\u00AD", u"");
  if (has(kDropShy) && token.empty()) token = u"-";
  if (has(kPlainAmp)) replace_amp(token);
  if (has(kBrackets)) replace_all(token, u"(", u"-LRB-");
  if (has(kBrackets)) replace_all(token, u")", u"-RRB-");
  if (has(kCloseQuotes)) replace_quotes(token, false);
  if (has(kOpenQuotes)) replace_quotes(token, true);
  if (has(kShortDashes) && (token == u"---" || token == u"----")) token = u"--";
  if (has(kSpellFraction) && kFractions.contains(token)) token = kFractions.at(token);
  if (has(kSpellCurrency) && kCurrencies.contains(token)) token = kCurrencies.at(token);
  return token;
}

std::string reference_lower_case(const std::u16string& token, const UnicodeData& unicode) {
  const std::u32string text = to_characters(token);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == 0x130) {
      out += "i\u0307";
    } else if (text[i] == 0x3A3 && is_final(text, i, unicode)) {
      out += "\u03C2";
    } else {
      append_utf8(out, partner(unicode, text[i]));
    }
  }
  return out;
}

}  // namespace capella::reference
