// The benchmark that a caller of meta or of composite metrics names.
#pragma once

#include "capella/meta.h"

#include "io/benchmark.h"

namespace capella::pipeline {

/// Of `options` only what names the data counts.
inline io::Benchmark read_data(const MetaOptions& options) {
  io::BenchmarkOptions reading;
  reading.references = options.references;
  reading.clipscore_references = options.as_published;
  reading.without = options.without;
  return io::read_benchmark(options.benchmark, options.path, reading);
}

}  // namespace capella::pipeline
