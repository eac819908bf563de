// Negation in the ways that captions allow. "Not" stands behind the first auxiliary, else "does not" before
// the verb; a noun phrase without a verb is denied as a whole.
#include <algorithm>

#include "world/challenge/edits.h"
#include "world/rewrite.h"

namespace capella::world::challenge {
namespace {

constexpr std::string_view kNegative[] = {"no",   "not",     "n't", "never", "without", "nothing", "nobody",
                                          "none", "neither", "nor", "any",   "only",    "missing", "lacking"};
// Of some animals that do not walk others may.
constexpr std::string_view kPartial[] = {"some",    "many",     "several",  "most", "few",
                                         "all",     "every",    "each",     "both", "one",
                                         "another", "everyone", "everybody"};
// Nouns that look like verbs: "a railroad crossing".
constexpr std::string_view kNoVerbs[] = {"crossing", "building", "painting", "landing"};
constexpr std::string_view kBe[] = {"is", "are", "was", "were"};
// "No lot of people" is no English, and without a picture of a dog there may still be one.
constexpr std::string_view kAmounts[] = {"lot",     "couple", "few",        "number", "variety",
                                         "bunch",   "many",   "little",     "close",  "image",
                                         "picture", "photo",  "photograph", "view",   "shot"};

class Negator {
 public:
  explicit Negator(const ParsedCaption& caption) : caption_(caption) {}

  std::vector<Edit> edits() {
    if (caption_.has_word(kNegative)) return {};
    const bool partial = caption_.has_word(kPartial);
    for (std::size_t i = 0; i < caption_.size(); ++i) {
      deny_existence(i);
      take_away(i);
      if (partial) continue;
      negate_auxiliary(i);
      negate_verb(i);
      negate_participle(i);
    }
    deny_phrase();
    return std::move(edits_);
  }

 private:
  const ParsedWord& at(std::size_t i) const { return caption_[i]; }

  void add(Splice splice, std::string note) {
    edits_.push_back({spliced(caption_.text(), {std::move(splice)}), std::move(note)});
  }
  void insert_not(std::size_t before) { add({at(before).begin, 0, "not "}, "not " + at(before).lower); }

  bool is_finite(std::size_t i) const {
    const std::string& tag = at(i).tag;
    return tag == "VBZ" || tag == "VBP" || tag == "VBD" || tag == "MD";
  }

  // What "no" takes the place of before a noun, as words `first` to before `end`: an article, a number, or
  // nothing before a plural.
  struct Count {
    std::size_t first, end;
    bool plural;
  };
  std::optional<Count> count_at(std::size_t first) const {
    const auto noun = noun_from(first);
    if (!noun || is_one_of(at(*noun).lower, kAmounts) || is_one_of(at(first).lower, kAmounts)) return {};
    const bool article = at(first).lower == "a" || at(first).lower == "an";
    const bool one = at(first).lower == "one";
    if (article && at(*noun).is_plural()) return {};  // a verb, most likely: "a man rides"
    if (at(first).tag == "CD" && one == at(*noun).is_plural()) return {};
    const bool number = at(first).tag == "CD" || at(first).lower == "some" || at(first).lower == "several";
    if (article || number) return Count{first, first + 1, at(*noun).is_plural()};
    if (at(first).tag == "DT" || !at(*noun).is_plural()) return {};
    return Count{first, first, true};
  }

  // The noun whose phrase begins at the word.
  std::optional<std::size_t> noun_from(std::size_t first) const {
    for (std::size_t i = first; i < caption_.size() && i < first + 5; ++i) {
      if (!at(i).is_noun()) continue;
      if (i + 1 < caption_.size() && at(i + 1).tag.starts_with("NN")) continue;
      const auto phrase = single_phrase(caption_, i);
      return phrase && phrase->first == first ? std::optional(i) : std::nullopt;
    }
    return {};
  }

