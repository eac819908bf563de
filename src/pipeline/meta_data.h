// The benchmark that a caller of meta or of composite metrics names.
#pragma once

#include "capella/meta.h"

#include "io/benchmark.h"
#include "pipeline/images.h"

namespace capella::pipeline {

/// Of `options` only what names the data counts.
inline io::Benchmark read_data(const MetaOptions& options) {
  io::BenchmarkOptions reading;
  reading.references = options.references;
  reading.clipscore_references = options.as_published;
  reading.without = options.without;
  io::Benchmark benchmark = io::read_benchmark(options.benchmark, options.path, reading);
  if (!options.images.empty()) {
    std::vector<std::string_view> names;
    for (const std::uint32_t image : benchmark.images) names.push_back(benchmark.image_names[image]);
    benchmark.dataset = with_named_images(benchmark.dataset, options.images, names);
  }
  return benchmark;
}

}  // namespace capella::pipeline
