#include "pipeline/deneb_features.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tsl/robin_set.h>

#include "capella/error.h"

#include "base/names.h"
#include "base/step_counter.h"
#include "io/image/image_paths.h"
#include "pipeline/images.h"
#include "pipeline/plugin.h"
#include "pipeline/run_resources.h"
#include "pipeline/value_by_name.h"

namespace capella::pipeline {
namespace {

namespace deneb = method::deneb;
using encoder::EncodeWork;
using encoder::SentenceVectors;

constexpr std::size_t kCaptionsAtOnce = 2048;  // of whose states there are floats and 16 bits at a time

// The least and the greatest rating of each benchmark.
struct Scale {
  std::string_view benchmark;
  double low, high;
};
constexpr Scale kScales[] = {{"nebula", 0, 1},
                             {"polaris", 0, 1},
                             {"composite", 1, 5},
                             {"flickr8k-expert", 1, 4},
                             {"flickr8k-cf", 0, 1}};

// Of these people preferred one caption of two.
constexpr std::string_view kPairs[] = {"pascal50s", "foil"};

constexpr const char* kRated = "layout of rated captions";

bool has_pairs(std::string_view benchmark) {
  return std::ranges::find(kPairs, benchmark) != std::end(kPairs);
}

std::vector<std::string_view> rated_layouts() {
  std::vector<std::string_view> names;
  for (const Scale& known : kScales) names.push_back(known.benchmark);
  return names;
}

const Scale& scale_of(std::string_view benchmark) {
  const auto scale = std::ranges::find(kScales, benchmark, &Scale::benchmark);
  if (scale != std::end(kScales)) return *scale;
  throw UsageError(unknown_name_message(kRated, benchmark, rated_layouts()));
}

std::optional<SentenceVectors> vectors_by_name(const std::string& name) {
  if (name.empty()) return std::nullopt;
  return value_by_name(
      "kind of sentence vectors", name,
      NamedValues<SentenceVectors, 2>{{{"mix", SentenceVectors::mix}, {"pooled", SentenceVectors::pooled}}});
}

// Names the images or items whose captions, at these places, were cut.
std::string cut_warning(const TextIndex& captions, std::span<const std::size_t> cut, const char* what,
                        std::size_t most_tokens) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string_view> names;
  tsl::robin_set<std::string_view, StringHash> known;
  for (const std::size_t place : cut) {
    const std::string_view name = captions.owners()[place];
    if (known.insert(name).second) names.push_back(name);
  }
  return fmt::format("{} caption{} more tokens than the {} that {} takes (of {}); what follows is not seen",
                     cut.size(), cut.size() == 1 ? " has" : "s have", most_tokens, what,
                     list_names(names, kNamed));
}

// The upper half of a float's bits, rounded to the nearest, ties to even.
std::uint16_t half_of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16);
}

template <class Value>
void append(std::vector<Value>& to, const std::vector<Value>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void warn_of_pictures(const encoder::Features& images, const TextIndex& paths,
                      std::vector<std::string>& out) {
  if (images.cut.empty()) return;
  std::vector<std::string_view> names;
  for (const std::size_t row : images.cut) names.push_back(paths.texts()[row]);
  out.push_back(fmt::format("{} picture file{} early, and what is missing was filled up: {}", names.size(),
                            names.size() == 1 ? " ends" : "s end", list_names(names)));
}

void encode_states(const encoder::StateEncoder& text, const TextIndex& index, const EncodingOptions& options,
                   DenebTables& tables) {
  const std::span<const std::string_view> captions = index.texts();
  tables.state_width = text.width();
  tables.state_layers = text.layers();
  const std::size_t pieces = (captions.size() + kCaptionsAtOnce - 1) / kCaptionsAtOnce;
  std::vector<std::size_t> cut;
  StepCounter steps(options.progress, "encoding captions", pieces);
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    const std::size_t begin = piece * kCaptionsAtOnce;
    const auto some = captions.subspan(begin, std::min(kCaptionsAtOnce, captions.size() - begin));
    const Progress quiet = [&](std::string_view, std::size_t, std::size_t) { steps.still(); };
    const encoder::CaptionStates made = text.states(some, EncodeWork{options.pool, quiet});
    if (options.half) {
      std::ranges::transform(made.states.first, std::back_inserter(tables.half_states), half_of);
    } else {
      append(tables.states, made.states.first);
    }
    append(tables.sums, made.states.sums);
    append(tables.squares, made.states.squares);
    append(tables.tokens, made.states.tokens);
    for (const std::size_t place : made.cut) cut.push_back(begin + place);
    steps.done();
  }
  if (!cut.empty())
    tables.warnings.push_back(cut_warning(index, cut, "the sentence encoder", text.most_tokens()));
  if (std::string problem = text.cache_problem(); !problem.empty())
    tables.warnings.push_back(std::move(problem));
}

void encode_clip(const encoder::ClipEncoder& clip, const SampleTexts& texts, const EncodingOptions& options,
                 DenebTables& tables) {
  const EncodeWork work{options.pool, options.progress};
  if (!texts.images.texts().empty()) {
    const std::vector<std::string> paths(texts.images.texts().begin(), texts.images.texts().end());
    tables.images = clip.images(paths, work);
    warn_of_pictures(*tables.images, texts.images, tables.warnings);
  }
  tables.captions = clip.texts(texts.captions.texts(), options.prompt, work);
  if (!tables.captions->cut.empty())
    tables.warnings.push_back(cut_warning(texts.captions, tables.captions->cut, "CLIP", clip.most_tokens()));
  if (std::string problem = clip.cache_problem(); !problem.empty())
    tables.warnings.push_back(std::move(problem));
}

}  // namespace

