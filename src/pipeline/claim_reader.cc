#include "pipeline/claim_reader.h"

#include <algorithm>

#include <tsl/robin_map.h>

#include "base/hash.h"
#include "base/step_counter.h"
#include "pipeline/run_resources.h"
#include "resource/find.h"

namespace capella::pipeline {
namespace {

constexpr std::size_t kCaptionsPerPiece = 256;  // captions that one thread parses together

/// The text with an end mark: without one the parser often takes "a man rides a bike" for a heap of nouns.
std::string as_sentence(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  if (last == std::string_view::npos) return std::string(text);
  const bool has_end = std::string_view(".!?\"").find(text[last]) != std::string_view::npos;
  return std::string(text.substr(0, last + 1)) + (has_end ? "" : " .");
}

}  // namespace

ClaimReader::ClaimReader()
    : words_(std::make_unique<const resource::WordRelations>(resource::need(resource::WordRelations::kFile))),
      parser_(open_parser()),
      judge_(std::make_unique<const method::mln::EntailmentJudge>(words_.get())) {}

ClaimReader::ClaimList ClaimReader::read(std::span<const std::string_view> texts, ThreadPool& pool,
                                         const Progress& progress) const {
  tsl::robin_map<std::string_view, std::size_t, StringHash> places;
  std::vector<std::string> distinct;
  std::vector<std::size_t> place_of;
  for (const std::string_view text : texts) {
    const auto [found, is_new] = places.emplace(text, distinct.size());
    if (is_new) distinct.push_back(as_sentence(text));
    place_of.push_back(found->second);
  }
  ClaimList read(distinct.size());
  const std::size_t pieces = (distinct.size() + kCaptionsPerPiece - 1) / kCaptionsPerPiece;
  StepCounter steps(progress, "reading captions", pieces);
  pool.parallel_for(pieces, [&](std::size_t piece) {
    const std::size_t first = piece * kCaptionsPerPiece;
    const std::size_t count = std::min(kCaptionsPerPiece, distinct.size() - first);
    const std::vector<std::string_view> sentences(distinct.begin() + first, distinct.begin() + first + count);
    const auto trees = parser_->parse(sentences);
    for (std::size_t i = 0; i < count; ++i) read[first + i] = judge_->read(trees[i]);
    steps.done();
  });
  ClaimList list;
  for (const std::size_t place : place_of) list.push_back(read[place]);
  return list;
}

}  // namespace capella::pipeline
