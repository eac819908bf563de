// The reader of trees on any bytes: it takes them or says what is wrong, and what it took it writes and reads
// back.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "capella/error.h"

#include "syntax/conll.h"

namespace {

using capella::syntax::ParsedCaption;

void require(bool condition) {
  if (!condition) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<ParsedCaption> captions;
  try {
    captions = capella::syntax::parse_trees("fuzz", std::string(reinterpret_cast<const char*>(data), size));
  } catch (const capella::DataError& error) {
    require(std::string(error.what()).starts_with("fuzz:"));
    return 0;
  }
  if (captions.empty()) return 0;
  const std::string written = capella::syntax::write_trees(captions);
  const std::vector<ParsedCaption> again = capella::syntax::parse_trees("written", written);
  require(capella::syntax::write_trees(again) == written);
  require(again.size() == captions.size());
  return 0;
}
