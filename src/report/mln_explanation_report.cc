// Explanations of verdicts: see report/mln_report.h.
#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capella/error.h"

#include "report/json_value.h"
#include "report/mln_report.h"
#include "report/number_text.h"

namespace capella::report {
namespace {

constexpr double kLikely = .5;
constexpr std::size_t kMostClaims = 6;  // the least likely ones; JSON has all
constexpr double kSmall = .05;          // log odds that are not worth a word
constexpr std::string_view kIndent = "                  ";

std::string said(const JudgedClaim& claim) {
  return (claim.entailed ? "" : "not ") + claim_text(claim.claim);
}

std::string verdict_on(double p) {
  return p >= .8 ? "likely" : p >= kLikely ? "rather likely" : p >= .2 ? "doubtful" : "UNLIKELY";
}

std::string signed_number(double value) {
  return fmt::format("{:+.2f}", value);
}

// A rule about one claim alone only says how often such a claim is made at all; contributions are to what the
// caption says of it.
std::string reason_words(const ClaimReason& reason, bool entailed) {
  if (reason.literals == 1 && !reason.hard)
    return fmt::format("such a claim is made {}: {}",
                       (reason.contribution < 0) == entailed ? "seldom" : "often", reason.formula);
  return fmt::format("rule {} ({}): {}", reason.formula, reason.hard ? "hard" : signed_number(reason.weight),
                     reason.grounding);
}

std::string reason_line(const ClaimReason& reason, bool entailed) {
  if (std::isinf(reason.contribution))
    return fmt::format("{}{} by {}\n", kIndent, reason.contribution < 0 ? "forbidden" : "required",
                       reason_words(reason, entailed));
  return fmt::format("{}{}  {}\n", kIndent, signed_number(reason.contribution),
                     reason_words(reason, entailed));
}

// What speaks for and against one claim.
std::string claim_words(const ExplainedClaim& claim, std::size_t reasons) {
  std::string text = fmt::format("  {:<13} {}  (P = {})\n", verdict_on(claim.judged.p), said(claim.judged),
                                 probability(claim.judged.p));
  if (claim.object_log_odds != 0)
    text += fmt::format("{}{}  the boxes in the image\n", kIndent, signed_number(claim.object_log_odds));
  std::size_t told = 0, deciding = 0;
  double rest = 0;
  for (const ClaimReason& reason : claim.reasons) {
    if (told < reasons && std::abs(reason.contribution) >= kSmall) {
      ++told;
      text += reason_line(reason, claim.judged.entailed);
    } else if (std::isinf(reason.contribution)) {
      ++deciding;
    } else {
      rest += reason.contribution;
    }
  }
  if (deciding > 0)
    text += fmt::format("{}and by {} other hard rule{}\n", kIndent, deciding, deciding == 1 ? "" : "s");
  if (std::abs(rest) >= kSmall)
    text += fmt::format("{}{}  all other rules together\n", kIndent, signed_number(rest));
  return text;
}

std::string without_words(double gain) {
  if (std::isnan(gain)) return "The rest is impossible, too.";
  if (std::isinf(gain)) return "Without it the caption would not be impossible.";
  return fmt::format("Without it the log-probability would be {} nats higher.", fixed(gain, 2));
}

std::string summary_words(const MlnExplanation& explanation) {
  const JudgedCaption& caption = explanation.caption;
  if (caption.claims.empty())
    return caption.skipped == "no_network"
               ? "  No learned rule is about the things in this image.\n"
               : "  Nothing that the rules know of this image is said or denied.\n";
  std::string text;
  const ExplainedClaim& weakest = explanation.claims.front();
  if (weakest.judged.p < kLikely) {
    text += fmt::format("  Most doubtful: {}. {}\n", said(weakest.judged), without_words(weakest.without));
  } else if (std::isinf(caption.log_p)) {
    text += "  Each claim is more likely than not, but together they break hard rules.\n";
  } else {
    text += fmt::format("  All that can be checked is more likely than not; the surest is {}.\n",
                        said(caption.claims[caption.dominant]));
  }
  return text;
}

std::string unseen_words(const JudgedCaption& caption) {
  if (caption.unseen.empty()) return "";
  std::vector<std::string> claims;
  for (const Claim& claim : caption.unseen) claims.push_back(claim_text(claim));
  return fmt::format("  NOT SEEN: {}. Something it speaks of was not detected in the image.\n",
                     fmt::join(claims, ", "));
}

// Whether claims about undetected things were given a probability.
bool counts_unseen(const JudgedCaption& caption) {
  return caption.log_prob_unseen != 0;
}

Json claim_json(const ExplainedClaim& claim) {
  Json reasons = Json::array();
  for (const ClaimReason& reason : claim.reasons)
    reasons.push_back({{"formula", reason.formula},
                       {"grounding", reason.grounding},
                       {"weight", json_number(reason.weight)},
                       {"hard", reason.hard},
                       {"holds", json_number(reason.holds)},
                       {"contribution", json_number(reason.contribution)}});
  return {{"atom", {claim.judged.claim.subject, claim.judged.claim.predicate, claim.judged.claim.object}},
          {"status", claim.judged.entailed ? "entailed" : "contradicted"},
          {"p", json_number(claim.judged.p)},
          {"object_log_odds", json_number(claim.object_log_odds)},
          {"without", json_number(claim.without)},
          {"reasons", reasons}};
}

Json explanation_json(const MlnExplanation& explanation) {
  const JudgedCaption& caption = explanation.caption;
  Json claims = Json::array(), unseen = Json::array();
  for (const ExplainedClaim& claim : explanation.claims) claims.push_back(claim_json(claim));
  for (const Claim& claim : caption.unseen) unseen.push_back({claim.subject, claim.predicate, claim.object});
  Json json = {{"system", caption.system},
               {"image_id", caption.image},
               {"caption", explanation.text},
               {"skipped", caption.skipped},
               {"lnP", json_number(caption.log_p)},
               {"per_atom", json_number(caption.log_prob)},
               {"median", json_number(explanation.median)},
               {"method", caption.method},
               {"dominant", caption.dominant},
               {"claims", claims},
               {"unseen", unseen}};
  if (counts_unseen(caption)) json["per_atom_unseen"] = json_number(caption.log_prob_unseen);
  return json;
}

std::string title(const MlnExplanation& explanation) {
  const JudgedCaption& caption = explanation.caption;
  const std::string text = explanation.text.empty() ? "" : fmt::format("\"{}\"\n", explanation.text);
  const std::string scores =
      caption.claims.empty()
          ? "no verdict"
          : fmt::format("log-probability {} per claim, {} for all together ({})", fixed(caption.log_prob, 3),
                        std::isinf(caption.log_p) ? "impossible" : fixed(caption.log_p, 3), caption.method);
  const std::string among =
      caption.claims.empty() || std::isnan(explanation.median)
          ? ""
          : fmt::format("; {} than the system's median, {}",
                        caption.log_prob < explanation.median ? "less certain" : "no less certain",
                        fixed(explanation.median, 3));
  const std::string with_unseen =
      caption.unseen.empty() || !counts_unseen(caption)
          ? ""
          : fmt::format("; with what was not detected {} per claim", fixed(caption.log_prob_unseen, 3));
  return fmt::format("{}{}, image {}: {}{}{}\n", text, caption.system, caption.image, scores, among,
                     with_unseen);
}

std::string difference_words(const JudgedCaption& first, const JudgedCaption& second) {
  if (!first.skipped.empty() || !second.skipped.empty())
    return "Not both have a verdict, so that the difference has no number.\n";
  if (std::isinf(first.log_p) || std::isinf(second.log_p))
    return "What one of them says breaks hard rules, so that the difference has no number.\n";
  const double difference = second.log_p - first.log_p;
  return fmt::format("The second {} {} nats against the first.\n", difference < 0 ? "loses" : "gains",
                     fixed(std::abs(difference), 2));
}

// Sentences are no table.
void expect_words(Format format) {
  if (format != Format::table && format != Format::markdown)
    throw UsageError("an explanation is told in words: expected the format table, md or json");
}

}  // namespace

std::string format_mln_explanation(const MlnExplanation& explanation, Format format, std::size_t reasons) {
  if (format == Format::json) return dump(explanation_json(explanation), 1) + "\n";
  expect_words(format);
  std::string text = title(explanation);
  const std::size_t told = std::min(explanation.claims.size(), kMostClaims);
  for (std::size_t k = 0; k < told; ++k) text += claim_words(explanation.claims[k], reasons);
  if (told < explanation.claims.size())
    text += fmt::format("  and {} more that are more likely\n", explanation.claims.size() - told);
  text += unseen_words(explanation.caption);
  text += summary_words(explanation);
  return format == Format::markdown ? "```\n" + text + "```\n" : text;
}

std::string format_mln_contrast(const MlnExplanation& first, const MlnExplanation& second, Format format) {
  if (format == Format::json)
    return dump({{"first", explanation_json(first)}, {"second", explanation_json(second)}}, 1) + "\n";
  expect_words(format);
  std::map<std::string, double> only_first;
  for (const ExplainedClaim& claim : first.claims) only_first.emplace(said(claim.judged), claim.judged.p);
  std::string text = title(first) + title(second);
  text += difference_words(first.caption, second.caption);
  std::string both;
  for (const ExplainedClaim& claim : second.claims) {
    const auto found = only_first.find(said(claim.judged));
    if (found == only_first.end()) {
      text += fmt::format("  only the second says  {}  (P = {})\n", said(claim.judged),
                          probability(claim.judged.p));
    } else {
      both += fmt::format("  both say              {}  (P = {})\n", said(claim.judged),
                          probability(claim.judged.p));
      only_first.erase(found);
    }
  }
  for (const auto& [words, p] : only_first)
    text += fmt::format("  only the first says   {}  (P = {})\n", words, probability(p));
  return text + both;
}

}  // namespace capella::report
