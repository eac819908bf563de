// From a plan to English.
#include <array>

#include "base/ascii.h"
#include "world/caption.h"
#include "world/english.h"

namespace capella::world {
namespace {

constexpr std::array<std::string_view, 4> kNumbers = {"", "a", "two", "three"};

void append(std::string& text, std::string_view word) {
  if (word.empty()) return;
  if (!text.empty()) text += ' ';
  text += word;
}

std::string_view noun_of(Class id, std::size_t which, bool plural) {
  const Noun& noun = info(id).nouns[which];
  return plural ? noun.plural : noun.singular;
}

// With "a", "an", a number, or nothing before words that stand for several things.
std::string with_count(std::size_t count, bool numbered, const std::string& words) {
  if (count == 1) return (takes_an(words) ? "an " : "a ") + words;
  return numbered ? std::string(kNumbers[count]) + " " + words : words;
}

std::string worn_text(const Mention::Worn& worn, bool plural) {
  std::string words;
  if (worn.colour) append(words, name(*worn.colour));
  if (worn.pattern) append(words, name(*worn.pattern));
  append(words, noun_of(worn.id, worn.noun, plural));
  return with_count(plural ? 2 : 1, false, words);
}

std::string mention_text(const Mention& mention) {
  const bool plural = mention.count > 1;
  std::string words;
  if (mention.size) append(words, size_words(*mention.size)[mention.size_word]);
  if (mention.colour) append(words, name(*mention.colour));
  if (mention.pattern) append(words, name(*mention.pattern));
  append(words, noun_of(mention.id, mention.noun, plural));
  std::string text = with_count(mention.count, mention.numbered, words);
  for (std::size_t i = 0; i < mention.worn.size(); ++i) {
    append(text, i == 0 ? mention.worn[i].link : "and");
    append(text, worn_text(mention.worn[i], plural));
  }
  return text;
}

// "is chasing", "chases", "chasing", "are next to".
std::string verb_text(const Clause& clause, bool plural) {
  const PredicateInfo& about = info(clause.predicate);
  const Wording& wording = about.wordings[clause.wording];
  switch (clause.voice) {
    case Clause::Voice::progressive:
      return (plural ? "are " : "is ") + std::string(wording.gerund);
    case Clause::Voice::present:
      return std::string(plural ? wording.plural : wording.third);
    default:
      return std::string(wording.gerund);
  }
}

std::string passive_text(const Clause& clause) {
  // The clause's subject is who does it; the sentence begins with what it is done to.
  std::string_view verb = info(clause.predicate).wordings[clause.wording].passive;
  std::string text = mention_text(*clause.object);
  append(text, clause.object->count > 1 ? "are being" : "is being");
  append(text, verb);
  append(text, mention_text(clause.subject));
  return text;
}

std::string clause_text(const Clause& clause) {
  std::string text;
  const bool plural = clause.subject.count > 1;
  const bool whole = clause.object.has_value();
  if (whole && clause.voice == Clause::Voice::passive) {
    text = passive_text(clause);
  } else {
    const bool sentence =
        clause.voice == Clause::Voice::existential || (!whole && clause.voice != Clause::Voice::gerund);
    if (sentence) text = plural ? "there are" : "there is";
    append(text, mention_text(clause.subject));
    if (whole) {
      append(text, verb_text(clause, plural));
      append(text, mention_text(*clause.object));
    }
  }
  for (const Clause::Tail& tail : clause.tails) {
    if (tail.joined && whole) append(text, "and");
    append(text, tail.link.empty() ? info(tail.predicate).wordings[tail.wording].gerund : tail.link);
    append(text, mention_text(tail.object));
  }
  return text;
}

}  // namespace

std::string write_caption(const Plan& plan) {
  std::string text;
  const std::string_view setting = plan.setting ? info(*plan.setting).phrases[plan.setting_phrase] : "";
  if (plan.setting && plan.setting_first) text = std::string(setting) + ",";
  for (std::size_t i = 0; i < plan.clauses.size(); ++i) {
    if (i > 0) append(text, plan.while_ ? "while" : "and");
    append(text, clause_text(plan.clauses[i]));
  }
  if (plan.setting && !plan.setting_first) append(text, setting);
  return text;
}

std::string as_sentence(const std::string& caption) {
  std::string text = caption;
  if (!text.empty()) text[0] = upper(text[0]);
  return text + ".";
}

std::vector<std::string> words_of(const std::string& caption) {
  std::vector<std::string> words(1);
  for (const char c : caption) {
    if (c == ' ' || c == '-') {
      if (!words.back().empty()) words.emplace_back();
    } else if (c != ',' && c != '.') {
      words.back() += lower_ascii(c);
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

}  // namespace capella::world