OpenEncoders open_encoders(const DenebEncoders& options, const std::string& device) {
  if (options.clip.empty() && options.text.empty())
    throw UsageError(
        "no encoder is named: give --clip DIR, the folder of a CLIP model, and --text DIR, that of a "
        "sentence encoder, or one of them");
  const encoder::EncoderEngine engine = encoder_engine(device);
  OpenEncoders open;
  if (!options.clip.empty())
    open.clip = std::make_unique<const encoder::ClipEncoder>(options.clip, options.cache, options.cache_bytes,
                                                             engine);
  if (!options.text.empty())
    open.text = std::make_unique<const encoder::StateEncoder>(text_encoder_folder(options.text),
                                                              vectors_by_name(options.vectors), options.cache,
                                                              options.cache_bytes, engine);
  return open;
}

std::uint32_t TextIndex::place(std::string_view text, std::string_view owner) {
  const auto [found, is_new] = places_.emplace(text, static_cast<std::uint32_t>(texts_.size()));
  if (is_new) {
    texts_.push_back(text);
    owners_.push_back(owner);
  }
  return found->second;
}

deneb::Samples SampleTexts::samples(const io::Benchmark& benchmark, std::span<const std::string> paths) {
  std::vector<std::string_view> owners;
  for (const std::uint32_t image : benchmark.images) owners.push_back(benchmark.image_names[image]);
  deneb::Samples made = text_samples(benchmark.dataset, benchmark.dataset.systems()[0], owners);
  for (const std::string& path : paths) made.images.push_back(images.place(path));
  if (!benchmark.pairwise()) made.scores = unit_ratings(benchmark);
  return made;
}

deneb::Samples SampleTexts::samples(const Dataset& dataset, const Dataset::System& system, bool images_too) {
  deneb::Samples made = text_samples(dataset, system, dataset.parts().ids);
  for (std::size_t item = 0; images_too && item < dataset.size(); ++item)
    made.images.push_back(images.place(dataset.images()[item]));
  return made;
}

deneb::Samples SampleTexts::text_samples(const Dataset& dataset, const Dataset::System& system,
                                         std::span<const std::string_view> owners) {
  deneb::Samples made;
  for (std::size_t item = 0; item < dataset.size(); ++item) {
    made.candidates.push_back(captions.place(system.captions[item], owners[item]));
    for (const std::string_view reference : dataset.references(item))
      made.references.push_back(captions.place(reference, owners[item]));
    made.ends.push_back(made.references.size());
  }
  return made;
}

void check_layout(std::string_view layout, LayoutUse use) {
  if (!has_pairs(layout)) {
    std::vector<std::string_view> names = rated_layouts();
    if (std::ranges::find(names, layout) != names.end()) return;
    if (use != LayoutUse::validation) throw UsageError(unknown_name_message(kRated, layout, names));
    names.insert(names.end(), std::begin(kPairs), std::end(kPairs));
    throw UsageError(unknown_name_message("layout of rated or compared captions", layout, names));
  }
  if (use == LayoutUse::validation) return;
  const std::string advice = use == LayoutUse::training
                                 ? fmt::format("; pairs can end the training: --valid-layout {}", layout)
                                 : "";
  throw UsageError(
      fmt::format("{} has pairs of captions, of which people preferred one, but ratings are taken here: {}{}",
                  layout, fmt::join(rated_layouts(), ", "), advice));
}

std::vector<float> unit_ratings(const io::Benchmark& benchmark) {
  const Scale& scale = scale_of(benchmark.name);
  std::vector<float> ratings;
  for (const double rating : benchmark.ratings)
    ratings.push_back(static_cast<float>((rating - scale.low) / (scale.high - scale.low)));
  return ratings;
}

std::vector<std::string> picture_paths(const io::Benchmark& benchmark, const std::string& images) {
  const io::ImagePaths known(images);
  std::vector<std::string> by_image;
  MissingPictures missing;
  for (const std::string& name : benchmark.image_names) {
    by_image.push_back(known.find(name));
    missing.add_unless_there(name, by_image.back());
  }
  if (!missing.empty())
    throw DataError(fmt::format("{}: {} of {} images are not there: {}; {}, or give --text-only", images,
                                missing.size(), benchmark.image_names.size(), missing.list(),
                                missing.remedy("as in the data")));
  std::vector<std::string> paths;
  for (const std::uint32_t image : benchmark.images) paths.push_back(by_image[image]);
  return paths;
}

void expect_references(const Dataset& dataset, const std::string& source) {
  std::vector<std::string_view> without;
  for (std::size_t item = 0; item < dataset.size(); ++item) {
    if (dataset.references(item).empty()) without.push_back(dataset.id(item));
  }
  if (without.empty()) return;
  throw DataError(
      fmt::format("{}: {} of {} captions have no references, expected one at least: {}; leave them out",
                  source, without.size(), dataset.size(), list_names(without)));
}

deneb::Features DenebTables::features() const {
  deneb::Features all;
  if (images) all.images = {images->width, 1, images->values};
  if (captions) all.captions = {captions->width, 1, captions->values};
  if (state_width > 0) all.sentences = {state_width, state_layers, states, half_states};
  if (state_layers > 1) {
    all.sums = sums;
    all.squares = squares;
    all.tokens = tokens;
  }
  return all;
}

DenebTables encode(const OpenEncoders& encoders, const SampleTexts& texts, const EncodingOptions& options) {
  DenebTables tables;
  if (encoders.clip) encode_clip(*encoders.clip, texts, options, tables);
  if (encoders.text) encode_states(*encoders.text, texts.captions, options, tables);
  return tables;
}

}  // namespace capella::pipeline
