#include "pipeline/read.h"

#include "base/thread_pool.h"
#include "io/read.h"

namespace capella {

io::ReadOptions pipeline::table_options(const ReadOptions& options) {
  return {.split = options.split,
          .skip_bad = options.skip_bad,
          .id_column = options.id_column,
          .caption_column = options.caption_column,
          .coco_ids = options.coco_ids};
}

Dataset read_dataset(const std::string& references, std::span<const std::string> systems,
                     const ReadOptions& options) {
  ThreadPool pool(options.threads);
  const io::AssembleOptions assemble{options.skip_missing ? io::Missing::skip : io::Missing::error};
  return io::read_dataset(references, {systems.begin(), systems.end()}, pipeline::table_options(options),
                          assemble, &pool);
}

}  // namespace capella
