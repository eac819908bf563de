// From raw captions in memory to their trees, on one thread.
#include <algorithm>

#include <fmt/format.h>

#include "capella/pipeline.h"

#include "measure.h"
#include "resource/find.h"
#include "syntax/caption_parser.h"

namespace capella::bench {
namespace {

// "word/tag/head/relation" for each word of a caption.
std::string line_of(const std::vector<syntax::Tree>& sentences) {
  std::string line;
  for (const syntax::Tree& tree : sentences) {
    for (const syntax::Token& token : tree.tokens) {
      line += fmt::format("{}{}/{}/{}/{}", line.empty() ? "" : " ", token.word, token.tag, token.head,
                          token.relation);
    }
  }
  return line;
}

}  // namespace

nlohmann::json run_parser(const Job& job) {
  const Dataset dataset = read_dataset(job.references, {}, {});
  const syntax::CaptionParser parser(resource::need("models/parser.safetensors"));
  std::vector<std::vector<syntax::Tree>> trees;
  Times times =
      time_each(job.repetitions, [&](std::size_t) { trees = parser.parse(dataset.all_references()); });
  const double best = *std::min_element(times.processor.begin(), times.processor.end());
  nlohmann::json answer = measured(std::move(times));
  answer["kernels"] = name(tensor::kernels().level);
  answer["captions_per_second"] = static_cast<double>(trees.size()) / best;
  for (const std::vector<syntax::Tree>& sentences : trees) answer["lines"].push_back(line_of(sentences));
  return answer;
}

}  // namespace capella::bench
