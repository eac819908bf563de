// Flickr8k: a folder with the captions of 8,092 images and two files of judgements about some of them.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <tsl/robin_map.h>
#include <tsl/robin_set.h>

#include "capella/error.h"

#include "base/names.h"
#include "base/utf8.h"
#include "io/benchmark_builder.h"
#include "io/benchmark_readers.h"
#include "io/benchmark_records.h"
#include "io/flickr_tokens.h"

namespace capella::io {
namespace {

namespace fs = std::filesystem;

/// The first of the files that the folder has, packed or not. Throws FileError if it has none.
std::string find_file(const std::string& folder, std::initializer_list<const char*> names) {
  for (const char* const name : names) {
    for (const char* const ending : {"", ".gz"}) {
      const std::string file = (fs::path(folder) / name).string() + ending;
      if (fs::exists(file)) return file;
    }
  }
  throw FileError(
      fmt::format("{}: there is no such file; give the folder of Flickr8k, with ExpertAnnotations.txt or "
                  "CrowdFlowerAnnotations.txt and the captions (Flickr8k.token.txt or captions.txt)",
                  (fs::path(folder) / *names.begin()).string()));
}

// The captions of the folder, white space made uniform.
class Captions {
 public:
  Captions(const std::string& folder, BenchmarkBuilder& builder) : builder_(builder) {
    const Source source = open_records(find_file(folder, {"Flickr8k.token.txt", "captions.txt"}), "captions");
    name_ = source.name;
    is_flickr_tokens(source, {}) ? read_tokens(source) : read_table(source);
  }

  /// Throws RowProblem.
  std::string_view text(std::string_view id) const { return look_up(by_id_, id, "caption"); }
  const Texts& of(std::string_view image) const { return look_up(of_image_, image, "image"); }

 private:
  void add(std::string_view id, std::string_view image, std::string_view caption) {
    const std::string_view text = builder_.copy(join_words(caption));
    if (!by_id_.emplace(builder_.copy(id), text).second) {
      throw RowProblem{fmt::format("the caption {} stands there a second time", excerpt(id))};
    }
    auto found = of_image_.find(image);
    if (found == of_image_.end()) found = of_image_.emplace(builder_.copy(image), Texts{}).first;
    found.value().push_back(text);
  }

  void read_tokens(const Source& source) {
    for_each_text_row(source, [&](std::string_view line, std::size_t) {
      TokenLine parts;
      if (!split_token_line(line, parts)) {
        throw RowProblem{"the line is not of the form IMAGE#NUMBER<TAB>CAPTION: " + excerpt(line)};
      }
      add(parts.key, parts.id, parts.caption);
    });
  }

  // Without numbers; an image's captions are numbered from 0 in their order.
  void read_table(const Source& source) {
    for_each_record(source, [&](const Record& record) {
      const std::string image = record.id({"image"});
      const auto found = of_image_.find(image);
      const std::size_t number = found == of_image_.end() ? 0 : found->second.size();
      add(fmt::format("{}#{}", image, number), image, record.text({"caption"}));
    });
  }

  template <class Map>
  const typename Map::mapped_type& look_up(const Map& map, std::string_view key,
                                           std::string_view what) const {
    const auto found = map.find(key);
    if (found != map.end()) return found->second;
    throw RowProblem{fmt::format("the {} {} is not in {}, expected one of its", what, excerpt(key), name_)};
  }

