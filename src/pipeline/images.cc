// The pictures of a data set's items.
#include "pipeline/images.h"

#include <filesystem>
#include <map>
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

[[noreturn]] void reject(const std::string& source, const pipeline::MissingPictures& missing,
                         std::size_t items) {
  throw DataError(
      fmt::format("{}: {} of {} items have no picture there: {}; {}, or leave the items out with --missing "
                  "skip",
                  source, missing.size(), items, missing.list(), missing.remedy("ID.jpg")));
}

std::string why_skipped(const std::string& source, const std::string& path) {
  const std::string why = fmt::format("no picture in {}", source);
  return path.empty() ? why : fmt::format("{}: {} is not there", why, path);
}

Dataset with_paths(const Dataset& dataset, const io::ImagePaths& paths, bool skip_missing) {
  std::vector<std::string> images;
  std::vector<std::size_t> kept;
  pipeline::MissingPictures missing;
  std::vector<Skipped> skipped;
  for (std::size_t item = 0; item < dataset.size(); ++item) {
    images.push_back(paths.find(dataset.id(item)));
    if (missing.add_unless_there(dataset.id(item), images.back())) {
      skipped.push_back({std::string(dataset.id(item)), why_skipped(paths.source(), images.back())});
    } else {
      kept.push_back(item);
    }
  }
  if (!missing.empty() && (!skip_missing || kept.empty())) reject(paths.source(), missing, dataset.size());
  return part_of(dataset, kept, images, std::move(skipped));
}

}  // namespace

bool pipeline::MissingPictures::add_unless_there(std::string_view id, const std::string& path) {
  std::error_code unknown;
  if (!path.empty() && std::filesystem::exists(path, unknown)) return false;
  has_paths_ |= !path.empty();
  names_.push_back(path.empty() ? std::string(id) : fmt::format("{} ({})", id, path));
  return true;
}

std::string pipeline::MissingPictures::list() const {
  return list_names(std::vector<std::string_view>(names_.begin(), names_.end()));
}

std::string pipeline::MissingPictures::remedy(std::string_view naming) const {
  return has_paths_ ? "put the files there, or name others" : fmt::format("put them there, named {}", naming);
}

Dataset pipeline::with_named_images(const Dataset& dataset, const std::string& images,
                                    std::span<const std::string_view> names) {
  const io::ImagePaths paths(images);
  Dataset::Parts parts = dataset.parts();
  std::map<std::string_view, std::string> found;
  for (const std::string_view name : names) {
    parts.images.push_back(paths.find(name));
    found.emplace(name, parts.images.back());
  }
  MissingPictures missing;
  for (const auto& [name, path] : found) missing.add_unless_there(name, path);
  if (!missing.empty())
    throw DataError(fmt::format("{}: {} images have no picture there: {}; {}", images, missing.size(),
                                missing.list(), missing.remedy("as here")));
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