  void replace_count(const Count& count, const std::string& text, std::string note) {
    const bool same = count.first == count.end;
    const std::size_t begin = at(count.first).begin;
    // A plural without a number takes the words in front of it, and loses its capital.
    if (same) {
      const std::string word = caption_.phrase(count.first, count.first);
      add({begin, at(count.first).end - begin, text + ' ' + word}, std::move(note));
    } else {
      add({begin, at(count.first).end - begin, text}, std::move(note));
    }
  }

  // "There is a dog".
  void deny_existence(std::size_t i) {
    if (at(i).tag != "EX" || i + 2 >= caption_.size() || !is_one_of(at(i + 1).lower, kBe)) return;
    if (const auto count = count_at(i + 2)) replace_count(*count, "no", "there is no");
  }

  // "A man is riding", "a dog is on the bed".
  void negate_auxiliary(std::size_t i) {
    if (!is_one_of(at(i).lower, kBe) || !is_finite(i) || i == 0 || i + 1 >= caption_.size()) return;
    const bool there = at(i - 1).tag == "EX" || at(i + 1).tag == "EX";
    const bool main = at(i).head == kRoot || at(static_cast<std::size_t>(at(i).head)).head == kRoot;
    // "Is not just sitting" does not deny that it sits.
    const bool adverb = at(i + 1).tag == "RB";
    if (there || !main || adverb || at(i + 1).lower == "," || at(i + 1).tag.starts_with("VBD")) return;
    insert_not(i + 1);
  }

  // "A dog runs".
  void negate_verb(std::size_t i) {
    if ((at(i).tag != "VBZ" && at(i).tag != "VBP") || at(i).head != kRoot || at(i).lemma == "be" ||
        i + 1 == caption_.size())
      return;
    if (caption_.child(i, "aux") || caption_.child(i, "auxpass") || caption_.child(i, "conj")) return;
    const auto subject = caption_.child(i, "nsubj");
    const bool third = at(i).tag == "VBZ";
    if (!subject || !at(*subject).is_noun() || at(*subject).is_plural() == third) return;
    if (caption_.child(*subject, "conj") || *subject > i || !at(i - 1).is_noun()) return;
    const std::string text = (third ? "does not " : "do not ") + at(i).lemma;
    add({at(i).begin, at(i).end - at(i).begin, text}, text);
  }

  // "A man riding a horse".
  void negate_participle(std::size_t i) {
    if (at(i).tag != "VBG" || at(i).relation != "acl" || i == 0 || is_one_of(at(i).lower, kNoVerbs)) return;
    if (at(i - 1).is_noun() && caption_.depends(i, i - 1)) insert_not(i);
  }

  // "A man with a hat".
  void take_away(std::size_t i) {
    if (at(i).lower != "with" || i == 0 || i + 1 >= caption_.size() || !at(i - 1).is_noun()) return;
    const auto count = count_at(i + 1);
    if (!count || (count->first != count->end && at(count->first).tag == "CD")) return;
    const auto noun = noun_from(i + 1);
    if (!caption_.depends(i, *noun) || !caption_.depends(*noun, i - 1)) return;
    if (at(i + 1).lower == "some" || at(i + 1).lower == "several") return;
    add({at(i).begin, at(i).end - at(i).begin, "without"}, "without");
  }

  // "A dog on a bed".
  void deny_phrase() {
    for (std::size_t i = 0; i < caption_.size(); ++i) {
      if (is_finite(i)) return;
    }
    const auto count = count_at(0);
    if (!count || at(*noun_from(0)).head != kRoot) return;
    const std::string text = count->plural ? "there are no" : "there is no";
    replace_count(*count, text, text);
  }

  const ParsedCaption& caption_;
  std::vector<Edit> edits_;
};

}  // namespace

std::vector<Edit> negations(const ParsedCaption& caption) {
  return Negator(caption).edits();
}

}  // namespace capella::world::challenge
