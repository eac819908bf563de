// The rule is not written down anywhere; it was found by comparison. It makes the tokens of the first
// captions of all test images of Flickr8k and COCO (1,000 and 5,000, all that are published), and references
// cut by it give the published CIDEr of both within rounding, which tells about the marks that no first
// caption has.
#include "text/tokenizer_karpathy.h"

#include "text/lowercase.h"
#include "text/python_words.h"

namespace capella::text {
namespace {

constexpr std::string_view kCutAt = "-/,";
constexpr std::string_view kDeleted = ".!?;'\"";

bool is_one_of(char c, std::string_view marks) {
  return marks.find(c) != std::string_view::npos;
}

}  // namespace

void tokenize_karpathy(std::string_view caption, std::string& out) {
  std::string text;
  for (const char c : lowered(caption)) {
    if (is_one_of(c, kDeleted)) continue;
    text += is_one_of(c, kCutAt) ? ' ' : c;
  }
  append_python_words(text, out);
}

}  // namespace capella::text
