#include "pipeline/caption_images.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/utf8.h"
#include "encoder/tokenizer/unicode.h"
#include "io/benchmark.h"
#include "io/benchmark_builder.h"
#include "io/karpathy.h"
#include "io/read.h"

namespace capella::pipeline {
namespace {

constexpr std::size_t kFewestWords = 5;
constexpr std::array<std::string_view, 6> kEndings = {".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp"};

// Whatever the file is: references, and captions of systems where it has both.
Dataset dataset_of(const io::CaptionTable& table) {
  return io::join_tables({"", &table}, {});
}

}  // namespace

std::string comparable_words(std::string_view caption) {
  const std::string lower = encoder::lower_each(encoder::valid_utf8(caption));
  std::string words;
  std::size_t count = 0;
  bool inside = false;
  for (std::size_t position = 0; position < lower.size();) {
    const char32_t c = decode_utf8(lower, position);
    const bool counts = encoder::is_letter(c) || encoder::is_number(c);
    if (counts && !inside && count++ > 0) words += ' ';
    if (counts) append_utf8(words, c);
    inside = counts;
  }
  return count < kFewestWords ? "" : words;
}

std::string picture_name(std::string_view id) {
  const std::string name = lowered_ascii(io::base_name(id));
  const bool is_picture = std::ranges::any_of(kEndings, [&](std::string_view ending) {
    return name.size() > ending.size() && name.ends_with(ending);
  });
  return is_picture ? name : "";
}

HeldOutImages::HeldOutImages(const std::vector<AdapterHeldOut>& held_out) : texts_(comparable_words) {
  const auto note = [&](std::string_view id) {
    if (std::string name = picture_name(id); !name.empty()) names_.insert(std::move(name));
  };
  for (const AdapterHeldOut& one : held_out) {
    if (one.layout.empty()) {
      const Dataset dataset = dataset_of(io::read_table_file(one.path, {.every_split = true}));
      texts_.add(dataset);
      for (std::size_t item = 0; item < dataset.size(); ++item) note(dataset.id(item));
    } else {
      const io::Benchmark benchmark = io::read_benchmark(one.layout, one.path, {});
      texts_.add(benchmark.dataset);
      for (const std::string& name : benchmark.image_names) note(name);
    }
  }
}

bool HeldOutImages::has_caption_of(std::span<const std::string_view> captions) const {
  return std::ranges::any_of(captions, [&](std::string_view caption) { return texts_.has(caption); });
}

bool HeldOutImages::has_name(std::string_view id) const {
  return names_.contains(picture_name(id));
}

CaptionImages read_caption_images(const std::string& path, const std::string& split,
                                  const HeldOutImages& held_out) {
  CaptionImages images;
  const io::CaptionTable table = io::read_table_file(path, {split, false});
  images.dataset = dataset_of(table);
  images.counts.path = path;
  images.has_splits = table.format == io::kKarpathyName;
  for (std::size_t item = 0; item < images.dataset.size(); ++item) {
    const auto all = images.dataset.references(item);
    if (held_out.has_caption_of(all)) {
      ++images.counts.known;
    } else if (held_out.has_name(images.dataset.id(item))) {
      ++images.counts.named;
    } else {
      auto& own = images.captions.emplace_back();
      std::ranges::copy_if(all, std::back_inserter(own),
                           [](std::string_view text) { return !encoder::python_strip(text).empty(); });
    }
  }
  return images;
}

}  // namespace capella::pipeline
