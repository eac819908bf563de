#include "method/composite/pairing.h"

#include <algorithm>
#include <array>
#include <memory>
#include <span>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/random.h"
#include "method/composite/similar_images.h"

namespace capella::method::composite {
namespace {

using Texts = std::vector<std::string_view>;

// What the new data set's strings live in: the old data set's text and the new ids.
struct Text {
  Dataset humans;
  std::vector<std::unique_ptr<const std::string>> ids;
};

class Pairing {
 public:
  Pairing(const Dataset& humans, const PairingOptions& options)
      : humans_(humans), options_(options), random_(options.seed), text_(std::make_shared<Text>()) {
    text_->humans = humans;
    parts_.systems.push_back({"captions", {}});
  }

  PairedCaptions make() {
    choose_images();
    for (std::size_t k = 0; k < chosen_.size(); ++k) add_image(k);
    paired_.image_count = chosen_.size();
    parts_.text = text_;
    paired_.dataset = Dataset(std::move(parts_));
    return std::move(paired_);
  }

 private:
  void choose_images() {
    for (std::size_t item = 0; item < humans_.size(); ++item) {
      if (options_.leaves_out && options_.leaves_out(humans_.id(item))) {
        ++paired_.left_out;
      } else if (humans_.references(item).size() < options_.captions) {
        ++paired_.too_few;
      } else {
        chosen_.push_back(item);
      }
    }
    const std::size_t least = options_.machines == Machines::other ? 2 : 1;
    if (chosen_.size() < least) {
      throw DataError(
          fmt::format("{} images to learn from, expected {} or more: {} left out, {} with fewer than {} "
                      "human captions",
                      chosen_.size(), least, paired_.left_out, paired_.too_few, options_.captions));
    }
    if (options_.machines == Machines::own) return;
    for (const std::size_t item : chosen_) images_.add(humans_.references(item));
    images_.weigh();
  }

  void add_image(std::size_t k) {
    const std::size_t item = chosen_[k];
    const std::string_view image = humans_.id(item);
    const auto written = humans_.references(item);
    Texts captions(written.begin(), written.end());
    shuffle(captions, random_);
    captions.resize(options_.captions);
    for (std::size_t i = 0; i < options_.humans; ++i)
      add(image, "human", i, captions[i], without(captions, i));
    for (std::size_t system = 0; system < humans_.systems().size(); ++system) {
      const auto dropped = random_.below(static_cast<std::uint32_t>(captions.size()));
      const Dataset::System& machine = humans_.systems()[system];
      add(image, machine.name, 0, machine.captions[seen_by(k, system)], without(captions, dropped));
    }
  }

  // The item for which the machine wrote its caption.
  std::size_t seen_by(std::size_t k, std::size_t system) {
    if (options_.machines == Machines::own) return chosen_[k];
    constexpr std::array<std::size_t, 3> kDrawn = {1, 10, 100};
    return chosen_[images_.draw(k, kDrawn[(k + system) % kDrawn.size()], random_)];
  }

  static Texts without(Texts captions, std::size_t place) {
    captions.erase(captions.begin() + static_cast<std::ptrdiff_t>(place));
    return captions;
  }

  void add(std::string_view image, const std::string& system, std::size_t k, std::string_view caption,
           const Texts& references) {
    text_->ids.push_back(std::make_unique<const std::string>(fmt::format("{}/{}/{}", image, system, k + 1)));
    parts_.ids.push_back(*text_->ids.back());
    parts_.references.insert(parts_.references.end(), references.begin(), references.end());
    parts_.reference_ends.push_back(parts_.references.size());
    parts_.systems[0].captions.push_back(caption);
    paired_.images.emplace_back(image);
    paired_.systems.push_back(system);
    paired_.human.push_back(system == "human" ? 1.0 : 0.0);
  }

  const Dataset& humans_;
  const PairingOptions& options_;
  Random random_;
  std::shared_ptr<Text> text_;
  Dataset::Parts parts_;
  PairedCaptions paired_;
  std::vector<std::size_t> chosen_;  // items to learn from
  SimilarImages images_;             // these, if machines look at others
};

}  // namespace

PairedCaptions pair_captions(const Dataset& humans, const PairingOptions& options) {
  if (options.captions < 2 || options.humans == 0 || options.humans > options.captions) {
    throw UsageError(
        fmt::format("{} of {} human captions as candidates: expected one or more and at most all, and two "
                    "captions or more, so that references remain",
                    options.humans, options.captions));
  }
  for (const Dataset::System& system : humans.systems()) {
    if (system.name == "human")
      throw UsageError("a system is named 'human', as people are; name it otherwise");
  }
  return Pairing(humans, options).make();
}

std::string image_key(std::string_view name) {
  name = name.substr(name.find_last_of('/') + 1);
  name = name.substr(0, name.rfind('.'));
  if (const std::size_t coco = name.rfind("2014_"); name.starts_with("COCO_") && coco != name.npos)
    name = name.substr(coco + 5);
  const bool number = !name.empty() && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
  if (number) name = name.substr(std::min(name.find_first_not_of('0'), name.size() - 1));
  return std::string(name);
}

}  // namespace capella::method::composite
