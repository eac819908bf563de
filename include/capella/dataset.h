// The captions to be judged: items with references, and for each system one caption per item.
//
// A Dataset is immutable and cheap to copy (copies share the text). Items keep the order of the references
// file, systems the order in which they were given; all metrics and reports rely on that order.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace capella {

/// A row that was left out, with the reason, when the caller asked to skip rather than to stop.
struct Skipped {
  std::string id;  ///< the item's id, or FILE:LINE when the row has none
  std::string why;
};

class Dataset {
 public:
  struct System {
    std::string name;
    std::vector<std::string_view> captions;  ///< one per item, in item order
  };

  /// The parts a reader hands over. `text` owns every string_view in the other members.
  struct Parts {
    std::shared_ptr<const void> text;
    std::vector<std::string_view> ids;
    std::vector<std::string_view> references;  ///< of all items, one item after the other
    std::vector<std::size_t> reference_ends;   ///< per item: the end of its references in `references`
    std::vector<System> systems;
    std::vector<Skipped> skipped;
    std::vector<std::string> images = {};  ///< per item: the path of its picture; empty if none are named
  };

  Dataset() : Dataset(Parts{}) {}
  explicit Dataset(Parts parts) : parts_(std::make_shared<const Parts>(std::move(parts))) {}

  std::size_t size() const { return parts_->ids.size(); }
  std::string_view id(std::size_t item) const { return parts_->ids[item]; }

  std::span<const std::string_view> references(std::size_t item) const {
    const std::size_t begin = item == 0 ? 0 : parts_->reference_ends[item - 1];
    return all_references().subspan(begin, parts_->reference_ends[item] - begin);
  }

  std::span<const std::string_view> all_references() const { return parts_->references; }
  std::span<const std::size_t> reference_ends() const { return parts_->reference_ends; }
  std::span<const System> systems() const { return parts_->systems; }
  std::span<const Skipped> skipped() const { return parts_->skipped; }
  std::span<const std::string> images() const { return parts_->images; }
  const Parts& parts() const { return *parts_; }

 private:
  std::shared_ptr<const Parts> parts_;
};

}  // namespace capella
