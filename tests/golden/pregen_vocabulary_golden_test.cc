// The vocabulary of Flickr8k as the pre-gen study had it: 2,539 words, from which the published numbers of
// parameters follow.
#include <fstream>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/caption_sets.h"
#include "method/pregen/caption_data.h"
#include "method/pregen/vocabulary.h"
#include "support/shared.h"
#include "support/temp_dir.h"
#include "text/tokenizer_karpathy.h"

namespace capella {
namespace {

std::set<std::string> lines_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::set<std::string> all;
  for (std::string line; std::getline(file, line);) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (!line.empty()) all.insert(line);
  }
  return all;
}

TEST(PregenVocabulary, OfFlickr8kIsAsPublished) {
  CAPELLA_NEED_SHARED(folder, "data/flickr8k");
  const std::set<std::string> training = lines_of(folder / "Flickr_8k.trainImages.txt");
  ASSERT_EQ(training.size(), 6000u);
  nlohmann::json images = nlohmann::json::object();
  std::ifstream file(folder / "Flickr8k.token.txt");
  for (std::string line; std::getline(file, line);) {
    const std::string name = line.substr(0, line.find('#'));
    images[name]["filename"] = name;
    images[name]["split"] = training.contains(name) ? "train" : "other";
    images[name]["sentences"].push_back({{"raw", line.substr(line.find('\t') + 1)}});
  }
  nlohmann::json list = nlohmann::json::array();
  for (const auto& image : images) list.push_back(image);
  const test::TempDir temp;
  const io::CaptionSets sets = io::read_caption_sets(
      temp.write("dataset.json", nlohmann::json{{"images", list}}.dump()), text::tokenize_karpathy);
  const auto train = method::pregen::images_of_split(sets, "train");
  const method::pregen::Vocabulary vocabulary = method::pregen::make_vocabulary(sets, train, 5);
  EXPECT_EQ(vocabulary.size(), 2539u);
}

}  // namespace
}  // namespace capella
