#include "pipeline/pregen_study_world.h"

#include <array>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"
#include "capella/world.h"

#include "base/file.h"
#include "base/hash.h"
#include "text/tokenizer_karpathy.h"

namespace capella::pipeline {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::array<double, 3> kSplits = {.7, .1, .2};  // of a world that is made: many test images

void make_world_if_missing(const PregenStudyOptions& options) {
  std::error_code error;
  if (fs::exists(options.world, error)) return;
  if (error) throw FileError(fmt::format("{}: {}", options.world, error.message()));
  if (options.tell)
    options.tell(fmt::format("making the world {} with {} images", options.world, options.images));
  WorldOptions world;
  world.folder = options.world;
  world.images = options.images;
  world.seed = options.seed;
  world.splits = kSplits;
  world.threads = options.threads;
  world.progress = options.progress;
  make_world(world);
}

std::string words_of(const io::CaptionSets& sets, std::size_t caption) {
  std::vector<std::string_view> words;
  for (const std::uint32_t id : sets.caption(caption)) words.push_back(sets.words[id]);
  return fmt::format("{}", fmt::join(words, " "));
}

std::uint64_t image_number(std::string_view id) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
  if (error != std::errc() || end != id.data() + id.size() || number == 0)
    throw DataError(fmt::format("image {}: is no image of a generated world, which are numbered from 1", id));
  return number;
}

}  // namespace

StudyWorld::StudyWorld(const PregenStudyOptions& options) : folder_(options.world) {
  make_world_if_missing(options);
  read_truth();
  read_captions();
}

std::string StudyWorld::path(const char* name) const {
  return (fs::path(folder_) / name).string();
}

GeneratorInputs StudyWorld::inputs() const {
  return {path("dataset.json"), path("image_features.npy"), ""};
}

void StudyWorld::read_truth() {
  const Json truth = Json::parse(read_file(path("truth.json")), nullptr, false);
  const Json judges = truth.is_object() ? truth.value("judges", Json()) : Json();
  const bool complete = truth.is_object() && truth.contains("seed") && truth["seed"].is_number_unsigned() &&
                        truth.contains("images") && truth["images"].is_number_unsigned() &&
                        judges.is_object() && judges.contains("noise_deviation") &&
                        judges["noise_deviation"].is_number();
  if (!complete)
    throw DataError(
        fmt::format("{}: expected the seed, images and judges of a generated world; is {} a folder that "
                    "capella world made?",
                    path("truth.json"), folder_));
  judges_.emplace(truth["seed"].get<std::uint64_t>(), truth["images"].get<std::size_t>(),
                  judges["noise_deviation"].get<double>());
}

void StudyWorld::read_captions() {
  const GeneratorInputs files = inputs();
  const io::CaptionSets sets = io::read_caption_sets(files.dataset, text::tokenize_karpathy);
  Json list = Json::array();
  for (std::size_t image = 0; image < sets.images.size(); ++image) {
    const std::string& split = sets.splits[sets.split[image]];
    if (split == "train") ++training_images_;
    if (split != "test") continue;
    Json captions = Json::array();
    for (std::size_t k = sets.captions[image]; k < sets.captions[image + 1]; ++k)
      captions.push_back(words_of(sets, k));
    ++test_images_;
    test_captions_ += captions.size();
    list.push_back({{"image_id", sets.images[image]}, {"captions", std::move(captions)}});
  }
  references_ = list.dump(1) + "\n";
  fingerprint_ = hash_combine(hash_bytes(read_file(files.dataset)), hash_bytes(read_file(files.features)));
}

GivenScores StudyWorld::judge(const Dataset& dataset, const std::string& name) const {
  GivenScores given;
  given.name = name;
  for (const Dataset::System& system : dataset.systems()) {
    std::vector<double>& ratings = given.values.emplace_back();
    for (std::size_t i = 0; i < dataset.size(); ++i)
      ratings.push_back(judges_->judge(image_number(dataset.id(i)) - 1, system.captions[i]).rating);
  }
  return given;
}

}  // namespace capella::pipeline
