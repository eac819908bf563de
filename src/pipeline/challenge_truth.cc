#include "pipeline/challenge_truth.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "capella/error.h"
#include "capella/pipeline.h"

#include "base/file.h"
#include "base/names.h"
#include "world/caption.h"
#include "world/facts.h"
#include "world/read_caption.h"
#include "world/wrong.h"

namespace capella::pipeline {
namespace {

using Json = nlohmann::json;
using world::Fact;
using world::Scene;

constexpr std::size_t kChecked = 100;  // images

std::uint64_t read_seed(const std::string& path, const std::string& folder) {
  const Json truth = Json::parse(read_file(path), nullptr, false);
  const auto seed = truth.is_object() ? truth.find("seed") : truth.end();
  if (!truth.is_object() || seed == truth.end() || !seed->is_number_unsigned())
    throw DataError(fmt::format(
        "{}: expected the seed of a generated world; is {} a folder that capella world made?", path, folder));
  return seed->get<std::uint64_t>();
}

std::uint64_t number_of(std::string_view id, const std::string& path) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
  if (error != std::errc() || end != id.data() + id.size() || number == 0)
    throw DataError(fmt::format("{}: the image {} is none of a generated world, which are numbered from 1",
                                path, excerpt(id)));
  return number - 1;
}

bool is_wrong_of(const Fact& fact, const Scene& scene) {
  if (fact.kind != Fact::Kind::relation) return !is_true(fact, scene);
  const int subject = group_of(scene, fact.subject);
  const int object = group_of(scene, fact.object);
  if (subject < 0 || object < 0) return !is_true(fact, scene);
  return !is_true(fact, scene) && world::is_wrong(scene, subject, fact.predicate, object);
}

}  // namespace

WorldTruth::WorldTruth(const std::string& folder, std::size_t threads) : folder_(folder) {
  const auto path = [&](const char* name) { return (std::filesystem::path(folder) / name).string(); };
  seed_ = read_seed(path("truth.json"), folder);
  ReadOptions options;
  options.threads = threads;
  references_ = read_dataset(path("references.json"), {}, options);
  for (std::size_t i = 0; i < references_.size(); ++i)
    numbers_.push_back(number_of(references_.id(i), path("references.json")));
  check_captions();
}

void WorldTruth::check_captions() const {
  for (std::size_t image = 0; image < std::min(kChecked, references_.size()); ++image) {
    for (const std::string_view caption : references_.references(image)) {
      if (!is_true(image, caption))
        throw DataError(
            fmt::format("{}: the caption \"{}\" of image {} is not true of the scene that the seed makes, "
                        "expected a world of "
                        "this version of capella; make it again with capella world",
                        folder_, excerpt(caption), references_.id(image)));
    }
  }
}

void WorldTruth::add_present(std::size_t image, std::vector<bool>& classes) const {
  const Scene scene = world::make_scene(seed_, numbers_[image]);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (world::has_any(scene, static_cast<world::Class>(c))) classes[c] = true;
  }
}

bool WorldTruth::is_true(std::size_t image, std::string_view caption) const {
  const Scene scene = world::make_scene(seed_, numbers_[image]);
  const world::CaptionReading reading = world::read_caption(caption);
  return std::any_of(reading.meanings.begin(), reading.meanings.end(), [&](const std::vector<Fact>& facts) {
    return !facts.empty() && std::all_of(facts.begin(), facts.end(),
                                         [&](const Fact& fact) { return world::is_true(fact, scene); });
  });
}

bool WorldTruth::is_wrong(std::size_t image, std::string_view caption) const {
  const Scene scene = world::make_scene(seed_, numbers_[image]);
  const world::CaptionReading reading = world::read_caption(caption);
  return std::all_of(reading.meanings.begin(), reading.meanings.end(), [&](const std::vector<Fact>& facts) {
    return std::any_of(facts.begin(), facts.end(),
                       [&](const Fact& fact) { return is_wrong_of(fact, scene); });
  });
}

}  // namespace capella::pipeline
