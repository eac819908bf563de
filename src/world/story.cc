#include "world/story.h"

#include <algorithm>

namespace capella::world {
namespace {

constexpr std::uint64_t kTries = 40;

// Captions repeat each other by chance, and more so in small scenes; then other words are drawn.
void add_references(Story& story, std::uint64_t seed, std::uint64_t image, std::size_t count) {
  Draw draw(seed, Stream::references, image);
  constexpr std::array<Detail, 5> kDetails = {Detail::normal, Detail::brief, Detail::rich, Detail::normal,
                                              Detail::rich};
  auto& texts = story.reference_texts;
  for (std::size_t i = 0; i < count; ++i) {
    Plan plan;
    std::string text;
    std::uint64_t tries = 0;
    do {
      plan = make_plan(story.scene, tries < kTries / 2 ? kDetails[i % kDetails.size()] : Detail::rich, draw);
      text = as_sentence(write_caption(plan));
    } while (std::find(texts.begin(), texts.end(), text) != texts.end() && ++tries < kTries);
    story.references.push_back(std::move(plan));
    texts.push_back(std::move(text));
  }
}

// None of the references and, where that can be had, one whose relation can be mistaken in a usual way.
Caption draw_system_caption(const Story& story, std::uint64_t seed, std::uint64_t image) {
  Draw draw(seed, Stream::system, image);
  Caption caption;
  std::uint64_t tries = 0;
  const auto& texts = story.reference_texts;
  do {
    caption.plan = make_system_plan(story.scene, draw);
    caption.text = write_caption(caption.plan);
  } while ((std::find(texts.begin(), texts.end(), as_sentence(caption.text)) != texts.end() ||
            (tries < kTries / 4 && !has_usual_mistake(caption.plan, story.scene))) &&
           ++tries < kTries);
  return caption;
}

std::size_t shared_classes(const Scene& one, const Scene& other) {
  return static_cast<std::size_t>(
      std::count_if(one.groups.begin(), one.groups.end(),
                    [&](const Group& group) { return group.id != Class::shirt && other.has(group.id); }));
}

// A caption of a scene elsewhere that has nothing in common with this one, or as little as some tries find.
Plan unrelated_plan(const Scene& scene, std::uint64_t seed, std::uint64_t image) {
  Draw draw(seed, Stream::unrelated, image);
  Scene best;
  std::size_t least = SIZE_MAX;
  for (std::uint64_t i = 0; i < kTries && least > 0; ++i) {
    Scene other =
        make_scene(hash_combine(seed, static_cast<std::uint64_t>(Stream::unrelated)), image * kTries + i);
    const std::size_t shared = shared_classes(other, scene) + (other.setting == scene.setting ? 1 : 0);
    if (shared >= least) continue;
    least = shared;
    best = std::move(other);
  }
  return make_system_plan(best, draw);
}

}  // namespace

// In every 20 images each twentieth of the range comes once, in steps that spread them: so the share below a
// rate, which is a number of twentieths, is exact in whole blocks and off by less than 2 images elsewhere.
double error_threshold(std::uint64_t seed, std::uint64_t kind, std::uint64_t image) {
  constexpr std::uint64_t kParts = 20;
  constexpr std::uint64_t kStep = 11;
  Random random(hash_combine(hash_combine(hash_combine(seed, 0x7A7E), kind), image / kParts));
  const std::uint64_t part = (random.below(kParts) + kStep * (image % kParts)) % kParts;
  return (static_cast<double>(part) + .5) / kParts;
}

Story make_story(std::uint64_t seed, std::uint64_t image, std::size_t references) {
  Story story;
  story.scene = make_scene(seed, image);
  add_references(story, seed, image, references);
  story.system = draw_system_caption(story, seed, image);
  const Plan other = unrelated_plan(story.scene, seed, image);
  Draw draw(seed, Stream::errors, image);
  for (std::size_t kind = 0; kind < kErrorNames.size(); ++kind) {
    story.thresholds[kind] = error_threshold(seed, kind, image);
    story.errors[kind] =
        with_error(static_cast<ErrorKind>(kind), story.system.plan, story.scene, other, draw);
  }
  Draw foils(seed, Stream::foil, image);
  story.foil = make_foil(story.system.plan, story.scene, foils);
  return story;
}

}  // namespace capella::world
