// A file of judgements in which some bytes are exchanged for any others gives a benchmark that hangs
// together, or a DataError.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "capella/error.h"

#include "io/benchmark.h"
#include "io/raw_ratings.h"

namespace {

namespace fs = std::filesystem;

struct Sample {
  const char* benchmark;
  const char* file;
  const char* text;
};

// The last is no benchmark, but raw ratings.
constexpr Sample kSamples[] = {
    {"flickr8k-expert", "ExpertAnnotations.txt", "a.jpg\tb.jpg#0\t1\t2\t4\nb.jpg\ta.jpg#1\t3\t3\t1\n"},
    {"flickr8k-cf", "CrowdFlowerAnnotations.txt", "a.jpg\ta.jpg#0\t1\t3\t0\nb.jpg\ta.jpg#1\t0.25\t1\t3\n"},
    {"flickr8k-cf", "Flickr8k.token.txt", "a.jpg#0\tA dog .\na.jpg#1\tThe dog .\nb.jpg#0\tA cat .\n"},
    {"composite", "file",
     R"({"image": 1, "candidate_no": 0, "caption": "a dog", "human_rating": 5, "fleur_score": 0.5, "references": ["A dog.", "dogs"]}
{"image": 1, "candidate_no": 1, "caption": "a cat", "human_rating": 1, "fleur_score": 0.25, "references": ["A dog.", "dogs"]})"},
    {"pascal50s", "file",
     R"({"HC": [{"image": "V/x.jpg", "captions": ["a", "b"], "label": 1, "references": ["c"]}], "HI": [{"image": "V/x.jpg", "captions": ["a", "b"], "label": 0, "references": ["c"]}], "HM": [{"image": "V/x.jpg", "captions": ["a", "b"], "label": 0, "references": ["c"]}], "MM": [{"image": "V/x.jpg", "captions": ["a", "b"], "label": 0, "references": ["c", "d"]}]})"},
    {"pascal50s", "file",
     R"({"image": "x.jpg", "sent1": "a", "sent2": "b", "category": "HI", "votes": [1, -1]}
{"image": "x.jpg", "sent1": "a", "sent2": "b", "category": "HM", "votes": [-1]})"},
    {"foil", "file", R"({"image_id": 5, "caption": "a", "foil": "b", "references": ["a", "c"]})"},
    {"foil", "file",
     R"({"annotations": [{"id": 1, "image_id": 5, "caption": "b", "foil": true}, {"id": 1, "image_id": 5, "caption": "a", "foil": false}]})"},
    {"challenge", "file",
     R"({"image_id": 5, "kind": "order", "better": "a b", "worse": "b a", "references": ["a", "c"]}
{"image_id": 5, "kind": "mine", "better": "a", "worse": "d", "references": ["c"], "edit": "x"})"},
    {"nebula", "file",
     R"([{"imgid": "x", "mt": "a", "refs": ["b", "c"], "score": 0.5}, {"imgid": "y", "mt": "a", "refs": ["b"], "human_score": 1}])"},
    {"polaris", "file",
     "imgid,mt,refs,score\nx,a dog,\"['the dog', \"\"it's\"\"]\",0.25\ny,\"a, b\",['\\u2019'],1\n"},
    {"", "file",
     "worker,imgid,caption,rating,seconds,refs\nann,x,a dog,4,2.5,\"['b']\"\nben,x,a dog,1,,\"['b']\"\n"},
};

void write(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
}

struct Folder {
  Folder() {
    std::string name = (fs::temp_directory_path() / "capella-fuzz-XXXXXX").string();
    if (!::mkdtemp(name.data())) __builtin_trap();
    path = name;
    write(file("pascal_50s.json"),
          R"({"HC": [{"image": "V/x.jpg", "captions": ["a", "b"], "label": 1, "references": ["c"]}]})");
    write(file("coco.json"), R"({"5": ["a", "c", "d"]})");
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  std::string file(const std::string& name) const { return (path / name).string(); }
  fs::path path;
};

// The sample with some of its bytes exchanged for others.
std::string spliced(std::string text, const std::uint8_t* data, std::size_t size) {
  if (size < 3) return text;
  const std::size_t begin = (data[0] + 256u * (data[1] & 1)) % (text.size() + 1);
  return text.replace(begin, data[2], std::string(reinterpret_cast<const char*>(data) + 3, size - 3));
}

void check(const capella::io::Benchmark& benchmark) {
  const std::size_t rows = benchmark.rows();
  if (rows == 0) __builtin_trap();
  if (benchmark.ratings.size() + 2 * benchmark.pairs.size() != rows) __builtin_trap();
  if (benchmark.images.size() != rows || benchmark.dataset.systems()[0].captions.size() != rows)
    __builtin_trap();
  for (std::size_t row = 0; row < rows; ++row) {
    if (benchmark.dataset.references(row).empty()) __builtin_trap();
    if (benchmark.images[row] >= benchmark.image_names.size()) __builtin_trap();
  }
  for (const double rating : benchmark.ratings) {
    if (!std::isfinite(rating)) __builtin_trap();
  }
  for (const auto& [category, preferred] : benchmark.pairs) {
    if (category >= benchmark.categories.size() || preferred > 1) __builtin_trap();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  if (size == 0) return 0;
  const Sample& sample = kSamples[data[0] % std::size(kSamples)];
  const std::string_view name = sample.benchmark;
  const bool is_folder = name.starts_with("flickr8k");
  for (const Sample& whole : kSamples) {
    if (is_folder && std::string_view(whole.file) != "file") {
      write(folder.file(whole.file), whole.text);
    }
  }
  const std::string path = folder.file(sample.file);
  write(path, spliced(sample.text, data + 1, size - 1));
  try {
    if (name.empty()) {
      capella::io::read_raw_ratings(path, 1, 5, "");
      return 0;
    }
    capella::io::BenchmarkOptions options;
    if ((name == "foil" || name == "challenge") && (data[0] & 64) != 0)
      options.references = folder.file("coco.json");
    options.clipscore_references = (data[0] & 64) != 0;
    auto benchmark = capella::io::read_benchmark(name, is_folder ? folder.path.string() : path, options);
    if (data[0] >> 7 != 0) benchmark.dataset = capella::io::with_first_references(benchmark.dataset, 1);
    check(benchmark);
  } catch (const capella::DataError&) {
  }
  return 0;
}
