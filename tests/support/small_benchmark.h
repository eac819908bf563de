// Small made-up files of judgements, and what a reader makes of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "capella/error.h"

#include "io/benchmark.h"
#include "support/message_of.h"
#include "support/temp_dir.h"

namespace capella::test {

/// A folder with files that one benchmark is read from.
class SmallBenchmark {
 public:
  /// `name` is the benchmark's.
  explicit SmallBenchmark(std::string name) : name_(std::move(name)) {}

  std::string write(const std::string& file, std::string_view content) const {
    return dir_.write(file, content);
  }

  std::string folder() const { return dir_.path().string(); }

  io::Benchmark read(const std::string& path, const io::BenchmarkOptions& options = {}) const {
    return io::read_benchmark(name_, path, options);
  }

  io::Benchmark read_text(std::string_view content, const io::BenchmarkOptions& options = {}) const {
    return read(write("file", content), options);
  }

  /// Expects a DataError whose message has the parts; "@" stands for the folder's path and a slash.
  void expect_error(const std::string& path, const std::vector<std::string>& parts,
                    const io::BenchmarkOptions& options = {}) const {
    const std::string message = message_of<DataError>([&] { read(path, options); });
    for (std::string part : parts) {
      if (part.starts_with('@')) part.replace(0, 1, folder() + "/");
      EXPECT_NE(message.find(part), std::string::npos) << part << " in: " << message;
    }
  }

  void expect_error_in_text(std::string_view content, const std::vector<std::string>& parts,
                            const io::BenchmarkOptions& options = {}) const {
    expect_error(write("file", content), parts, options);
  }

 private:
  std::string name_;
  TempDir dir_;
};

inline std::vector<std::string> captions_of(const io::Benchmark& benchmark) {
  const auto& captions = benchmark.dataset.systems()[0].captions;
  return {captions.begin(), captions.end()};
}

inline std::vector<std::string> references_of(const io::Benchmark& benchmark, std::size_t row) {
  const auto references = benchmark.dataset.references(row);
  return {references.begin(), references.end()};
}

}  // namespace capella::test
