// One sentence against another: entailment, contradiction or neither.
#pragma once

#include <cstdint>

#include "method/mln/entailment/claims.h"

namespace capella::method::mln {

enum class Verdict : std::uint8_t { contradiction, neutral, entailment };

struct SentenceVerdict {
  Verdict verdict = Verdict::neutral;
  bool is_sure = true;
};

/// In one scene, actions and qualities that exclude each other are contradictions; else only denials and
/// opposite places are.
SentenceVerdict judge_sentences(const Claims& premise, const Claims& hypothesis, bool is_one_scene,
                                const Knowledge& knowledge);

}  // namespace capella::method::mln
