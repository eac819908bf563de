#include "method/mln/entailment/entailment_model.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/error.h"

#include "base/ascii.h"
#include "base/names.h"

namespace capella::method::mln {
namespace {

constexpr std::array<std::string_view, 3> kLabels = {"contradiction", "neutral", "entailment"};

std::string listed(const std::vector<std::string>& labels) {
  constexpr std::size_t kMostShown = 6;
  std::vector<std::string> shown;
  for (std::size_t k = 0; k < std::min(labels.size(), kMostShown); ++k) shown.push_back(excerpt(labels[k]));
  return fmt::format("{}{}", fmt::join(shown, ", "), labels.size() > kMostShown ? ", ..." : "");
}

// Their order and whether they are written in capitals differs from model to model.
std::array<std::size_t, 3> find_labels(const encoder::PairClassifier& classifier) {
  const std::vector<std::string>& labels = classifier.labels();
  if (labels.size() != kLabels.size())
    throw FileError(
        fmt::format("{}: the model tells {} labels apart ({}), expected three: contradiction, neutral and "
                    "entailment; was it trained for natural language inference?",
                    classifier.labels_file(), labels.size(), listed(labels)));
  std::array<std::size_t, 3> places{};
  for (std::size_t k = 0; k < kLabels.size(); ++k) {
    const auto found = std::ranges::find_if(
        labels, [&](const std::string& label) { return lowered_ascii(label) == kLabels[k]; });
    if (found == labels.end())
      throw FileError(
          fmt::format("{}: the model's labels are {}, expected contradiction, neutral and entailment in any "
                      "order; write into id2label which is which",
                      classifier.labels_file(), listed(labels)));
    places[k] = static_cast<std::size_t>(found - labels.begin());
  }
  return places;
}

io::EntailmentOdds probabilities(std::span<const float> logits, const std::array<std::size_t, 3>& places) {
  const double most = static_cast<double>(std::ranges::max(logits));
  io::EntailmentOdds odds{};
  for (std::size_t k = 0; k < odds.size(); ++k)
    odds[k] = std::exp(static_cast<double>(logits[places[k]]) - most);
  const double sum = odds[0] + odds[1] + odds[2];
  for (double& p : odds) p /= sum;
  return odds;
}

}  // namespace

EntailmentModel::EntailmentModel(const std::string& folder, const encoder::EncoderEngine& engine)
    : classifier_(folder, engine), places_(find_labels(classifier_)) {}

EntailmentModel::Answers EntailmentModel::judge(std::span<const std::string_view> premises,
                                                std::span<const std::string_view> hypotheses,
                                                const encoder::EncodeWork& work) const {
  encoder::PairAnswers found = classifier_.answers(premises, hypotheses, work);
  Answers answers{{}, std::move(found.cut), found.distinct};
  for (std::size_t k = 0; k < premises.size(); ++k)
    answers.odds.push_back(probabilities(found.row(k), places_));
  return answers;
}

}  // namespace capella::method::mln
