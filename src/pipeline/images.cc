// The pictures of a data set's items.
#include "pipeline/images.h"

#include <filesystem>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "capella/error.h"
#include "capella/pipeline.h"

#include "base/names.h"
#include "io/image/image_paths.h"

namespace capella {
namespace {

// The items in `kept`, with their pictures.
Dataset part_of(const Dataset& dataset, const std::vector<std::size_t>& kept,
                const std::vector<std::string>& images, std::vector<Skipped> more_skipped) {
  const Dataset::Parts& all = dataset.parts();
  Dataset::Parts parts;
  parts.text = all.text;
  parts.skipped = all.skipped;
  parts.skipped.insert(parts.skipped.end(), more_skipped.begin(), more_skipped.end());
  for (const Dataset::System& system : all.systems) parts.systems.push_back({system.name, {}});
  for (const std::size_t item : kept) {
    parts.ids.push_back(all.ids[item]);
    parts.images.push_back(images[item]);
    const auto references = dataset.references(item);
    parts.references.insert(parts.references.end(), references.begin(), references.end());
    parts.reference_ends.push_back(parts.references.size());
    for (std::size_t s = 0; s < all.systems.size(); ++s)
      parts.systems[s].captions.push_back(all.systems[s].captions[item]);
  }
  return Dataset(std::move(parts));
}

[[noreturn]] void reject(const std::string& source, const std::vector<std::string_view>& missing,
                         std::size_t items) {
  throw DataError(
      fmt::format("{}: {} of {} items have no picture there: {}; put them there, named ID.jpg, or "
                  "leave the items out with --missing skip",
                  source, missing.size(), items, list_names(missing)));
}

bool is_there(const std::string& path) {
  std::error_code unknown;
  return !path.empty() && std::filesystem::exists(path, unknown);
}

Dataset with_paths(const Dataset& dataset, const io::ImagePaths& paths, bool skip_missing) {
  std::vector<std::string> images;
  std::vector<std::size_t> kept;
  std::vector<std::string_view> missing;
  std::vector<Skipped> skipped;
  for (std::size_t item = 0; item < dataset.size(); ++item) {
    images.push_back(paths.find(dataset.id(item)));
    if (is_there(images.back())) {
      kept.push_back(item);
      continue;
    }
    missing.push_back(dataset.id(item));
    skipped.push_back({std::string(dataset.id(item)), fmt::format("no picture in {}", paths.source())});
  }
  if (!missing.empty() && (!skip_missing || kept.empty())) reject(paths.source(), missing, dataset.size());
  return part_of(dataset, kept, images, std::move(skipped));
}

}  // namespace

Dataset pipeline::with_named_images(const Dataset& dataset, const std::string& images,
                                    std::span<const std::string_view> names) {
  const io::ImagePaths paths(images);
  Dataset::Parts parts = dataset.parts();
  std::set<std::string_view> missing;
  for (const std::string_view name : names) {
    parts.images.push_back(paths.find(name));
    if (!is_there(parts.images.back())) missing.insert(name);
  }
  if (!missing.empty()) {
    const std::vector<std::string_view> listed(missing.begin(), missing.end());
    throw DataError(fmt::format("{}: {} images have no picture there: {}; put them there, named as here",
                                images, listed.size(), list_names(listed)));
  }
  return Dataset(std::move(parts));
}

Dataset with_images(const Dataset& dataset, const std::string& images, bool skip_missing) {
  return with_paths(dataset, io::ImagePaths(images), skip_missing);
}

Dataset with_images(const Dataset& dataset, const std::map<std::string, std::string>& images,
                    bool skip_missing) {
  return with_paths(dataset, io::ImagePaths("images", images), skip_missing);
}

}  // namespace capella
