// The readers of the single benchmarks; read_benchmark() chooses among them and adds name, title and
// coefficient. docs/human-judgement.md tells the protocols and the layouts.
#pragma once

#include <string>

#include "io/benchmark.h"

namespace capella::io {

Benchmark read_flickr8k_expert(const std::string& folder, const BenchmarkOptions& options);
Benchmark read_flickr8k_cf(const std::string& folder, const BenchmarkOptions& options);
Benchmark read_composite(const std::string& path, const BenchmarkOptions& options);
Benchmark read_pascal50s(const std::string& path, const BenchmarkOptions& options);
Benchmark read_foil(const std::string& path, const BenchmarkOptions& options);
Benchmark read_challenge(const std::string& path, const BenchmarkOptions& options);
Benchmark read_nebula(const std::string& path, const BenchmarkOptions& options);
Benchmark read_polaris(const std::string& path, const BenchmarkOptions& options);

}  // namespace capella::io
