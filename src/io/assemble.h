// Joins tables of references and hypotheses into one Dataset.
//
// Items are the ids of the references in order of first appearance. A table without ids is joined by
// position: its n-th caption belongs to the n-th item.
#pragma once

#include <span>
#include <string>

#include "capella/dataset.h"

#include "io/caption_table.h"

namespace capella::io {

enum class Missing {
  error,  ///< every item needs a caption from every system, and no others may be there
  skip,   ///< only items that all systems have are kept; the others are listed
};

struct AssembleOptions {
  Missing missing = Missing::error;
};

struct NamedTable {
  std::string name;
  const CaptionTable* table;
};

/// Throws DataError when the tables do not fit together. `systems` may be empty.
Dataset assemble(const CaptionTable& references, std::span<const NamedTable> systems,
                 const AssembleOptions& options);

}  // namespace capella::io
