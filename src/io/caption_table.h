// What every reader produces, whatever the shape of its input: rows of (id, caption) in file order.
//
// A table owns its text, is filled once by a CaptionTableBuilder and is not changed afterwards. The Python
// binding fills one from objects in memory, the readers from files; assemble() joins tables into a Dataset
// and knows nothing of formats.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capella/dataset.h"

namespace capella::io {

struct CaptionRow {
  std::string_view id;
  std::string_view caption;
  std::size_t position = 0;  ///< where the row stands in its source; CaptionTable::line makes a line of it
};

/// Turns ascending positions into line numbers, counted from 1. JSON readers know a row's ordinal only, and
/// find its line when an error needs it. An empty function means that positions are lines already (0: no
/// line).
using LineLocator = std::function<std::vector<std::size_t>(std::span<const std::size_t> positions)>;

struct CaptionTable {
  std::string source;       ///< how messages name the table: the file's path, or "standard input"
  std::string_view format;  ///< the name of the shape that was recognised
  std::vector<CaptionRow> rows;
  bool aligned = false;                       ///< no ids in the source: "1", "2", ... in order of appearance
  bool has_named_id = false;                  ///< a row has the id column that the user names
  bool has_named_caption = false;             ///< ... the caption column
  std::shared_ptr<const CaptionTable> tests;  ///< a joint file's hypotheses; `rows` are then its references
  std::vector<Skipped> skipped;               ///< malformed rows that were left out on request
  std::shared_ptr<const void> text;           ///< owns what the string_views point to
  LineLocator locate;

  /// The line of a row, or 0 where the source has no lines.
  std::size_t line(const CaptionRow& row) const;
};

/// "SOURCE:LINE", or "SOURCE" when the line is 0: the head of an error message.
std::string place(std::string_view source, std::size_t line);

/// Strings that stay where they are. Many small ones share a block.
class TextStore {
 public:
  std::string_view copy(std::string_view text);

 private:
  static constexpr std::size_t kBlockSize = 1 << 16;
  std::deque<std::unique_ptr<char[]>> blocks_;
  char* free_ = nullptr;
  std::size_t left_ = 0;
};

class CaptionTableBuilder {
 public:
  explicit CaptionTableBuilder(std::string source, std::string_view format = "in memory");

  /// Adds a row and copies its text. Give line 0 where there are no lines.
  void add(std::string_view id, std::string_view caption, std::size_t line);

  /// Adds a row without copying: both texts belong to something given to keep(), or came from copy().
  void add_view(std::string_view id, std::string_view caption, std::size_t position);

  TextStore& store() { return owned_->store; }
  std::string_view copy(std::string_view text) { return owned_->store.copy(text); }
  void keep(std::shared_ptr<const void> owner) { owned_->others.push_back(std::move(owner)); }

  /// The rows have no ids of their own; the caller numbers them "1", "2", ... and `n` may repeat in a run.
  void set_aligned() { table_.aligned = true; }
  void note_named(bool id, bool caption) {
    table_.has_named_id |= id;
    table_.has_named_caption |= caption;
  }
  void set_locator(LineLocator locate) { table_.locate = std::move(locate); }
  void set_skipped(std::vector<Skipped> skipped) { table_.skipped = std::move(skipped); }

  const CaptionTable& table() const { return table_; }
  CaptionTable build() { return std::move(table_); }

 private:
  struct Owned {
    TextStore store;
    std::vector<std::shared_ptr<const void>> others;
  };
  std::shared_ptr<Owned> owned_;
  CaptionTable table_;
};

}  // namespace capella::io
