// The judge against what people said of the pairs of SICK (Marelli et al. 2014). Its rules were made with the
// training and trial pairs; the test pairs were looked at once, and the judge was right on 85.4 % of them.
#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "method/mln/entailment/entailment.h"
#include "resource/find.h"
#include "support/shared.h"
#include "syntax/caption_parser.h"

namespace capella::method::mln {
namespace {

struct Pairs {
  std::vector<std::size_t> labels;
  std::vector<std::string> sentences;  ///< premise, hypothesis, premise, ...
};

Pairs read_pairs(const std::filesystem::path& path) {
  constexpr std::array<std::string_view, 3> kLabels = {"contradiction", "neutral", "entailment"};
  Pairs pairs;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find('\t'), second = line.find('\t', first + 1);
    const auto label = std::ranges::find(kLabels, line.substr(0, first));
    if (label == kLabels.end() || second == std::string::npos)
      throw std::runtime_error("not a pair: " + line);
    pairs.labels.push_back(static_cast<std::size_t>(label - kLabels.begin()));
    pairs.sentences.push_back(line.substr(first + 1, second - first - 1));
    pairs.sentences.push_back(line.substr(second + 1));
  }
  return pairs;
}

/// Rows: what people said; columns: what the judge says.
using Confusion = std::array<std::array<std::size_t, 3>, 3>;

Confusion confusion(const Pairs& pairs) {
  const syntax::CaptionParser parser(resource::need("models/parser.safetensors"));
  const resource::WordRelations words(resource::need(resource::WordRelations::kFile));
  const EntailmentJudge judge(&words);
  const std::vector<std::string_view> texts(pairs.sentences.begin(), pairs.sentences.end());
  const auto trees = parser.parse(texts);
  Confusion counts{};
  for (std::size_t i = 0; i < pairs.labels.size(); ++i) {
    const io::EntailmentOdds odds = judge.judge(*judge.read(trees[2 * i]), *judge.read(trees[2 * i + 1]));
    ++counts[pairs.labels[i]][static_cast<std::size_t>(std::ranges::max_element(odds) - odds.begin())];
  }
  return counts;
}

double accuracy(const Confusion& counts) {
  std::size_t right = 0, all = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      all += counts[a][b];
      right += a == b ? counts[a][b] : 0;
    }
  }
  return static_cast<double>(right) / static_cast<double>(all);
}

TEST(EntailmentGolden, AgreesWithPeopleOnSick) {
  CAPELLA_NEED_SHARED(path, "data/nli/SICK_test.tsv");
  const Confusion counts = confusion(read_pairs(path));
  EXPECT_GT(accuracy(counts), .84);
  // Nearly all that it calls a contradiction or an entailment is one.
  EXPECT_GT(counts[0][0], 9 * (counts[1][0] + counts[2][0]));
  EXPECT_GT(counts[2][2], 9 * (counts[0][2] + counts[1][2]));
  EXPECT_GT(counts[0][0], 3 * (counts[0][1] + counts[0][2]));
}

TEST(EntailmentGolden, AgreesWithPeopleOnTheTrialPairs) {
  CAPELLA_NEED_SHARED(path, "data/nli/SICK_dev.tsv");
  EXPECT_GT(accuracy(confusion(read_pairs(path))), .82);
}

}  // namespace
}  // namespace capella::method::mln
