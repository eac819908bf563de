#include "io/read.h"

#include "capella/pipeline.h"

#include "base/thread_pool.h"

namespace capella {

Dataset read_dataset(const std::string& references, std::span<const std::string> systems,
                     const ReadOptions& options) {
  ThreadPool pool(options.threads);
  const io::AssembleOptions assemble{options.skip_missing ? io::Missing::skip : io::Missing::error};
  return io::read_dataset(references, {systems.begin(), systems.end()}, {options.split, options.skip_bad},
                          assemble, &pool);
}

}  // namespace capella
