#include "metric/spice.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/step_counter.h"
#include "metric/spice_explanation.h"
#include "metric/spice_row.h"
#include "scene/lexicon.h"
#include "scene/match.h"
#include "scene/scene_graph.h"

namespace capella::metric {
namespace {

using Facts = std::vector<scene::Fact>;

// The scenes of some images, with the words they share.
struct Scenes {
  explicit Scenes(const resource::MeteorData* data) : lexicon(data) {}

  scene::Lexicon lexicon;
  std::vector<scene::SceneGraph> graphs;
};

// All references of an image in one scene.
scene::SceneGraph join(std::span<const Facts> references, scene::Lexicon& lexicon) {
  scene::SceneGraph graph(lexicon);
  for (const Facts& facts : references) graph.add(facts);
  return graph;
}

std::vector<std::string_view> texts_of(const text::TextSet& tokens) {
  std::vector<std::string_view> texts;
  for (std::size_t i = 0; i < tokens.size(); ++i) texts.push_back(tokens.text(i));
  return texts;
}

// The references' scenes. Images are taken in pieces, each with a lexicon of its own, so that threads can
// make them independently.
class PreparedSpice final : public State {
 public:
  PreparedSpice(const References& references, const Resources& resources, bool synsets)
      : facts(*resources.facts),
        data(synsets ? resources.meteor : nullptr),
        prepared_from_(&references.tokens),
        pieces_((references.items() + kPiece - 1) / kPiece) {
    const std::size_t end = std::min(resources.items.end, references.items());
    const std::size_t first = resources.items.begin / kPiece;
    const std::size_t count = (end + kPiece - 1) / kPiece - std::min(first, (end + kPiece - 1) / kPiece);
    StepCounter steps(resources.progress, "parsing", count);
    resources.pool->parallel_for(count, [&](std::size_t piece) {
      pieces_[first + piece] = make_scenes(references, first + piece);
      steps.done();
    });
  }

  /// Whether these are the references that were prepared; a caller may bring others.
  bool has(const References& references) const { return prepared_from_ == &references.tokens; }

  const Scenes& piece_of(std::uint32_t item) const { return *pieces_[item / kPiece]; }
  const scene::SceneGraph& graph_of(std::uint32_t item) const {
    return pieces_[item / kPiece]->graphs[item % kPiece];
  }

  const scene::CaptionFacts& facts;
  const resource::MeteorData* data;  // null: words have no synsets

 private:
  static constexpr std::size_t kPiece = 64;

  std::unique_ptr<const Scenes> make_scenes(const References& references, std::size_t piece) const {
    auto scenes = std::make_unique<Scenes>(data);
    const std::size_t first_item = piece * kPiece;
    const std::size_t end_item = std::min(first_item + kPiece, references.items());
    const std::size_t first = references.begin(first_item);
    std::vector<std::string_view> texts;
    for (std::size_t r = first; r < references.end(end_item - 1); ++r)
      texts.push_back(references.tokens.text(r));
    const std::vector<Facts> said = facts.find(texts);
    for (std::size_t item = first_item; item < end_item; ++item) {
      const std::size_t begin = references.begin(item);
      const auto own = std::span(said).subspan(begin - first, references.end(item) - begin);
      scenes->graphs.push_back(join(own, scenes->lexicon));
    }
    return scenes;
  }

  const text::TextSet* prepared_from_;
  std::vector<std::unique_ptr<const Scenes>> pieces_;  // null where no caption will come
};

// Calls use(k, caption's scene, references' scene) for every caption of a batch, in their order.
class SceneReader {
 public:
  SceneReader(const Batch& batch, const PreparedSpice& prepared)
      : batch_(batch), prepared_(prepared), captions_(prepared.facts.find(texts_of(batch.tokens))) {}

  template <class Use>
  void read(Use use) {
    if (!prepared_.has(batch_.references)) return read_with_own_references(use);
    const Scenes* scenes = nullptr;
    std::unique_ptr<scene::Lexicon> lexicon;  // extends that of `scenes`
    for (std::size_t k = 0; k < batch_.size(); ++k) {
      const std::uint32_t item = batch_.items[k];
      if (const Scenes* own = &prepared_.piece_of(item); own != scenes) {
        scenes = own;
        lexicon = std::make_unique<scene::Lexicon>(prepared_.data, &scenes->lexicon);
      }
      use(k, join({&captions_[k], 1}, *lexicon), prepared_.graph_of(item));
    }
  }

 private:
  template <class Use>
  void read_with_own_references(Use use) {
    const References& references = batch_.references;
    const auto said = prepared_.facts.find(texts_of(references.tokens));
    scene::Lexicon lexicon(prepared_.data);
    for (std::size_t k = 0; k < batch_.size(); ++k) {
      const std::size_t first = references.begin(batch_.items[k]);
      const std::size_t count = references.end(batch_.items[k]) - first;
      use(k, join({&captions_[k], 1}, lexicon), join(std::span(said).subspan(first, count), lexicon));
    }
  }

  const Batch& batch_;
  const PreparedSpice& prepared_;
  std::vector<Facts> captions_;
};

class Spice final : public Metric {
 public:
  explicit Spice(bool synsets) : synsets_(synsets) {
    info_.name = "spice";
    info_.scores = spice_scores();
    info_.row_width = kSpiceRowWidth;
    info_.reads = text::Detail::tokens;
    if (synsets) info_.data = "meteor";
    info_.parses = true;
  }

  const Info& info() const override { return info_; }

  std::unique_ptr<const State> prepare(const References& references,
                                       const Resources& resources) const override {
    return std::make_unique<PreparedSpice>(references, resources, synsets_);
  }

  void rows(const Batch& batch, const State* state, double* out) const override {
    SceneReader(batch, static_cast<const PreparedSpice&>(*state))
        .read([out](std::size_t k, const scene::SceneGraph& caption, const scene::SceneGraph& references) {
          fill_spice_row(scene::count_matches(caption, references), out + k * kSpiceRowWidth);
        });
  }

  void finish(std::span<const double> row, std::span<double> scores) const override {
    finish_spice_row(row, scores);
  }

  std::string choices(const State* state) const override {
    const std::uint64_t model = static_cast<const PreparedSpice&>(*state).facts.parser().fingerprint();
    return fmt::format("parser:#{:08x}|syn:{}", model >> 32, synsets_ ? "wn3.0" : "none");
  }

  Explanation explain(const Batch& batch, const State* state) const override {
    Explanation explanation;
    SceneReader(batch, static_cast<const PreparedSpice&>(*state))
        .read([&](std::size_t k, const scene::SceneGraph& caption, const scene::SceneGraph& references) {
          if (k == 0) explanation = explain_spice(caption, references);
        });
    return explanation;
  }

 private:
  bool synsets_;
  Info info_;
};

}  // namespace

std::unique_ptr<Metric> make_spice(const Settings& settings) {
  return std::make_unique<Spice>(settings.flag("synsets"));
}

}  // namespace capella::metric
