// The tokenizers on any bytes, cut into captions at line feeds: no crash, tidy output, one caption means the
// same alone and as a stream, and some short inputs agree with the slow twins.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/thread_pool.h"
#include "reference/bleu13a_reference.h"
#include "reference/ptb_reference.h"
#include "text/ptb/pipeline.h"
#include "text/tokenizer.h"

namespace {

using capella::ThreadPool;
using capella::text::StringColumn;
using capella::text::Tokenizer;
namespace ptb = capella::text::ptb;

using Captions = std::vector<std::string_view>;

void require(bool condition) {
  if (!condition) __builtin_trap();
}

void check_tidy(const StringColumn& tokens, std::size_t count) {
  require(tokens.size() == count);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view line = tokens[i];
    require(line.find("  ") == std::string_view::npos && line.find('\n') == std::string_view::npos);
    require(line.empty() || (line.front() != ' ' && line.back() != ' '));
  }
}

void check_alone(const Captions& captions, const StringColumn& isolated, ThreadPool& pool) {
  for (std::size_t i = 0; i < captions.size(); ++i) {
    const StringColumn single = capella::text::tokenize(Tokenizer::ptb, {&captions[i], 1}, pool);
    require(single[0] == isolated[i]);
  }
}

// Words that are cut are not cut again.
void check_again(const StringColumn& karpathy, ThreadPool& pool) {
  Captions lines;
  for (std::size_t i = 0; i < karpathy.size(); ++i) lines.push_back(karpathy[i]);
  const StringColumn again = capella::text::tokenize(Tokenizer::karpathy, lines, pool);
  for (std::size_t i = 0; i < lines.size(); ++i) require(again[i] == karpathy[i]);
}

void check_twins(const Captions& captions, ThreadPool& pool) {
  static const capella::reference::PtbReference twin;
  for (const bool stream : {false, true}) {
    const auto scope = stream ? ptb::Scope::stream : ptb::Scope::caption;
    const StringColumn fast = ptb::tokenize(captions, scope, ptb::Punctuation::keep, pool, 2);
    const std::vector<std::string> slow = twin.tokenize(captions, stream, true);
    require(fast.size() == slow.size());
    for (std::size_t i = 0; i < slow.size(); ++i) require(fast[i] == slow[i]);
  }
  const StringColumn fast = capella::text::tokenize(Tokenizer::bleu13a, captions, pool);
  for (std::size_t i = 0; i < captions.size(); ++i) {
    require(fast[i] == capella::reference::tokenize_13a(captions[i]));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static ThreadPool pool(1);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Captions captions;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    captions.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  const StringColumn isolated = capella::text::tokenize(Tokenizer::ptb_iso, captions, pool);
  check_tidy(isolated, captions.size());
  check_tidy(capella::text::tokenize(Tokenizer::ptb, captions, pool), captions.size());
  check_tidy(capella::text::tokenize(Tokenizer::bleu13a, captions, pool), captions.size());
  const StringColumn karpathy = capella::text::tokenize(Tokenizer::karpathy, captions, pool);
  check_tidy(karpathy, captions.size());
  check_again(karpathy, pool);
  check_alone(captions, isolated, pool);
  // The twins are slower by far, so they see one short input in sixteen.
  if (size <= 64 && capella::hash_bytes(text) % 16 == 0) check_twins(captions, pool);
  return 0;
}
