// The parser's network from its definition, one sentence and one number at a time.
#pragma once

#include <string>
#include <vector>

#include "reference/tensor_reference.h"
#include "tensor/safetensors.h"

namespace capella::reference {

struct NetworkScores {
  Rows tags;              ///< [word][tag]
  Rows arcs;              ///< [word][head], heads from ROOT at 0; a word with itself has no meaning
  Rows label_dependents;  ///< [position][label]
  Rows label_heads;
};

class NetworkReference {
 public:
  explicit NetworkReference(const std::string& path) : file_(path) {}

  NetworkScores run(const std::vector<std::string>& words) const;

  /// Scores of the relations of a word with a head, both as positions.
  Row relations(const NetworkScores& scores, std::size_t word, std::size_t head) const;

 private:
  Row embed(const std::string& word) const;
  void add_row(const std::string& table, std::size_t row, Row& sum) const;
  Row linear(const std::string& name, const Row& row) const;
  Row norm(const std::string& name, const Row& row) const;
  Row floats(const std::string& name) const;
  Rows recur(const std::string& map, const Rows& inputs, bool backward) const;
  NetworkScores scores_of(const Rows& state, std::size_t words) const;

  tensor::Safetensors file_;
};

}  // namespace capella::reference
