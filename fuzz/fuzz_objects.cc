// Files of objects: any bytes, and any damage to a good file, give an error or rows that hang together.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include <fuzzer/FuzzedDataProvider.h>

#include "capella/error.h"

#include "fuzz/damaged_sample.h"
#include "fuzz/memory_file.h"
#include "io/objects.h"

namespace {

constexpr const char* kSample =
    R"({"image_id":"7","width":640,"height":480,"objects":[{"label":"man","aliases":["guy"],"box":[1,2.5,30,40],"score":0.93},{"label":"bike","box":[0,0,5,5]}],"features":"feat/7.npy"}
{"image_id":8,"objects":[]}
)";

void read(const std::string& bytes) {
  try {
    std::set<std::string> seen;
    for (const capella::io::ImageObjects& image : capella::io::read_objects(capella::fuzz::put(bytes))) {
      if (image.image.empty() || !seen.insert(image.image).second) __builtin_trap();
      if (!(image.width >= 0 && image.height >= 0)) __builtin_trap();
      for (const capella::io::DetectedObject& object : image.objects) {
        if (object.label.empty() || !(object.score >= 0)) __builtin_trap();
        for (const double side : object.box) {
          if (!std::isfinite(side)) __builtin_trap();
        }
        if (object.box[2] < object.box[0] || object.box[3] < object.box[1]) __builtin_trap();
      }
    }
  } catch (const capella::DataError&) {
  } catch (const capella::FileError&) {  // what looks like gzip and is not
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read(std::string(reinterpret_cast<const char*>(data), size));
  FuzzedDataProvider input(data, size);
  read(capella::fuzz::damaged(kSample, input));
  return 0;
}
