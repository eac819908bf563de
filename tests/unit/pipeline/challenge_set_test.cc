#include "capella/challenge_set.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"
#include "capella/meta.h"
#include "capella/world.h"

#include "base/ascii.h"
#include "base/file.h"
#include "support/message_of.h"
#include "support/temp_dir.h"
#include "world/foil_nouns.h"

namespace capella {
namespace {

struct ChallengeSetImage {
  std::string id;
  std::vector<std::string> captions;
};

Dataset challenge_set_dataset_of(const std::vector<ChallengeSetImage>& images) {
  const auto text = std::make_shared<std::vector<ChallengeSetImage>>(images);
  Dataset::Parts parts;
  parts.text = text;
  for (const ChallengeSetImage& image : *text) {
    parts.ids.push_back(image.id);
    parts.references.insert(parts.references.end(), image.captions.begin(), image.captions.end());
    parts.reference_ends.push_back(parts.references.size());
  }
  return Dataset(std::move(parts));
}

// Captions that allow every kind, and two images that allow nothing.
std::vector<ChallengeSetImage> images() {
  std::vector<ChallengeSetImage> all;
  for (int i = 0; i < 40; ++i) {
    all.push_back({"couch" + std::to_string(i),
                   {"A brown dog is sleeping on a couch near a white wall.", "A dog sleeps on a couch.",
                    "A brown dog on a blue couch in a large room with two windows and a wooden floor.",
                    "Dog on couch.", "The dog lies down on a couch.", "A dog on a big couch"}});
    all.push_back({"street" + std::to_string(i),
                   {"A red bus is driving down a street next to a white car.", "A bus drives by a car.",
                    "A man riding a bicycle behind a red bus on a busy street in a large city.",
                    "There is a bus on the street.", "A bus and a car in a city."}});
    all.push_back({"field" + std::to_string(i),
                   {"A dog catches a frisbee.",
                    "A black dog with a white frisbee runs across a wide green field near some tall trees.",
                    "The dog is jumping for a frisbee."}});
  }
  all.push_back({"alone", {"A cat sits on a bed."}});
  all.push_back({"twins", {"A cat sits on a bed.", "a cat sits on a bed"}});
  return all;
}

std::string as_words(const std::string& text) {
  std::string out;
  for (const char c : lowered_ascii(text)) {
    if ((c >= 'a' && c <= 'z') || (c == ' ' && !out.empty() && out.back() != ' ')) out += c;
  }
  return out;
}

std::map<std::string, std::vector<ChallengePair>> by_kind(const ChallengeSet& set) {
  std::map<std::string, std::vector<ChallengePair>> kinds;
  for (const ChallengePair& pair : set.pairs) kinds[pair.kind].push_back(pair);
  return kinds;
}

const ChallengeSet& small_set() {
  static const ChallengeSet set = make_challenge_set(challenge_set_dataset_of(images()), {});
  return set;
}

std::vector<ChallengePair> pairs_of(const char* kind) {
  return by_kind(small_set()).at(kind);
}

TEST(ChallengeSet, HasPairsOfEveryKind) {
  const auto kinds = by_kind(small_set());
  EXPECT_EQ(challenge_kinds().size(), 9u);
  for (const std::string& kind : challenge_kinds()) EXPECT_TRUE(kinds.contains(kind)) << kind;
  EXPECT_EQ(kinds.size(), 9u);
}

TEST(ChallengeSet, TheEditedCaptionIsNoReference) {
  std::map<std::string, std::vector<std::string>> captions;
  for (const ChallengeSetImage& image : images()) captions[image.id] = image.captions;
  for (const ChallengePair& pair : small_set().pairs) {
    EXPECT_NE(as_words(pair.better), as_words(pair.worse));
    ASSERT_FALSE(pair.references.empty());
    EXPECT_LE(pair.references.size(), 4u);
    const auto& own = captions.at(pair.image);
    for (const std::string& reference : pair.references) {
      EXPECT_NE(as_words(reference), as_words(pair.better));
      EXPECT_NE(std::count(own.begin(), own.end(), reference), 0) << reference;
    }
    // Only a synonym is no caption of the image itself; its caption differs from it in one word.
    EXPECT_EQ(std::count(own.begin(), own.end(), pair.better) == 0, pair.kind == "synonym") << pair.better;
    EXPECT_EQ(std::count(own.begin(), own.end(), pair.worse), 0) << pair.worse;
  }
}

TEST(ChallengeSet, TheCaptionBehindASynonymIsNoReference) {
  for (const ChallengePair& pair : pairs_of("synonym")) {
    const std::size_t arrow = pair.edit.find(" -> ");
    const std::string noun = pair.edit.substr(0, arrow);
    const std::string synonym = pair.edit.substr(arrow + 4, pair.edit.find(", not") - arrow - 4);
    std::string edited = as_words(pair.better);
    edited.replace(edited.find(synonym), synonym.size(), noun);
    for (const std::string& reference : pair.references) {
      EXPECT_NE(as_words(reference), edited);
      EXPECT_EQ((as_words(reference) + " ").find(" " + synonym + " "), std::string::npos);
    }
  }
}

TEST(ChallengeSet, WhatIsAddedNobodyNames) {
  const world::FoilNouns nouns;
  std::map<std::string, std::set<std::uint32_t>> named;
  for (const ChallengeSetImage& image : images()) {
    for (const std::string& caption : image.captions) {
      for (const auto& mention : nouns.find(caption))
        named[image.id].insert(mention.categories.begin(), mention.categories.end());
    }
  }
  for (const ChallengePair& pair : pairs_of("hallucinated-object")) {
    const auto mentions = nouns.find(pair.edit);
    ASSERT_EQ(mentions.size(), 1u) << pair.edit;
    for (const std::uint32_t category : mentions[0].categories)
      EXPECT_FALSE(named[pair.image].contains(category)) << pair.worse;
  }
}

TEST(ChallengeSet, AnImageGivesOnePairOfAKindAndLengthGoesBothWays) {
  const auto kinds = by_kind(small_set());
  for (const auto& [kind, pairs] : kinds) {
    std::map<std::string, int> seen;
    for (const ChallengePair& pair : pairs) ++seen[pair.image + (kind == "length" ? pair.edit : "")];
    for (const auto& [image, times] : seen) EXPECT_EQ(times, 1) << kind << ' ' << image;
  }
  for (const ChallengePair& pair : pairs_of("length"))
    EXPECT_EQ(pair.better.size() < pair.worse.size(), pair.edit == "short is right") << pair.better;
}

TEST(ChallengeSet, TheSameSeedGivesTheSameBytesForAnyThreads) {
  const Dataset references = challenge_set_dataset_of(images());
  ChallengeSetOptions options;
  options.pairs = 10;
  options.threads = 1;
  const std::string lines = challenge_set_lines(make_challenge_set(references, options).pairs);
  options.threads = 3;
  EXPECT_EQ(lines, challenge_set_lines(make_challenge_set(references, options).pairs));
  options.seed = 2;
  EXPECT_NE(lines, challenge_set_lines(make_challenge_set(references, options).pairs));
}

TEST(ChallengeSet, ASmallerSetIsPartOfALargerOne) {
  const Dataset references = challenge_set_dataset_of(images());
  ChallengeSetOptions options;
  options.pairs = 7;
  const std::string all = challenge_set_lines(small_set().pairs);
  const ChallengeSet some = make_challenge_set(references, options);
  const auto kinds = by_kind(some);
  for (const auto& [kind, pairs] : kinds) EXPECT_LE(pairs.size(), 7u) << kind;
  for (const ChallengePair& pair : some.pairs)
    EXPECT_NE(all.find(challenge_set_lines({&pair, 1})), std::string::npos) << pair.kind << pair.image;
  options.kinds = {"truncated", "negation"};
  EXPECT_EQ(by_kind(make_challenge_set(references, options)).size(), 2u);
}

TEST(ChallengeSet, TellsWhatWasNotMade) {
  for (const ChallengeTally& tally : small_set().kinds) {
    EXPECT_EQ(tally.made + tally.few_captions + tally.lacking + tally.doubtful, tally.looked_at)
        << tally.kind;
    EXPECT_EQ(tally.looked_at, images().size());
    EXPECT_GE(tally.few_captions, 1u) << "the image with one caption";
    EXPECT_FALSE(tally.needs.empty());
  }
}

TEST(ChallengeSet, RefusesWhatItCannotDo) {
  ChallengeSetOptions options;
  EXPECT_THROW(make_challenge_set(challenge_set_dataset_of({{"1", {"A man.", "Men."}}}), options), DataError);
  EXPECT_THROW(make_challenge_set(challenge_set_dataset_of({}), options), DataError);
  options.kinds = {"negatoin"};
  const std::string message =
      test::message_of<UsageError>([&] { make_challenge_set(challenge_set_dataset_of(images()), options); });
  EXPECT_NE(message.find("did you mean 'negation'"), std::string::npos) << message;
}

TEST(ChallengeSet, IsReadByTheBenchmark) {
  const test::TempDir folder;
  MetaOptions options;
  options.benchmark = "challenge";
  options.path = folder.write("set.jsonl", challenge_set_lines(small_set().pairs));
  options.score.metrics = {"rouge-l"};
  options.resamples = 100;
  const MetaResult result = evaluate_metrics(options);
  EXPECT_EQ(result.pairs, small_set().pairs.size());
  EXPECT_EQ(result.measures.size(), 10u);
  EXPECT_EQ(result.measures.back(), "mean");
}

TEST(WorldChallengeSet, IsWrongOfTheScene) {
  const test::TempDir folder;
  WorldOptions world;
  world.folder = (folder.path() / "world").string();
  world.images = 120;
  world.size = 32;
  world.seed = 3;
  make_world(world);
  ChallengeSetOptions options;
  options.pairs = 20;
  const ChallengeSet set = make_world_challenge_set(world.folder, options);
  const auto kinds = by_kind(set);
  for (const char* kind :
       {"synonym", "wrong-object", "hallucinated-object", "swapped-attributes", "swapped-roles"})
    EXPECT_GE(kinds.at(kind).size(), 5u) << kind;
  // What is added is not among the scene's objects.
  std::map<std::string, std::set<std::string>> objects;
  std::istringstream graphs(read_file(world.folder + "/graphs.jsonl"));
  for (std::string line; std::getline(graphs, line);) {
    const auto graph = nlohmann::json::parse(line);
    for (const auto& object : graph["objects"]) objects[graph["image_id"]].insert(object["class"]);
  }
  for (const ChallengePair& pair : kinds.at("hallucinated-object")) {
    const std::string noun = pair.edit.substr(pair.edit.rfind(' ') + 1);
    EXPECT_FALSE(objects.at(pair.image).contains(noun)) << pair.worse;
  }
}

TEST(WorldChallengeSet, RefusesOtherFolders) {
  const test::TempDir folder;
  const auto message = [&] {
    return test::message_of<Error>([&] { make_world_challenge_set(folder.path().string(), {}); });
  };
  EXPECT_NE(message().find("truth.json"), std::string::npos);
  folder.write("truth.json", "[1");
  EXPECT_NE(message().find("capella world made"), std::string::npos);
  folder.write("truth.json", R"({"seed": 3})");
  folder.write("references.json", R"([{"image_id": "x", "captions": ["A dog.", "Dogs."]}])");
  EXPECT_NE(message().find("numbered from 1"), std::string::npos);
  folder.write("references.json", R"([{"image_id": 1, "captions": ["A zebra flies.", "Dogs."]}])");
  EXPECT_NE(message().find("not true of the scene"), std::string::npos);
}

}  // namespace
}  // namespace capella
