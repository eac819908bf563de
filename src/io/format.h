// The input formats, and the one place where a new one is entered: the table in format.cc.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "io/caption_table.h"
#include "io/source.h"

namespace capella::io {

struct ReadOptions {
  std::string split{};       ///< the part of a Karpathy dataset.json to read
  bool skip_bad = false;     ///< leave malformed rows out and list them, instead of stopping
  bool every_split = false;  ///< all parts of a Karpathy dataset.json, whatever `split` is
};

struct Format {
  std::string_view name;
  bool (*recognise)(const Source& source);
  CaptionTable (*read)(const Source& source, const ReadOptions& options);
};

/// All formats, in the order in which they are tried. The last one takes any text.
std::span<const Format> formats();

/// Recognises the format and reads it. Throws DataError.
CaptionTable read_table(const Source& source, const ReadOptions& options);

/// The same for a text that is not opened; `name` stands for it in messages.
CaptionTable read_table(std::string name, std::string content, const ReadOptions& options);

}  // namespace capella::io
