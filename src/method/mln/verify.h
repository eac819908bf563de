// How probable is what captions say of an image?
//
// The query is the conjunction of the atoms that a caption entails and the negations of those it contradicts;
// all other atoms are summed out. An image's network is compiled once and asked for every system's caption.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "capella/mln.h"

#include "io/entailments.h"
#include "logic/solver.h"
#include "method/mln/image_network.h"

namespace capella::method::mln {

inline constexpr const char* kNoNetwork = "no_network";  ///< no rule fits the image's things
inline constexpr const char* kEmptyQuery =
    "empty_query";  ///< the caption says nothing about the network's atoms
inline constexpr const char* kNoCaption = "no_caption";  ///< the system has no caption for the image

/// The method where the published text's conditional was sampled in place of the network's.
inline constexpr const char* kSumExp = "sum-exp";

/// What a model for entailment said of one caption.
struct CaptionEntailments {
  std::string system;
  std::string image;
  std::vector<const io::EntailmentRow*> rows;
};

struct VerifyOptions {
  double margin = 0;  ///< by which the most probable answer must lead, or the atom is neutral
};

/// The claims a caption makes, for the network of its image.
struct CaptionQuery {
  std::vector<logic::Literal> literals;  ///< ascending
  // Entailed claims that the network has no atom for, each once.
  std::vector<Claim> unseen;        ///< about something that was not detected
  std::vector<Claim> without_rule;  ///< about detected things
};
CaptionQuery make_query(const ImageNetwork& image, const AtomIndex& index, const CaptionEntailments& caption,
                        double margin);

/// Claims about undetected things: each is as probable as what else the caption says (`typical` where it says
/// nothing else) and that the detector missed the thing, whose probability is `missed`. So it never helps to
/// invent.
void count_unseen(JudgedCaption& caption, double missed, double typical);

class ImageVerifier {
 public:
  /// `image` must outlive this. Samplers start from the image's name and the seed, so that errors of images
  /// are independent.
  ImageVerifier(const ImageNetwork& image, const logic::SolverOptions& options);

  JudgedCaption judge(const CaptionEntailments& caption, const VerifyOptions& options);
  MlnExplanation explain(const CaptionEntailments& caption, const VerifyOptions& options);

  logic::Solver& solver() { return solver_; }
  double marginal(logic::AtomId atom) { return solver_.marginals()[atom]; }

 private:
  using Literals = std::vector<logic::Literal>;

  logic::QueryAnswer answer(const Literals& literals);
  logic::QueryAnswer sampled_answer(const Literals& literals);
  /// How probable each atom is, given that `known` hold; with standard errors when sampled.
  struct Conditional {
    std::vector<double> p, mcse;
    bool converged = true;

    double of(logic::Literal literal) const {
      return literal.positive() ? p[literal.atom()] : 1 - p[literal.atom()];
    }
  };
  const Conditional& given(const Literals& known);
  const Conditional* given_if_possible(const Literals& known);  ///< null: no world is left
  logic::GroundNetwork network_given(const Literals& known) const;
  logic::SolverOptions options_given(const Literals& known) const;
  double log_p_of_rare(const Literals& known, logic::Literal literal);
  double probability(logic::Literal literal);
  JudgedClaim judged(logic::Literal literal);
  ExplainedClaim explained(logic::Literal literal, const Literals& query, double log_p);
  std::vector<ClaimReason> reasons(logic::Literal claim);
  ClaimReason reason_of(std::size_t grounding, logic::Literal own, logic::Literal claim);
  double rest_holds(const Literals& rest);
  bool is_certain(const Literals& rest) const;
  double gain_without(logic::Literal claim, const Literals& rest, double log_p);

  const ImageNetwork& image_;
  AtomIndex index_;
  logic::SolverOptions options_;
  logic::Solver solver_;
  std::map<Literals, logic::QueryAnswer> answers_;
  std::map<Literals, Conditional> conditionals_;
};

}  // namespace capella::method::mln
