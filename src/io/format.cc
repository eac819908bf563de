#include "io/format.h"

#include <array>

#include <fmt/format.h>

#include "capella/error.h"

#include "io/caption_dictionary.h"
#include "io/coco_annotations.h"
#include "io/csv_rows.h"
#include "io/flickr_tokens.h"
#include "io/item_ids.h"
#include "io/json_lines.h"
#include "io/karpathy.h"
#include "io/plain_lines.h"
#include "io/row_list.h"

namespace capella::io {
namespace {

// Narrow shapes stand before wide ones: a dictionary is any other JSON object, plain lines are any other
// text.
constexpr std::array<Format, 10> kFormats{{
    {"COCO annotations", is_coco_annotations, read_coco_annotations},
    {kKarpathyName, is_karpathy, read_karpathy},
    {"joint rows", is_joint_list, read_joint_list},
    {"list of rows", is_row_list, read_row_list},
    {"list of captions", is_caption_list, read_caption_list},
    {"dictionary", is_caption_dictionary, read_caption_dictionary},
    {"JSON lines", is_json_lines, read_json_lines},
    {"CSV or TSV", is_csv_rows, read_csv_rows},
    {"Flickr8k tokens", is_flickr_tokens, read_flickr_tokens},
    {"plain lines", is_plain_lines, read_plain_lines},
}};

}  // namespace

std::span<const Format> formats() {
  return kFormats;
}

CaptionTable read_table(const Source& source, const ReadOptions& options) {
  for (const Format& format : formats()) {
    if (!format.recognise(source, options)) continue;
    CaptionTable table = format.read(source, options);
    table.format = format.name;
    drop_decimal_zeros(table);
    if (options.coco_ids) number_ids(table);
    if (table.rows.empty()) {
      throw DataError(fmt::format("{}: read as {}, it holds no captions{}", source.name, format.name,
                                  table.skipped.empty() ? "" : "; every row is malformed"));
    }
    return table;
  }
  throw DataError(fmt::format("{}: the format is not known; see docs/input-formats.md", source.name));
}

CaptionTable read_table(std::string name, std::string content, const ReadOptions& options) {
  return read_table(open_source(std::move(name), std::move(content)), options);
}

}  // namespace capella::io
