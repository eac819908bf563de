// Which picture belongs to which item: a folder whose files are named by ids, or a file that says so.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <tsl/robin_map.h>

#include "base/hash.h"

namespace capella::io {

class ImagePaths {
 public:
  /// `source` is a folder with files such as ID.jpg, or a file: a JSON dictionary of ids and paths, a list of
  /// rows {"image_id": 7, "file_name": "7.jpg"}, such a list under "images" (COCO annotations), or CSV and
  /// TSV with these columns. Paths in a file are seen from its folder. Throws FileError or DataError.
  explicit ImagePaths(const std::string& source);
  /// Ids and paths from elsewhere; `source` is what messages call it.
  ImagePaths(std::string source, const std::map<std::string, std::string>& paths);

  const std::string& source() const { return source_; }

  /// The path of the item's picture, empty if there is none. In a folder that is the file whose name, with or
  /// without its extension, is the id, or whose name is the id's number as COCO writes it: 000000000042.jpg
  /// or COCO_val2014_000000000042.jpg for 42. Throws DataError that names them if several files fit.
  std::string find(std::string_view id) const;

 private:
  using Files = std::vector<std::string>;
  using Table = tsl::robin_map<std::string, Files, StringHash, std::equal_to<>>;

  void list_folder();
  void read_list();
  void add(std::string_view id, const std::string& path, std::string_view place);

  std::string source_;
  Table by_id_;      // in a folder: by name without extension
  Table by_name_;    // by name with extension; of a folder
  Table by_number_;  // by COCO's number, without zeros in front; of a folder
};

}  // namespace capella::io
