// Facts of captions on disk, so that captions which were parsed once need no parsing in later runs.
//
// A folder holds one file per model of the parser and version of Capella, named by both, and so nothing of an
// earlier model is ever read. In a file, captions are known by a hash of 128 bits. Files are mapped, replaced
// whole, and checked when they are opened; one that is damaged or of another kind is left aside.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "resource/section_file.h"

namespace capella::scene {

/// Stands for a caption's text.
struct TextKey {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  friend auto operator<=>(const TextKey&, const TextKey&) = default;
};
TextKey text_key(std::string_view text);

struct TextKeyHash {
  std::size_t operator()(const TextKey& key) const { return key.low; }
};

/// Keys with encoded facts (scene/fact_codec.h).
using FactEntries = std::vector<std::pair<TextKey, std::string>>;

class FactCache {
 public:
  /// `model` is the fingerprint of the parser's model. Makes the folder if it is not there; throws FileError
  /// if it cannot be made or written.
  FactCache(const std::string& folder, std::uint64_t model);

  const std::string& path() const { return path_; }

  /// What was wrong with the file that was there, for people; empty if nothing was.
  const std::string& problem() const { return problem_; }

  /// The encoded facts of a text, as they were when the cache was opened.
  std::optional<std::string_view> find(TextKey key) const;

  /// Adds entries to the file, beside those that other runs have added since. Throws FileError.
  void add(FactEntries entries) const;

 private:
  // The file, with its sections checked.
  struct Table {
    Table(const std::string& path, std::uint64_t fingerprint);
    std::string_view bytes_of(std::size_t entry) const;

    resource::SectionFile file;
    std::span<const TextKey> keys;  // ascending
    std::span<const std::uint64_t> ends;
    std::span<const char> bytes;
  };
  std::unique_ptr<const Table> open(std::string& problem) const;

  std::uint64_t fingerprint_;
  std::string path_;
  std::string problem_;
  std::unique_ptr<const Table> table_;  // null if there is no file, or none that can be used
};

}  // namespace capella::scene
