#include "text/vocabulary.h"

namespace capella::text {

const WordId* Vocabulary::find(std::string_view word, std::size_t hash) const {
  if (base_ != nullptr) {
    if (const WordId* id = base_->find(word, hash)) return id;
  }
  const auto found = ids_.find(word, hash);
  return found == ids_.end() ? nullptr : &found->second;
}

WordId Vocabulary::intern(std::string_view word) {
  if (const WordId* id = find(word, StringHash{}(word))) return *id;
  const WordId id = size();
  ids_.emplace(words_.emplace_back(word), id);
  return id;
}

}  // namespace capella::text
