// Document frequencies of a corpus, written for later runs.
#include <map>

#include "capella/pipeline.h"

#include "metric/cider_weights.h"
#include "resource/df_table.h"
#include "text/tokenizer.h"

namespace capella {

std::size_t write_document_frequencies(const Dataset& dataset, const std::string& tokenizer,
                                       const std::string& path, std::size_t threads) {
  ThreadPool pool(threads);
  const text::TextSet tokens(
      text::tokenize(text::tokenizer_by_name(tokenizer), dataset.all_references(), pool));
  const metric::References references{dataset.all_references(), dataset.reference_ends(), tokens};
  const std::vector<std::uint32_t> frequencies = metric::count_documents(references);
  std::map<std::uint64_t, std::uint32_t> common;
  for (text::NgramId id = 0; id < frequencies.size(); ++id) {
    if (frequencies[id] > 1) common.emplace(tokens.ngram_hash(id), frequencies[id]);
  }
  resource::DfTable::write(path, dataset.size(), common);
  return common.size();
}

}  // namespace capella
