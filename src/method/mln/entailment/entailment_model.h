// A trained judge of entailment: a BERT or RoBERTa that was taught natural language inference (MNLI), in
// place of the rules of entailment.h.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "encoder/pair_classifier.h"
#include "io/entailments.h"

namespace capella::method::mln {

class EntailmentModel {
 public:
  /// Throws FileError if the folder has no such model, or if it cannot be told which of its labels are
  /// contradiction, neutral and entailment.
  explicit EntailmentModel(const std::string& folder, const encoder::EncoderEngine& engine = {});

  /// "roberta-large-mnli(0f3a91c2)": the folder's name and the first digits of the fingerprint.
  const std::string& description() const { return classifier_.description(); }
  std::size_t most_tokens() const { return classifier_.most_tokens(); }

  struct Answers {
    std::vector<io::EntailmentOdds> odds;  ///< one per pair
    std::vector<std::size_t> cut;          ///< pairs, ascending, of which not all was read
    std::size_t distinct = 0;              ///< pairs that differ
  };
  /// Of sentences that belong together, place by place.
  Answers judge(std::span<const std::string_view> premises, std::span<const std::string_view> hypotheses,
                const encoder::EncodeWork& work = {}) const;

 private:
  encoder::PairClassifier classifier_;
  std::array<std::size_t, 3> places_{};  // of contradiction, neutral and entailment among the labels
};

}  // namespace capella::method::mln