  BenchmarkBuilder& builder_;
  std::string name_;
  tsl::robin_map<std::string_view, std::string_view> by_id_;
  tsl::robin_map<std::string_view, Texts> of_image_;
};

// A line of judgements: an image, a caption, three numbers.
struct Judged {
  std::string_view image;
  std::string_view caption;  ///< its text
  bool is_own;               ///< whether the caption was written for the image
  bool is_reference;         ///< whether its text is one of the image's captions
  std::size_t line;
  std::array<double, 3> numbers;
};

double number_in(std::string_view word, NumberRange range, bool whole, std::string_view expected) {
  double number = 0;
  const bool fits = parse_number(word, number) && number >= range.low && number <= range.high &&
                    (!whole || number == static_cast<double>(static_cast<long long>(number)));
  if (!fits) throw RowProblem{fmt::format("'{}' stands in the line, expected {}", excerpt(word), expected)};
  return number;
}

// Reads the lines; numbers_of(words) takes the last three words.
template <class Numbers>
std::vector<Judged> read_judgements(const Source& source, const Captions& captions, BenchmarkBuilder& builder,
                                    Numbers numbers_of) {
  std::vector<Judged> lines;
  for_each_text_row(source, [&](std::string_view line, std::size_t number) {
    Texts words;
    for_each_python_word(line, [&](std::string_view word) { words.push_back(word); });
    if (words.size() != 5) {
      throw RowProblem{
          fmt::format("the line has {} columns, expected 5: image, caption and three numbers", words.size())};
    }
    const Texts& own = captions.of(words[0]);
    const std::string_view text = captions.text(words[1]);
    const bool is_own = words[1].substr(0, words[1].rfind('#')) == words[0];
    const bool is_reference = std::find(own.begin(), own.end(), text) != own.end();
    lines.push_back({builder.copy(words[0]), text, is_own, is_reference, number, numbers_of(words)});
  });
  return lines;
}

// Images in the order in which they first appear, the lines of one image in file order.
void sort_by_image(std::vector<Judged>& lines) {
  tsl::robin_map<std::string_view, std::size_t> order;
  for (const Judged& line : lines) order.emplace(line.image, order.size());
  std::stable_sort(lines.begin(), lines.end(),
                   [&](const Judged& a, const Judged& b) { return order.at(a.image) < order.at(b.image); });
}

std::array<double, 3> expert_ratings(const Texts& words) {
  std::array<double, 3> ratings{};
  for (std::size_t i = 0; i < 3; ++i) {
    ratings[i] = number_in(words[2 + i], {1, 4}, true, "a rating of 1, 2, 3 or 4");
  }
  return ratings;
}

// The share of yes, the number of yes, the number of no.
std::array<double, 3> crowd_votes(const Texts& words) {
  const double share = number_in(words[2], {0, 1}, false, "a share of yes from 0 to 1");
  const double yes = number_in(words[3], {0, 1e6}, true, "the number of yes");
  const double no = number_in(words[4], {0, 1e6}, true, "the number of no");
  if (yes + no == 0 || std::abs(share - yes / (yes + no)) > 1e-3) {
    throw RowProblem{fmt::format("the share is {}, but there are {} yes and {} no", share, yes, no)};
  }
  return {share, yes, no};
}

using References = tsl::robin_map<std::string_view, Texts>;

// The references of each image that is judged.
References own_captions(const std::vector<Judged>& lines, const Captions& captions) {
  References references;
  for (const Judged& line : lines) references.try_emplace(line.image, captions.of(line.image));
  return references;
}

// A caption of the image that is judged is no reference for any of the image's rows, nor is an equal one.
References unjudged_captions(const std::vector<Judged>& lines, const Captions& captions) {
  References references = own_captions(lines, captions);
  for (const Judged& line : lines) {
    if (!line.is_own) continue;
    Texts& texts = references[line.image];
    texts.erase(std::remove(texts.begin(), texts.end(), line.caption), texts.end());
  }
  return references;
}

// As CLIPScore's authors prepared the data: each row takes one text equal to its caption, wherever that
// caption comes from, out of the image's references.
References clipscore_references(const std::vector<Judged>& lines, const Captions& captions) {
  References references = own_captions(lines, captions);
  for (const Judged& line : lines) {
    Texts& texts = references[line.image];
    const auto found = std::find(texts.begin(), texts.end(), line.caption);
    if (found != texts.end()) texts.erase(found);
  }
  return references;
}

}  // namespace

Benchmark read_flickr8k_expert(const std::string& folder, const BenchmarkOptions&) {
  BenchmarkBuilder builder;
  const Source source = open_records(find_file(folder, {"ExpertAnnotations.txt"}), "ratings");
  const Captions captions(folder, builder);
  std::vector<Judged> lines = read_judgements(source, captions, builder, expert_ratings);
  sort_by_image(lines);
  Benchmark& benchmark = builder.benchmark();
  for (const Judged& line : lines) {
    if (line.is_reference) continue;
    for (const double rating : line.numbers) {
      builder.add_row(line.image, line.caption, captions.of(line.image));
      benchmark.ratings.push_back(rating);
    }
  }
  const auto dropped =
      std::count_if(lines.begin(), lines.end(), [](const Judged& line) { return line.is_reference; });
  benchmark.version = "ratings 1-4 of three experts, one row for each";
  benchmark.notes.push_back(
      fmt::format("{} of {} pairs are left out: their caption is one of the image's references",
                  grouped(static_cast<std::size_t>(dropped)), grouped(lines.size())));
  return builder.build(16992);
}

Benchmark read_flickr8k_cf(const std::string& folder, const BenchmarkOptions& options) {
  BenchmarkBuilder builder;
  const Source source = open_records(find_file(folder, {"CrowdFlowerAnnotations.txt"}), "ratings");
  const Captions captions(folder, builder);
  const std::vector<Judged> lines = read_judgements(source, captions, builder, crowd_votes);
  const References references = options.clipscore_references ? clipscore_references(lines, captions)
                                                             : unjudged_captions(lines, captions);
  Benchmark& benchmark = builder.benchmark();
  std::size_t own = 0;
  for (const Judged& line : lines) {
    const Texts& left = references.at(line.image);
    if (left.empty()) {
      throw DataError(
          fmt::format("{}: all captions of the image {} are judged themselves, expected one that "
                      "is left as a reference; correct the file",
                      place(source.name, line.line), excerpt(line.image)));
    }
    builder.add_row(line.image, line.caption, left);
    benchmark.ratings.push_back(line.numbers[0]);
    own += line.is_own ? 1 : 0;
  }
  benchmark.version = "share of yes among at least three votes";
  benchmark.notes.push_back(
      options.clipscore_references
          ? "a text that is judged is taken out of the image's references once, as CLIPScore's authors did"
          : fmt::format("{} rows judge a caption of the image itself; it is no reference for any row of it",
                        grouped(own)));
  return builder.build(47830);
}

}  // namespace capella::io
