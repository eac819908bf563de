// Karpathy's dataset.json: {"images": [{"cocoid": 7, "split": "test", "sentences": [{"raw": "a dog"}]},
// ...]}. An image is named by `cocoid`, else by `filename`. One split is read: the one that was asked for, or
// the only one there is; or all of them, if that is asked for.
#pragma once

#include "io/format.h"
#include "io/json_document.h"

namespace capella::io {

inline constexpr std::string_view kKarpathyName = "Karpathy dataset";

bool is_karpathy(const Source& source, const ReadOptions&);
CaptionTable read_karpathy(const Source& source, const ReadOptions& options);

/// The name of an image: its member `named`, if it has one, else `cocoid` or `filename`. Texts are kept by
/// `builder`. Returns what is wrong, or an empty string.
std::string karpathy_id(element image, CaptionTableBuilder& builder, std::string_view& id,
                        std::string_view named = {});

}  // namespace capella::io
