// Rated captions, their pictures and small encoders in a folder, to be trained on by a network that stays
// still: for tests of learned metrics from files to scores.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capella/deneb.h"
#include "capella/pipeline.h"

#include "pipeline/deneb_train.h"
#include "support/small_clip.h"
#include "support/small_text_encoder.h"
#include "support/still_network.h"
#include "support/temp_dir.h"

namespace capella::test {

// Six rated captions of three images, in the layout of Nebula.
struct RatedRow {
  const char* image;
  const char* caption;
  std::vector<std::string> references;
  double score;
};
inline const std::vector<RatedRow> kRows = {
    {"one", "a dog runs", {"two dog", "a dog on grass", "a red dog"}, 1},
    {"one", "a cat sleeps", {"two dog", "a dog on grass", "a red dog"}, 0},
    {"two", "a cat", {"a cat sleeps"}, .75},
    {"two", "red grass", {"a cat sleeps", "two cat"}, .25},
    {"three", "dog", {"a dog", "cat"}, .5},
    {"three", "a dog runs", {"a dog", "cat"}, .5}};

class DenebPipelineTest : public ::testing::Test {
 protected:
  DenebPipelineTest() {
    std::filesystem::create_directory(folder_.path() / "images");
    std::uint64_t seed = 1;
    for (const char* name : {"one", "two", "three"})
      folder_.write(std::string("images/") + name + ".png", random_picture(seed++));
    training_.training = folder_.write("train.jsonl", lines(0, 6));
    training_.validation = folder_.write("valid.jsonl", lines(1, 5));
    training_.encoders.clip = clip_.path();
    training_.encoders.text = text_.path();
    training_.encoders.images = path("images");
    training_.output = path("m.safetensors");
    training_.width = 16;
    training_.heads = 4;
    training_.layers = 1;
    training_.feed_forward = 8;
    training_.hidden = {6, 5};
    training_.most_epochs = 2;
    training_.threads = 2;
  }

  static std::string lines(std::size_t begin, std::size_t end) {
    std::string text;
    for (std::size_t k = begin; k < end; ++k) {
      const nlohmann::json row = {{"imgid", kRows[k].image},
                                  {"mt", kRows[k].caption},
                                  {"refs", kRows[k].references},
                                  {"score", kRows[k].score}};
      text += row.dump() + "\n";
    }
    return text;
  }

  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  // Polos has none of the sizes above but those of its head.
  void take_polos() {
    training_.architecture = "polos";
    training_.width = training_.heads = training_.layers = training_.feed_forward = 0;
  }

  // Replaces a model of before.
  DenebTrained train() {
    std::filesystem::remove(training_.output);
    return pipeline::train_deneb(training_, maker_);
  }

  // The rows as a data set whose items have names of their own and pictures.
  Dataset dataset() {
    nlohmann::json references, captions, others;
    std::map<std::string, std::string> pictures;
    for (std::size_t k = 0; k < kRows.size(); ++k) {
      const std::string id = "item" + std::to_string(k);
      references[id] = kRows[k].references;
      captions[id] = kRows[k].caption;
      others[id] = kRows[(k + 1) % kRows.size()].caption;
      pictures[id] = path(std::string("images/") + kRows[k].image + ".png");
    }
    const std::vector<std::string> systems = {"first=" + folder_.write("c.json", captions.dump()),
                                              "second=" + folder_.write("o.json", others.dump())};
    return with_images(read_dataset(folder_.write("r.json", references.dump()), systems, {}), pictures);
  }

  DenebScoring scoring() const {
    DenebScoring options;
    options.model = training_.output;
    options.encoders.clip = clip_.path();
    options.encoders.text = text_.path();
    options.threads = 2;
    return options;
  }

  ScoreOptions as_metric(const std::string& metric) const {
    ScoreOptions options;
    options.metrics = {metric};
    options.settings = {metric + ".model=" + training_.output, metric + ".clip=" + clip_.path(),
                        metric + ".text=" + text_.path()};
    return options;
  }

  TempDir folder_;
  SmallClip clip_;
  SmallTextEncoder text_;
  StillMaker maker_;
  DenebTraining training_;
};

}  // namespace capella::test
