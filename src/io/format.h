// The input formats, and the one place where a new one is entered: the table in format.cc.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "io/caption_table.h"
#include "io/column_names.h"
#include "io/source.h"

namespace capella::io {

struct ReadOptions {
  std::string split{};           ///< the part of a Karpathy dataset.json to read
  bool skip_bad = false;         ///< leave malformed rows out and list them, instead of stopping
  bool every_split = false;      ///< all parts of a Karpathy dataset.json, whatever `split` is
  std::string id_column{};       ///< the column or key of ids; empty, or where a file lacks it: a known one
  std::string caption_column{};  ///< ... of captions
  bool coco_ids = false;         ///< ids are COCO's numbers, however they are written: see item_ids.h

  ColumnNames columns() const { return {id_column, caption_column}; }
};

struct Format {
  std::string_view name;
  bool (*recognise)(const Source& source, const ReadOptions& options);
  CaptionTable (*read)(const Source& source, const ReadOptions& options);
};

/// All formats, in the order in which they are tried. The last one takes any text.
std::span<const Format> formats();

/// Recognises the format and reads it. Throws DataError.
CaptionTable read_table(const Source& source, const ReadOptions& options);

/// The same for a text that is not opened; `name` stands for it in messages.
CaptionTable read_table(std::string name, std::string content, const ReadOptions& options);

}  // namespace capella::io
