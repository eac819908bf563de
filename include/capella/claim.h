// What a caption says between two things.
#pragma once

#include <compare>
#include <string>

namespace capella {

/// predicate(subject, object), in lower-case base forms: {"man", "sit on", "chair"}.
struct Claim {
  std::string subject, predicate, object;
  friend auto operator<=>(const Claim&, const Claim&) = default;
};

/// "sit on(man, chair)"
inline std::string claim_text(const Claim& claim) {
  return claim.predicate + "(" + claim.subject + ", " + claim.object + ")";
}

}  // namespace capella
