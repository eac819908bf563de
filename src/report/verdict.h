// Verdicts of tests in tables and in JSON.
#pragma once

#include "capella/interval.h"

#include "report/json_value.h"

namespace capella::report {

inline const char* verdict_word(Verdict verdict) {
  return verdict == Verdict::real ? "yes" : verdict == Verdict::not_real ? "no" : "-";
}

/// In a sentence.
inline const char* verdict_words(Verdict verdict) {
  return verdict == Verdict::real       ? "a real difference"
         : verdict == Verdict::not_real ? "no real difference"
                                        : "no verdict";
}

/// true, false, or null where the test cannot tell.
inline Json json_verdict(Verdict verdict) {
  return verdict == Verdict::undecided ? Json() : Json(verdict == Verdict::real);
}

}  // namespace capella::report
