// The parser's network: words in; tags, scores of heads, and relations out.
//
// Embeddings, layers of two-way LSTMs with 8-bit weights, and maps to tags, arcs and relations. Sentences are
// laid out one after the other, each with ROOT before and END behind it, so that all positions of a batch go
// through one matrix product; the recurrences of all sentences advance together. A sentence's numbers depend
// on nothing but the sentence.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tsl/robin_map.h>

#include "base/hash.h"
#include "syntax/projective_tree.h"
#include "syntax/sentences.h"
#include "syntax/word_features.h"
#include "tensor/linear.h"

namespace capella::syntax {

/// Where a sentence lies in a batch: ROOT at `first`, its words, END.
struct Place {
  std::size_t first = 0;
  std::size_t words = 0;
  std::size_t positions() const { return words + 2; }
};

/// All that a network computes on, kept from batch to batch; one per thread and network.
struct Workspace {
  std::vector<Place> places;
  std::size_t rows = 0;                      ///< positions of all sentences
  tensor::AlignedVector<float> state;        ///< [rows][width or both directions]
  tensor::AlignedVector<float> gates;        ///< [rows][gates of both directions], from the layer's inputs
  tensor::AlignedVector<float> step_states;  ///< [sentences][cells]: what a recurrence is at
  tensor::AlignedVector<float> step_memory;  ///< the same for its memory cells
  std::vector<const float*> step_inputs;     ///< [sentences]: gates of the position that a sentence is at
  tensor::AlignedVector<float> step_gates;   ///< [sentences][gates of some cells], from the states
  tensor::AlignedVector<float> arc_sides;    ///< [rows][as dependent, as head]
  tensor::AlignedVector<float> dependents;   ///< [rows][arc]
  tensor::AlignedVector<float> label_sides;  ///< [rows][as dependent, as head]
  tensor::AlignedVector<float> tags;         ///< [rows][tags]
  tensor::AlignedVector<float> joined;       ///< [rows][label]
  tensor::AlignedVector<float> scores;       ///< of arcs or relations
  tensor::AlignedVector<float> scratch;
  tensor::QuantizedRows quantized;
  // Embeddings of words seen before.
  tsl::robin_map<std::string, std::size_t, StringHash, std::equal_to<>> seen;
  tensor::AlignedVector<float> seen_rows;
};

class Network {
 public:
  /// Throws FileError that names the file if it is no parser or does not fit together. `kernels` is there
  /// for tests; all give the same results.
  explicit Network(const std::string& path, const tensor::Kernels& kernels = tensor::kernels());

  const std::vector<std::string>& tags() const { return tags_; }
  const std::vector<std::string>& relations() const { return relations_; }

  /// Computes everything up to tags and arcs of a batch, in `workspace`: the sentences with the numbers
  /// `batch`, none longer than the one before it.
  void run(std::span<const std::size_t> batch, std::span<const Sentence> sentences,
           Workspace& workspace) const;

  /// The best tag of each word, from tags[0] on for the first, after run().
  void best_tags(const Place& place, const Workspace& workspace, std::span<std::size_t> tags) const;

  /// The scores of all heads of a sentence, after run(); they live until the next call.
  ArcScores arc_scores(const Place& place, Workspace& workspace) const;

  /// The best relations, after run(). `heads` has, for each row of the batch, the word's head within its
  /// sentence (0 is ROOT), `relations` gets the relation; what they have at ROOT and END is of no account. A
  /// child of ROOT has "root" and no other word has.
  void best_relations(std::span<const int> heads, Workspace& workspace,
                      std::span<std::size_t> relations) const;

 private:
  enum class Direction { forward, backward };
  struct Layer {
    tensor::Linear input;  // gates of both directions, forward first; in the order that lstm_step wants
    tensor::Linear forward;
    tensor::Linear backward;
  };
  struct Sizes {
    std::size_t width = 0;  // of an embedding
    std::size_t layers = 0;
    std::size_t hidden = 0;  // cells of one direction
    std::size_t arc = 0;
    std::size_t label = 0;
  };

  void read_sizes();
  void read_names();
  void read_embedding();
  void read_special();
  Layer read_layer(std::size_t number) const;
  tensor::Linear read_gates(const std::string& name, std::size_t directions, std::size_t inputs) const;

  void embed(std::span<const std::size_t> batch, std::span<const Sentence> sentences,
             Workspace& workspace) const;
  void embed_word(const std::string& word, Workspace& workspace, float* row) const;
  void recur(const Layer& layer, std::size_t inputs, Workspace& workspace) const;
  void recur(const Layer& layer, Direction direction, Workspace& workspace) const;
  void step(const tensor::Linear& map, std::span<const float* const> gates, Workspace& workspace) const;
  void apply(const tensor::Linear& map, const float* rows, std::size_t row_stride, std::size_t count,
             tensor::AlignedVector<float>& out, tensor::After after, Workspace& workspace) const;
  std::size_t embedding_stride() const { return tensor::round_up(sizes_.width, tensor::kBlock); }
  std::size_t state_stride() const { return tensor::round_up(2 * sizes_.hidden, tensor::kBlock); }

  tensor::Safetensors file_;
  const tensor::Kernels& kernels_;
  Sizes sizes_;
  std::vector<std::string> tags_;
  std::vector<std::string> relations_;
  std::size_t root_relation_ = 0;
  FeatureReader features_;
  tensor::Table word_;
  tensor::Table affix_;
  tensor::Table shape_;
  tensor::LayerNorm embed_norm_;
  tensor::AlignedVector<float> special_;  // ROOT's and END's rows, normed
  std::vector<Layer> layers_;
  tensor::Linear tag_;
  tensor::Linear arc_sides_;
  tensor::Linear arc_;
  tensor::Linear label_sides_;
  tensor::Linear relation_;
};

}  // namespace capella::syntax
