// All pre-gen metrics of as many captions as the test images of COCO have, on random probabilities: from the
// words' probabilities in memory to the numbers. The file of the job may be empty; it is not read.
#include <cmath>

#include "base/random.h"
#include "measure.h"
#include "method/pregen/metrics.h"

namespace capella::bench {
namespace {

constexpr std::uint64_t kSeed = 12345;
constexpr std::size_t kImages = 5000;
constexpr std::size_t kCaptionsEach = 5;
constexpr std::size_t kFewestWords = 9;
constexpr std::uint32_t kMoreWords = 6;  // 9 ... 14, with the end: 11.5 in the mean

io::TokenProbabilities random_probabilities() {
  Random random(kSeed);
  io::TokenProbabilities table;
  for (std::size_t image = 0; image < kImages; ++image) {
    for (std::size_t c = 0; c < kCaptionsEach; ++c) {
      const std::size_t words = kFewestWords + random.below(kMoreWords);
      for (std::size_t w = 0; w < words; ++w) {
        const double probability = std::pow(random.uniform(), 2.);
        table.probabilities.push_back(probability);
        table.ranks.push_back(random.uniform() < probability ? 0 : 1 + random.below(8000));
      }
      table.words.push_back(table.probabilities.size());
    }
    table.captions.push_back(table.caption_count());
  }
  return table;
}

}  // namespace

nlohmann::json run_pregen_metrics(const Job& job) {
  const io::TokenProbabilities table = random_probabilities();
  std::vector<double> values;
  nlohmann::json answer = measured(time_each(
      job.repetitions, [&](std::size_t) { values = method::pregen::CaptionScores(table).metrics(); }));
  answer["values"] = {{"metrics", {{"items", values}}}};
  return answer;
}

}  // namespace capella::bench
