// What captions claim: parsed, taken apart and made ready for the judge of entailment.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "capella/progress.h"

#include "base/thread_pool.h"
#include "method/mln/entailment/entailment.h"
#include "resource/word_relations.h"
#include "syntax/caption_parser.h"

namespace capella::pipeline {

class ClaimReader {
 public:
  /// Throws FileError with what to do if the parser or the data on words is not there.
  ClaimReader();

  const method::mln::EntailmentJudge& judge() const { return *judge_; }

  using ClaimList = std::vector<std::shared_ptr<const method::mln::Claims>>;
  /// The claims of each text; equal texts are read once.
  ClaimList read(std::span<const std::string_view> texts, ThreadPool& pool, const Progress& progress) const;

 private:
  std::unique_ptr<const resource::WordRelations> words_;
  std::unique_ptr<const syntax::CaptionParser> parser_;
  std::unique_ptr<const method::mln::EntailmentJudge> judge_;
};

}  // namespace capella::pipeline
