// METEOR on a caption and references made of any bytes: as numbers of words of a small English, or as raw
// text. Matches lie within the sentences and share no word, the score lies between 0 and 1, and short inputs
// agree with the slow twin to the last bit.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/small_meteor_table.h"
#include "metric/meteor_comparison.h"
#include "reference/meteor_reference.h"
#include "reference/meteor_reference_normalizer.h"
#include "reference/meteor_small_lexicon.h"
#include "resource/meteor_convert.h"
#include "resource/meteor_data.h"

namespace {

using capella::metric::MeteorComparison;
using capella::metric::MeteorMatch;
namespace reference = capella::reference;
namespace resource = capella::resource;

constexpr std::size_t kMostBytes = 600;
constexpr std::size_t kMostReferences = 4;
constexpr std::size_t kTwinBytes = 160;  // of caption and references: longer ones take the twin too long

void require(bool condition) {
  if (!condition) __builtin_trap();
}

const reference::MeteorFiles& files() {
  // Phrases within phrases, both ways, to themselves, and one entry twice.
  static const reference::MeteorFiles kFiles = reference::small_meteor_files(
      "0.5\ndog\na dog\n0.5\na dog\nthe dogs of\n0.5\nis on\non\n0.5\non\nis on\n0.5\ndog dog\ndog\n"
      "0.5\nthe man\nman\n0.5\nthe man\nman\n0.5\nrun to\njog\n0.5\nto run to the\nthe jog to a\n0.5\na\na "
      "a\n");
  return kFiles;
}

/// A byte per word; the highest ends a sentence.
std::vector<std::string> word_sentences(std::string_view bytes) {
  const std::vector<std::string>& vocabulary = reference::small_meteor_vocabulary();
  std::vector<std::string> sentences(1);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == 0xFF) {
      sentences.emplace_back();
    } else {
      sentences.back() += vocabulary[byte % vocabulary.size()] + " ";
    }
  }
  return sentences;
}

std::vector<std::string> raw_sentences(std::string_view bytes) {
  std::vector<std::string> sentences(1);
  for (const char c : bytes) {
    if (c == '\n') {
      sentences.emplace_back();
    } else {
      sentences.back() += c;
    }
  }
  return sentences;
}

void check_tidy(const MeteorComparison& comparison) {
  std::vector<bool> in_caption(comparison.caption.size()), in_reference(comparison.reference.size());
  const auto take = [](std::vector<bool>& taken, std::size_t start, std::size_t length) {
    require(length > 0 && start + length <= taken.size());
    for (std::size_t i = start; i < start + length; ++i) {
      require(!taken[i]);
      taken[i] = true;
    }
  };
  for (const MeteorMatch& match : comparison.matches) {
    take(in_reference, match.reference_start, match.reference_length);
    take(in_caption, match.caption_start, match.caption_length);
  }
  const double score = capella::metric::meteor_value(comparison.statistics).score;
  require(score >= 0 && score <= 1);
}

bool is_for_the_twin(const std::vector<std::string>& sentences) {
  std::size_t bytes = 0;
  for (const std::string& sentence : sentences) {
    bytes += sentence.size();
    const std::u32string text = reference::to_meteor_word(sentence);
    if (!std::all_of(text.begin(), text.end(), reference::knows_case)) return false;
  }
  return bytes <= kTwinBytes;
}

void check_twin(const std::vector<MeteorComparison>& fast, const reference::Item& item, bool paraphrases) {
  static const reference::MeteorWords words = reference::read_meteor_words(files());
  const std::vector<reference::MeteorSegment> slow = reference::compare_by_meteor(item, words, paraphrases);
  require(fast.size() == slow.size());
  for (std::size_t i = 0; i < slow.size(); ++i) {
    require(fast[i].caption.size() == slow[i].caption.size());
    for (std::size_t k = 0; k < slow[i].caption.size(); ++k)
      require(fast[i].caption[k] == reference::to_utf8(slow[i].caption[k]));
    require(fast[i].matches.size() == slow[i].matches.size());
    for (std::size_t k = 0; k < slow[i].matches.size(); ++k) {
      const MeteorMatch& match = fast[i].matches[k];
      require(reference::MeteorCandidate{match.reference_start, match.reference_length, match.caption_start,
                                         match.caption_length,
                                         static_cast<std::size_t>(match.module)} == slow[i].matches[k]);
    }
    require(fast[i].statistics == slow[i].numbers);
    require(capella::metric::meteor_value(fast[i].statistics).score ==
            reference::meteor_score(slow[i].numbers).score);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::unique_ptr<const resource::MeteorData> table = capella::fuzz::small_meteor_table(files());
  if (size == 0 || size > kMostBytes) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const bool paraphrases = (data[0] & 1) != 0;
  std::vector<std::string> sentences = (data[0] & 2) != 0 ? raw_sentences(bytes) : word_sentences(bytes);
  if (sentences.size() < 2) sentences.emplace_back("a dog is on the man");
  sentences.resize(std::min(sentences.size(), 1 + kMostReferences));

  const reference::Item item{sentences[0], {sentences.begin() + 1, sentences.end()}};
  const std::vector<std::string_view> references(item.references.begin(), item.references.end());
  const std::vector<MeteorComparison> fast =
      capella::metric::compare_by_meteor(item.caption, references, *table, paraphrases);
  require(fast.size() == references.size());
  for (const MeteorComparison& comparison : fast) check_tidy(comparison);
  if (is_for_the_twin(sentences)) check_twin(fast, item, paraphrases);
  return 0;
}
