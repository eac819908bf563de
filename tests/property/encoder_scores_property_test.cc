// Sentence-cosine, BERTScore and MoverScore through whole runs agree with their slow twins on the vectors of
// single texts.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "capella/pipeline.h"

#include "property/corpus_generator.h"
#include "reference/encoder_scores_reference.h"
#include "support/corpus.h"
#include "support/small_sentence_encoder.h"

namespace capella::test {
namespace {

using reference::TokenText;

constexpr double kEncoderScoresNear = 2e-5;  // hidden states are of 32 bits

std::string encoder_scores_any_text() {
  const std::string words[] = {"a", "dog", "cats", "runs", "on", "grass", "red", ",", "!", "zebra", "[SEP]"};
  std::string text;
  for (int count = *rc::gen::inRange(0, 9); count > 0; --count)
    text += words[*rc::gen::inRange<std::size_t>(0, std::size(words))] + " ";
  return text;
}

Corpus any_corpus() {
  Corpus corpus;
  for (int count = *rc::gen::inRange(1, 5); count > 0; --count) {
    Item item{encoder_scores_any_text(), {}};
    for (int references = *rc::gen::inRange(1, 4); references > 0; --references)
      item.references.push_back(encoder_scores_any_text());
    corpus.push_back(std::move(item));
  }
  return corpus;
}

ScoreOptions options_for(const SmallSentenceEncoder& model, const std::string& metric,
                         const std::vector<std::string>& settings) {
  ScoreOptions options;
  options.metrics = {metric};
  options.settings = {metric + ".model=" + model.path()};
  for (const std::string& setting : settings) options.settings.push_back(metric + "." + setting);
  options.threads = *rc::gen::inRange<std::size_t>(1, 4);
  options.detail = true;
  return options;
}

std::vector<std::vector<std::string>> reference_tokens(const SmallSentenceEncoder& model,
                                                       const Corpus& corpus) {
  std::vector<std::vector<std::string>> texts;
  for (const Item& item : corpus) {
    for (const std::string& reference : item.references) texts.push_back(model.layers(reference)[0].tokens);
  }
  return texts;
}

double item_value(const Result& result, std::string_view score, std::size_t item) {
  const auto column = std::ranges::find(result.columns, score, &ScoreColumn::name);
  RC_ASSERT(column != result.columns.end());
  return result.item_value(0, item, static_cast<std::size_t>(column - result.columns.begin()));
}

void expect_near(const Result& result, std::string_view score, std::size_t item, double expected) {
  const double found = item_value(result, score, item);
  RC_LOG() << score << " of item " << item << ": " << found << ", expected " << expected << '\n';
  RC_ASSERT(std::abs(found - expected) <= kEncoderScoresNear);
}

TEST(EncoderScoresProperty, SentenceCosineAgreesWithTheSlowTwin) {
  const SmallSentenceEncoder model;
  EXPECT_TRUE(rc::check("Sentence-cosine", [&] {
    const Corpus corpus = any_corpus();
    const std::string over =
        *rc::gen::element<std::string>("max", "mean", "both", "centroid", "max+centroid");
    const Result result =
        score(make_dataset(corpus), options_for(model, "sentence-cosine", {"over=" + over}));
    for (std::size_t i = 0; i < corpus.size(); ++i) {
      double most = -1, sum = 0;
      const reference::Vector caption = model.sentence(corpus[i].caption);
      std::vector<reference::Vector> references;
      for (const std::string& reference : corpus[i].references) {
        references.push_back(model.sentence(reference));
        const double one = reference::cosine(caption, references.back());
        most = std::max(most, one);
        sum += one;
      }
      const double mean = sum / static_cast<double>(corpus[i].references.size());
      expect_near(result, "Sentence-cosine-max", i, most);
      expect_near(result, "Sentence-cosine-mean", i, mean);
      const double centroid = reference::cosine(caption, reference::centroid(references));
      expect_near(result, "Sentence-cosine-centroid", i, centroid);
      const std::map<std::string, double> choices = {{"max", most},
                                                     {"mean", mean},
                                                     {"both", (most + mean) / 2},
                                                     {"centroid", centroid},
                                                     {"max+centroid", (most + centroid) / 2}};
      expect_near(result, "Sentence-cosine", i, choices.at(over));
    }
  }));
}

TEST(EncoderScoresProperty, BertScoreAgreesWithTheSlowTwin) {
  const SmallSentenceEncoder model;
  EXPECT_TRUE(rc::check("BERTScore", [&] {
    const Corpus corpus = any_corpus();
    const bool idf = *rc::gen::arbitrary<bool>();
    const auto layer = *rc::gen::inRange<std::size_t>(1, 3);
    const Result result = score(
        make_dataset(corpus),
        options_for(model, "bertscore", {idf ? "idf=yes" : "idf=no", "layer=" + std::to_string(layer)}));
    const reference::Rarity rarity(reference_tokens(model, corpus));
    for (std::size_t i = 0; i < corpus.size(); ++i) {
      const TokenText caption = model.layers(corpus[i].caption)[layer];
      reference::BertScores best{-1, -1, -1};
      for (const std::string& reference : corpus[i].references) {
        const auto scores =
            reference::bertscore(caption, model.layers(reference)[layer], idf ? &rarity : nullptr);
        best = {std::max(best.precision, scores.precision), std::max(best.recall, scores.recall),
                std::max(best.f, scores.f)};
      }
      expect_near(result, "BERTScore-P", i, best.precision);
      expect_near(result, "BERTScore-R", i, best.recall);
      expect_near(result, "BERTScore", i, best.f);
    }
  }));
}

TEST(EncoderScoresProperty, MoverScoreAgreesWithTheSlowTwin) {
  const SmallSentenceEncoder model;
  EXPECT_TRUE(rc::check("MoverScore", [&] {
    const Corpus corpus = any_corpus();
    const bool idf = *rc::gen::arbitrary<bool>();
    const bool drops = *rc::gen::arbitrary<bool>();
    const Result result =
        score(make_dataset(corpus),
              options_for(model, "moverscore",
                          {idf ? "idf=yes" : "idf=no", drops ? "subwords=drop" : "subwords=keep"}));
    const reference::Rarity rarity(reference_tokens(model, corpus));
    for (std::size_t i = 0; i < corpus.size(); ++i) {
      const TokenText caption = model.layers(corpus[i].caption).back();
      double sum = 0;
      for (const std::string& reference : corpus[i].references) {
        const auto distance = reference::mover_distance(caption, model.layers(reference).back(),
                                                        idf ? &rarity : nullptr, false, drops);
        if (distance) sum += 1 / (1 + *distance);
      }
      expect_near(result, "MoverScore", i, sum / static_cast<double>(corpus[i].references.size()));
    }
  }));
}

// The last five layers of six, squared distances, 1 less the distance.
TEST(EncoderScoresProperty, MoverScoresFirstVersionAgreesWithTheSlowTwin) {
  const SmallSentenceEncoder model(6);
  const auto text_of = [&](const std::string& text) {
    const std::vector<TokenText> layers = model.layers(text);
    return reference::spread_over_layers({layers.end() - 5, layers.end()});
  };
  EXPECT_TRUE(rc::check("MoverScore, version 1", [&] {
    const Corpus corpus = any_corpus();
    const bool idf = *rc::gen::arbitrary<bool>();
    const bool drops = *rc::gen::arbitrary<bool>();
    const Result result = score(
        make_dataset(corpus),
        options_for(model, "moverscore",
                    {"version=1", idf ? "idf=yes" : "idf=no", drops ? "subwords=drop" : "subwords=keep"}));
    const reference::Rarity rarity(reference_tokens(model, corpus));
    for (std::size_t i = 0; i < corpus.size(); ++i) {
      const TokenText caption = text_of(corpus[i].caption);
      double sum = 0;
      for (const std::string& reference : corpus[i].references) {
        const auto distance =
            reference::mover_distance(caption, text_of(reference), idf ? &rarity : nullptr, true, drops);
        if (distance) sum += 1 - *distance;
      }
      expect_near(result, "MoverScore", i, sum / static_cast<double>(corpus[i].references.size()));
    }
  }));
}

}  // namespace
}  // namespace capella::test
