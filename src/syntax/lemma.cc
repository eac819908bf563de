#include "syntax/lemma.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include <tsl/robin_map.h>

#include "base/hash.h"
#include "syntax/lemma_rules.h"
#include "text/lowercase.h"

namespace capella::syntax {
namespace {

#include "syntax/lemma_exceptions.inc"

/// A list of exceptions, made findable: word or ending -> change.
class ChangeTable {
 public:
  explicit ChangeTable(std::string_view list) {
    while (!list.empty()) {
      const std::size_t blank = list.find(' ');
      add(list.substr(0, blank));
      list.remove_prefix(blank + 1);
    }
  }

  const LemmaChange* find(std::string_view word) const {
    const auto found = changes_.find(word);
    return found == changes_.end() ? nullptr : &found->second;
  }

  /// The longest entry that the word ends with and is longer than.
  const LemmaChange* find_ending(std::string_view word) const {
    if (word.empty()) return nullptr;
    for (std::size_t size = std::min(longest_, word.size() - 1); size >= shortest_; --size) {
      if (const LemmaChange* change = find(word.substr(word.size() - size))) return change;
    }
    return nullptr;
  }

 private:
  void add(std::string_view entry) {
    const std::size_t digit = entry.find_first_of("0123456789");
    std::size_t end = digit, cut = 0;
    for (; end < entry.size() && entry[end] >= '0' && entry[end] <= '9'; ++end) {
      cut = 10 * cut + static_cast<std::size_t>(entry[end] - '0');
    }
    changes_.try_emplace(entry.substr(0, digit), LemmaChange{cut, entry.substr(end)});
    shortest_ = std::min(shortest_, digit);
    longest_ = std::max(longest_, digit);
  }

  tsl::robin_map<std::string_view, LemmaChange, StringHash> changes_;
  std::size_t shortest_ = SIZE_MAX;
  std::size_t longest_ = 0;
};

struct Exceptions {
  ChangeTable words;
  ChangeTable endings;
};

const Exceptions& exceptions(Inflection inflection) {
  static const std::array<Exceptions, 2> kTables = {
      Exceptions{ChangeTable(kVerbWords), ChangeTable(kVerbEndings)},
      Exceptions{ChangeTable(kPluralWords), ChangeTable(kPluralEndings)}};
  return kTables[static_cast<std::size_t>(inflection)];
}

/// Words whose lemma hangs on the tag itself. `tag` is how the tag begins.
struct Special {
  std::string_view word;
  std::string_view tag;
  std::string_view lemma;
};
constexpr Special kSpecial[] = {
    {"an", "DT", "a"},       {"'d", "VBD", "have"}, {"'s", "VBZ", "be"},    {"s", "VBZ", "be"},
    {"ai", "VB", "be"},      {"'d", "MD", "would"}, {"d", "MD", "would"},   {"'ll", "MD", "will"},
    {"ll", "MD", "will"},    {"wo", "MD", "will"},  {"wilt", "MD", "will"}, {"ca", "MD", "can"},
    {"sha", "MD", "shall"},  {"me", "P", "I"},      {"her", "P", "she"},    {"him", "P", "he"},
    {"his", "P", "he"},      {"us", "P", "we"},     {"our", "P", "we"},     {"them", "P", "they"},
    {"their", "P", "they"},  {"your", "P", "you"},  {"n't", "RB", "not"},   {"n", "RB", "not"},
    {"mrs.", "NNS", "mrs."}, {"ms.", "NNS", "ms."},
};
constexpr std::size_t kLongestSpecial = 5;

/// Particles that may be tied to a verb by an underscore, in alphabetical order.
constexpr std::string_view kParticles[] = {
    "abroad",  "across", "after", "ahead", "along", "around", "aside", "away",    "back",     "down",
    "forward", "in",     "off",   "on",    "out",   "over",   "round", "through", "together", "up"};

bool is_regular(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '\'' || c == '+';
  });
}

LemmaChange find_change(std::string_view word, Inflection inflection) {
  const Exceptions& known = exceptions(inflection);
  if (const LemmaChange* change = known.words.find(word)) return *change;
  // Of a word with hyphens the last piece is inflected.
  const std::string_view piece = word.substr(word.rfind('-') + 1);
  if (piece.empty() || !is_regular(piece)) return {};
  if (piece.size() != word.size()) {
    if (const LemmaChange* change = known.words.find(piece)) return *change;
  }
  if (const LemmaChange* change = known.endings.find_ending(piece)) return *change;
  return change_by_rule(piece, inflection);
}

void inflect_back(std::string& word, Inflection inflection) {
  const LemmaChange change = find_change(word, inflection);
  word.resize(word.size() - change.cut);
  word += change.add;
}

/// The particle with its underscore, as in "looked_up"; empty if the word has none.
std::string_view particle_of(std::string_view word) {
  const std::size_t mark = std::min(word.find('_'), word.size());
  const std::string_view particle = word.substr(std::min(mark + 1, word.size()));
  const bool known = std::binary_search(std::begin(kParticles), std::end(kParticles), particle);
  return known ? word.substr(mark) : std::string_view();
}

/// `particle` stands at the end of the word.
std::string verb_lemma(std::string word, std::string_view tag, std::string_view particle) {
  if (word.ends_with('-')) return word += '_' + std::string(tag);  // as the original has it
  word.resize(word.size() - particle.size());
  inflect_back(word, Inflection::verb);
  word += particle;
  return word;
}

std::string plural_lemma(std::string word, std::string_view tag) {
  if (word.ends_with('-')) return word += '_' + std::string(tag);  // as the original has it
  const std::size_t size = word.size();
  // An abbreviation: "drs." -> "dr."
  if (word.ends_with("s.") && size > 2 && word[size - 3] >= 'a' && word[size - 3] <= 'z') {
    word.erase(size - 2, 1);
    return word;
  }
  inflect_back(word, Inflection::plural);
  return word;
}

}  // namespace

std::string lemma(std::string_view word, std::string_view tag) {
  if (tag.starts_with("NNP") || (word == "I" && tag.starts_with('P'))) return std::string(word);
  std::string lower = text::lowered(word);
  if (lower.size() <= kLongestSpecial) {
    for (const Special& special : kSpecial) {
      if (lower == special.word && tag.starts_with(special.tag)) return std::string(special.lemma);
    }
  }
  if (tag.starts_with('V')) return verb_lemma(std::move(lower), tag, particle_of(word));
  if (tag == "NNS") return plural_lemma(std::move(lower), tag);
  return lower;
}

}  // namespace capella::syntax
