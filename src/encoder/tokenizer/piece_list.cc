#include "encoder/tokenizer/piece_list.h"

#include <algorithm>

namespace capella::encoder {

bool PieceList::add(std::string_view text, TokenId id) {
  if (id < 0 || id > kMost || text.empty()) return false;
  if (const auto known = find(text)) return *known == id;
  const auto place = static_cast<std::size_t>(id);
  if (place < texts_.size() && !texts_[place].empty()) return false;
  if (place >= texts_.size()) texts_.resize(place + 1);
  texts_[place] = stored_.emplace_back(text);
  ids_.emplace(texts_[place], id);
  longest_ = std::max(longest_, text.size());
  return true;
}

std::optional<TokenId> PieceList::find(std::string_view text) const {
  const auto found = ids_.find(text);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

std::string_view PieceList::text(TokenId id) const {
  return id >= 0 && static_cast<std::size_t>(id) < texts_.size() ? texts_[static_cast<std::size_t>(id)]
                                                                 : std::string_view();
}

}  // namespace capella::encoder
