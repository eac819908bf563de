// Word Mover's Distance against scipy's linear programs (exact) and against gensim 3 with pyemd 0.5.1's C++.
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "golden/golden_scores.h"
#include "metric/wmd_comparison.h"
#include "metric/wmd_distances.h"
#include "support/shared.h"
#include "support/small_word_vectors.h"
#include "support/wmd_texts.h"

namespace capella {
namespace {

using metric::VectorNorm;
using metric::WmdSolver;
using test::Json;
using Vectors = std::map<std::string, std::vector<float>>;

constexpr double kWmdRounding = 1e-12;

double number(const Json& value) {
  return value.is_string() ? std::numeric_limits<double>::infinity() : value.get<double>();
}

void add_words(const std::string& text, std::vector<std::string>& words) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (end > begin) words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

// The vectors of golden_wmd_hash.json, as its note defines them.
Vectors hash_vectors(const Json& golden) {
  std::vector<std::string> words;
  for (const Json& row : golden.at("rows")) {
    add_words(row.at("cand"), words);
    for (const Json& reference : row.at("refs")) add_words(reference, words);
  }
  Vectors vectors;
  for (const std::string& word : words) {
    std::uint64_t hash = 0xCBF29CE484222325;
    for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    if (hash % 17 == 0 || vectors.contains(word)) continue;
    for (std::uint64_t k = 0; k < 16; ++k) {
      std::uint64_t z = hash + k + 1 + 0x9E3779B97F4A7C15;
      z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
      z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
      z ^= z >> 31;
      vectors[word].push_back(static_cast<float>(2 * (static_cast<double>(z >> 11) * 0x1p-53) - 1));
    }
  }
  return vectors;
}

std::vector<reference::Item> items_of(const Json& golden) {
  std::vector<reference::Item> items;
  for (const Json& row : golden.at("rows")) items.push_back({row.at("cand"), row.at("refs")});
  return items;
}

class WmdGolden : public ::testing::Test {
 protected:
  void read(const std::filesystem::path& path) {
    golden_ = test::read_json(path);
    given_ = golden_.contains("vectors") ? golden_.at("vectors").get<Vectors>() : hash_vectors(golden_);
    vectors_ = std::make_unique<test::SmallWordVectors>(given_);
  }

  /// Every pair's distance; tolerance 0 asks for the same bits.
  void expect_distances(VectorNorm norm, WmdSolver solver, const char* name, double tolerance) const {
    const auto found = test::wmd_distances(items_of(golden_), vectors_->get(), norm, solver);
    std::size_t compared = 0;
    for (std::size_t k = 0; k < found.size(); ++k) {
      const Json& expected = golden_.at("rows")[k].at("per_ref");
      ASSERT_EQ(found[k].size(), expected.size());
      for (std::size_t r = 0; r < expected.size(); ++r, ++compared) {
        const double want = number(expected[r].at(name));
        if (found[k][r] == want) continue;
        ASSERT_LE(std::abs(found[k][r] - want), tolerance) << name << " of row " << k << ", reference " << r;
      }
    }
    EXPECT_EQ(compared, 900u);
  }

  void expect_scores(const std::map<std::string, std::string>& settings, const char* name,
                     double tolerance) const {
    const auto found = test::wmd_scores(*test::make_wmd(settings), items_of(golden_), vectors_->get());
    for (std::size_t k = 0; k < found.size(); ++k) {
      const double want = golden_.at("rows")[k].at(name);
      ASSERT_LE(std::abs(found[k] - want), tolerance) << name << " of row " << k;
    }
    if (std::string_view(name) != "mtanti_score") return;
    const double mean = std::accumulate(found.begin(), found.end(), 0.0) / static_cast<double>(found.size());
    EXPECT_NEAR(mean, golden_.at("mtanti_mean").get<double>(), kWmdRounding);
  }

  void expect_everything() const {
    expect_distances(VectorNorm::raw, WmdSolver::exact, "exact_raw", kWmdRounding);
    expect_distances(VectorNorm::unit, WmdSolver::exact, "exact_unit", kWmdRounding);
    expect_distances(VectorNorm::raw, WmdSolver::gensim3, "gensim3_pyemd", 0.0);
    expect_scores({{"norm", "unit"}}, "sharif_score", kWmdRounding);
    expect_scores({{"norm", "raw"}, {"solver", "gensim3"}}, "mtanti_score", kWmdRounding);
    expect_bounds();
  }

  // The words in the file are those that count, so their vectors are all there.
  void expect_bounds() const {
    for (const Json& row : golden_.at("rows")) {
      for (const Json& expected : row.at("per_ref")) {
        if (expected.at("wcd").is_null()) continue;
        expect_bounds(row.at("cand_tokens"), expected.at("ref_tokens"), expected);
      }
    }
  }

  void expect_bounds(const std::vector<std::string>& from, const std::vector<std::string>& to,
                     const Json& expected) const {
    const auto known = [this](std::vector<std::string> words) {
      std::erase_if(words, [this](const std::string& word) { return !given_.contains(word); });
      return words;
    };
    const std::vector<std::string> a = known(from), b = known(to);
    std::vector<double> costs;
    for (const std::string& word : a) {
      for (const std::string& other : b) costs.push_back(distance(word, other));
    }
    const std::vector<metric::Amount> supply(a.size(), static_cast<metric::Amount>(b.size()));
    const std::vector<metric::Amount> demand(b.size(), static_cast<metric::Amount>(a.size()));
    const metric::RelaxedDistance relaxed = metric::relaxed_costs(supply, demand, costs.data());
    const auto units = static_cast<double>(a.size() * b.size());
    EXPECT_NEAR(relaxed.from_caption / units, expected.at("rwmd_cand_to_ref").get<double>(), kWmdRounding);
    EXPECT_NEAR(relaxed.from_reference / units, expected.at("rwmd_ref_to_cand").get<double>(), kWmdRounding);
  }

  double distance(const std::string& a, const std::string& b) const {
    const auto padded = [this](const std::string& word) {
      std::vector<float> vector = given_.at(word);
      vector.resize((vector.size() + 7) / 8 * 8);
      return vector;
    };
    const std::vector<float> first = padded(a), second = padded(b);
    const float* pointers[] = {first.data(), second.data()};
    double found = 0;
    metric::find_distances({std::span(pointers, 1), first.size()}, {std::span(pointers + 1, 1), first.size()},
                           &found, 1);
    return found;
  }

  Json golden_;
  Vectors given_;
  std::unique_ptr<test::SmallWordVectors> vectors_;
};

TEST_F(WmdGolden, RealVectors) {
  CAPELLA_NEED_SHARED(path, "golden/golden_wmd.json");
  read(path);
  expect_everything();
}

TEST_F(WmdGolden, HashVectors) {
  CAPELLA_NEED_SHARED(path, "golden/golden_wmd_hash.json");
  read(path);
  for (const auto& [word, sample] : golden_.at("samples").items())
    EXPECT_EQ(given_.at(word), sample.get<std::vector<float>>()) << word;
  expect_everything();
}

}  // namespace
}  // namespace capella
