#include "text/ptb/token_text.h"

#include <algorithm>

#include "text/ptb/action.h"

namespace capella::text::ptb {
namespace {

/// Copies `text`, asking `write(rest, out)` at each place how many units it dealt with; 0 copies one unit.
template <class Write>
std::u16string rewrite(std::u16string_view text, Write write) {
  std::u16string out;
  while (!text.empty()) {
    std::size_t done = write(text, out);
    if (done == 0) {
      out.push_back(text.front());
      done = 1;
    }
    text.remove_prefix(done);
  }
  return out;
}

std::u16string replace_unit(std::u16string_view text, char16_t unit, std::u16string_view by) {
  return rewrite(text, [&](std::u16string_view rest, std::u16string& out) -> std::size_t {
    if (rest.front() != unit) return 0;
    out += by;
    return 1;
  });
}

std::u16string plain_amp(std::u16string_view text) {
  return rewrite(text, [](std::u16string_view rest, std::u16string& out) -> std::size_t {
    constexpr std::u16string_view kEntity = u"&amp;";
    if (rest.size() < kEntity.size()) return 0;
    const auto same = [](char16_t a, char16_t b) { return a == b || (a >= 'A' && a <= 'Z' && a + 32 == b); };
    if (!std::equal(kEntity.begin(), kEntity.end(), rest.begin(),
                    [&](char16_t b, char16_t a) { return same(a, b); })) {
      return 0;
    }
    out.push_back(u'&');
    return kEntity.size();
  });
}

/// What a quotation mark with a direction of its own becomes; empty if it stays.
std::u16string_view directed_quote(char16_t unit) {
  switch (unit) {
    case 0x2018:
    case 0x201B:
    case 0x2039:
    case 0x0091:
      return u"`";
    case 0x2019:
    case 0x203A:
    case 0x0092:
      return u"'";
    case 0x201C:
    case 0x00AB:
    case 0x0093:
      return u"``";
    case 0x201D:
    case 0x00BB:
    case 0x0094:
      return u"''";
    default:
      return {};
  }
}

std::u16string quotes(std::u16string_view text, bool open) {
  return rewrite(text, [open](std::u16string_view rest, std::u16string& out) -> std::size_t {
    for (const std::u16string_view single : {u"'", u"&apos;"}) {
      if (!rest.starts_with(single)) continue;
      out += open ? u"`" : u"'";
      return single.size();
    }
    for (const std::u16string_view twofold : {u"\"", u"&quot;"}) {
      if (!rest.starts_with(twofold)) continue;
      out += open ? u"``" : u"''";
      return twofold.size();
    }
    const std::u16string_view directed = directed_quote(rest.front());
    out += directed;
    return directed.empty() ? 0 : 1;
  });
}

std::u16string_view spell_fraction(char16_t unit) {
  switch (unit) {
    case 0x00BC:
      return u"1/4";
    case 0x00BD:
      return u"1/2";
    case 0x00BE:
      return u"3/4";
    case 0x2153:
      return u"1/3";
    case 0x2154:
      return u"2/3";
    default:
      return {};
  }
}

std::u16string_view spell_currency(char16_t unit) {
  switch (unit) {
    case 0x00A2:
      return u"cents";
    case 0x00A3:
      return u"#";
    case 0x0080:
    case 0x00A4:
    case 0x20A0:
    case 0x20AC:
      return u"$";
    default:
      return {};
  }
}

}  // namespace

std::u16string token_text(const RuleEntry& rule, std::u16string_view units) {
  const auto has = [&rule](Action action) { return (rule.actions & action) != 0; };
  if (has(kBecomes)) return {rule.becomes.begin(), rule.becomes.end()};
  std::u16string text(units);
  if (has(kNoBreak)) std::replace(text.begin(), text.end(), u' ', u'\u00A0');
  if (has(kDropShy)) {
    std::erase(text, u'\u00AD');
    if (text.empty()) text = u"-";
  }
  if (has(kPlainAmp)) text = plain_amp(text);
  if (has(kBrackets)) text = replace_unit(replace_unit(text, u'(', u"-LRB-"), u')', u"-RRB-");
  if (has(kCloseQuotes) || has(kOpenQuotes)) text = quotes(text, has(kOpenQuotes));
  if (has(kShortDashes) && (text.size() == 3 || text.size() == 4)) text = u"--";
  if (has(kSpellFraction) && !spell_fraction(text.front()).empty()) text = spell_fraction(text.front());
  if (has(kSpellCurrency) && !spell_currency(text.front()).empty()) text = spell_currency(text.front());
  return text;
}

}  // namespace capella::text::ptb
