// Captions as METEOR sees them: words as numbers, with all it knows of each looked up once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "resource/meteor_data.h"
#include "text/stemmer.h"
#include "text/vocabulary.h"

namespace capella::metric {

struct MeteorWord {
  resource::WordKey key;
  text::WordId stem;
  bool is_function_word;
  std::span<const std::uint32_t> synsets;  ///< ascending
  /// Of the word as a phrase, see MeteorData::paraphrases().
  std::optional<std::span<const resource::PhraseKey>> paraphrases;
};

/// The distinct words of a run. As a text::Vocabulary, it may extend a finished one, which many threads then
/// share.
class MeteorLexicon {
 public:
  explicit MeteorLexicon(const resource::MeteorData& data, const MeteorLexicon* base = nullptr);
  MeteorLexicon(const MeteorLexicon&) = delete;
  MeteorLexicon& operator=(const MeteorLexicon&) = delete;

  const resource::MeteorData& data() const { return data_; }

  text::WordId intern(std::string_view word);
  std::string_view text(text::WordId id) const { return words_.word(id); }
  const MeteorWord& word(text::WordId id) const {
    return id < first_ ? base_->word(id) : known_[id - first_];
  }

 private:
  MeteorWord look_up(std::string_view word);

  const resource::MeteorData& data_;
  const MeteorLexicon* base_;
  text::WordId first_;  // of the words that the base does not have
  text::Vocabulary words_;
  text::Vocabulary stems_;
  std::vector<MeteorWord> known_;
  std::deque<std::vector<std::uint32_t>> synsets_;  // of words in known_
  text::EnglishStemmer stemmer_;
};

bool are_synonyms(const MeteorWord& a, const MeteorWord& b);

/// A phrase of a caption that METEOR's table has paraphrases for.
struct MeteorPhrase {
  std::uint32_t start;
  std::uint32_t length;
  std::span<const resource::PhraseKey> paraphrases;
};

struct MeteorText {
  std::span<const text::WordId> words;
  std::span<const MeteorPhrase> phrases;  ///< by start, then length
};

/// Normalised captions, one after the other.
class MeteorTexts {
 public:
  /// Words go into `lexicon`; phrases are looked up only if `paraphrases` says so.
  MeteorTexts(MeteorLexicon& lexicon, bool paraphrases) : lexicon_(lexicon), paraphrases_(paraphrases) {}

  void add(std::string_view caption);
  void clear();
  std::size_t size() const { return ends_.size(); }
  MeteorText get(std::size_t i) const;

 private:
  struct End {
    std::size_t words;
    std::size_t phrases;
  };
  void add_phrases(std::size_t first_word);

  MeteorLexicon& lexicon_;
  bool paraphrases_;
  std::vector<text::WordId> words_;
  std::vector<MeteorPhrase> phrases_;
  std::vector<End> ends_;
};

}  // namespace capella::metric
