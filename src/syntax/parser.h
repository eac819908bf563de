// Sentences to trees: the network's scores, the best tree for them, lemmas.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "syntax/network.h"
#include "syntax/sentences.h"
#include "syntax/tree.h"

namespace capella::syntax {

class Parser {
 public:
  /// Opens a model, e.g. models/parser.safetensors. Throws FileError that names the file. `kernels` is there
  /// for tests; all give the same trees.
  explicit Parser(const std::string& path, const tensor::Kernels& kernels = tensor::kernels());
  ~Parser();

  /// One tree per sentence, in their order. Safe to call from several threads at once; a sentence's tree does
  /// not depend on the others. A sentence without words has a tree without tokens.
  std::vector<Tree> parse(std::span<const Sentence> sentences) const;

 private:
  struct Desk;  // what one thread works on
  class BorrowedDesk;

  void parse_batch(std::span<const std::size_t> batch, std::span<const Sentence> sentences,
                   std::span<Tree> trees, Desk& desk) const;
  Tree make_tree(const Sentence& sentence, std::size_t first, const Desk& desk) const;

  Network network_;
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Desk>> idle_;
};

}  // namespace capella::syntax
