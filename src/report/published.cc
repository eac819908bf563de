#include "report/published.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace capella::report {
namespace {

constexpr double kNotRun = std::numeric_limits<double>::quiet_NaN();
constexpr double X = kNotRun;

constexpr std::string_view kTable1 = "DENEB, Table 1";
constexpr std::string_view kTable2 = "DENEB, Table 2";
constexpr std::string_view kPacs = "PAC-S, README";
constexpr std::string_view kCiderR = "CIDEr-R";
constexpr std::string_view kArxiv = "arXiv:2512.21582, Table 1";
constexpr std::string_view kKit = "CaptionEvalKit";
constexpr std::string_view kEval = "Sharif et al. 2018";

constexpr std::string_view kSameAsClip =
    "a copy of CLIP-S: the program that made it compares the caption with the image twice";
constexpr std::string_view kOriginalScores = "original human scores";
constexpr std::string_view kCorrectedScores = "human scores corrected through Spica";
constexpr std::string_view kOwnDraw = "the authors' own draw of 5 references, other rule for ties";
constexpr std::string_view kFewerRows =
    "6,993 of Composite's captions; which tau is not said (the authors' later programs take tau-b)";
constexpr std::string_view kEvalPairs = "WMD with GoogleNews vectors; networks trained on Flickr30k";
constexpr std::string_view kLanguageModel = "asks a large language model";

struct Name {
  std::string_view metric;
  std::string_view printed;
};

// DENEB's Table 1, row by row.
struct Agreement {
  Name name;
  double foil1, foil4, composite_c, expert_c, cf_b, nebula_c, milliseconds;
  std::string_view note = {};
};

constexpr Agreement kAgreements[] = {
    {{"BLEU-4", "BLEU"}, 66.5, 82.6, 30.6, 30.8, 16.4, 40.4, 0.13},
    {{"ROUGE-L", "ROUGE"}, 71.7, 79.3, 32.4, 32.3, 19.9, 42.6, 0.51},
    {{"CIDEr-D", "CIDEr"}, 82.5, 90.6, 37.7, 43.9, 24.6, 48.1, 0.40},
    {{"METEOR", "METEOR"}, 78.8, 82.6, 38.9, 41.8, 22.2, 46.8, 0.14},
    {{"SPICE", "SPICE"}, 75.5, 86.1, 40.3, 44.9, 24.4, 44.0, 17},
    {{"BERTScore", "BERTScore"}, 88.6, 92.1, 30.1, 46.7, 22.8, 47.0, 7.6},
    {{"BARTScore", "BARTScore"}, 85.3, 91.1, 43.5, 37.8, 24.3, 43.8, 130},
    {{"SPARCS", "SPARCS"}, X, X, 43.1, 48.1, 10.4, 46.5, 1.5},
    {{"UMIC", "UMIC"}, X, X, 56.1, 46.8, 30.1, X, X},
    {{"ViLBERTScore", "ViLBERTScore"}, X, X, 52.4, 50.1, X, X, X},
    {{"MID", "MID"}, 90.5, 90.5, 55.7, 54.9, 37.3, 51.3, 52},
    {{"CLIP-S", "CLIP-S"}, 87.2, 87.2, 53.8, 51.2, 34.4, 46.9, 1.7},
    {{"PAC-S", "PAC-S ViT-B/32"}, 89.9, 89.9, 55.7, 54.3, 36.0, 47.2, 2.5},
    {{"PAC-S", "PAC-S ViT-L/14"}, 93.1, 93.1, 54.0, 55.7, 37.0, 47.9, 12},
    {{"RefCLIP-S", "RefCLIP-S"}, 91.0, 92.6, 55.4, 53.0, 36.4, 46.9, 2.8, kSameAsClip},
    {{"RefPAC-S", "RefPAC-S ViT-B/32"}, 93.7, 94.9, 57.3, 55.9, 37.6, 50.6, 4.5},
    {{"RefPAC-S", "RefPAC-S ViT-L/14"}, 94.4, 94.9, 56.0, 56.4, 37.8, 50.4, 17},
    {{"Polos", "Polos"}, 93.2, 95.1, 57.6, 56.4, 37.8, 53.9, 6.9},
    {{"DENEB", "DENEB ViT-B/32"}, 95.1, 96.1, 57.9, 56.5, 38.0, 54.1, 7.3},
    {{"DENEB", "DENEB ViT-L/14"}, 95.4, 96.5, 58.2, 56.8, 38.3, 54.3, 22},
    {{"CLAIR", "CLAIR"}, 81.4, 83.4, 55.0, 44.6, 34.4, 52.7, 1600, kLanguageModel},
    {{"FLEUR", "FLEUR"}, 96.8, 96.8, 63.5, 53.0, 38.6, X, 700, kLanguageModel},
    {{"RefFLEUR", "RefFLEUR"}, 97.3, 98.4, 64.2, 51.9, 38.8, X, 760, kLanguageModel},
};

// Shares of pairs in PASCAL-50S.
struct Shares {
  Name name;
  double hc, hi, hm, mm, mean;
  std::string_view source = kTable2;
  std::string_view note = {};
};

constexpr Shares kShares[] = {
    {{"BLEU-4", "BLEU"}, 60.4, 90.6, 84.9, 54.7, 72.7},
    {{"METEOR", "METEOR"}, 63.8, 97.7, 93.7, 65.4, 80.2},
    {{"ROUGE-L", "ROUGE"}, 63.7, 95.3, 92.3, 61.2, 78.1},
    {{"SPICE", "SPICE"}, 63.6, 96.3, 86.7, 68.3, 78.7},
    {{"CIDEr-D", "CIDEr"}, 65.1, 98.1, 90.5, 64.8, 79.6},
    {{"BERTScore", "BERTScore"}, 65.4, 98.1, 96.4, 60.3, 80.1},
    {{"MoverScore", "MoverScore"}, 65.1, 97.1, 93.2, 65.6, 80.3},
    {{"TIGEr", "TIGEr"}, 56.0, 99.8, 92.8, 74.2, 80.7},
    {{"UMIC", "UMIC"}, 66.1, 99.8, 98.1, 76.2, 85.1},
    {{"MID", "MID"}, 67.0, 99.7, 97.4, 76.8, 85.2},
    {{"CLIP-S", "CLIP-S"}, 56.5, 99.3, 96.4, 70.4, 80.7},
    {{"PAC-S", "PAC-S ViT-B/32"}, 60.6, 99.3, 96.9, 72.9, 82.4},
    {{"PAC-S", "PAC-S ViT-L/14"}, 59.6, 99.7, 96.9, 75.2, 82.9},
    {{"RefCLIP-S", "RefCLIP-S"}, 64.5, 99.6, 95.4, 72.8, 83.1},
    {{"RefPAC-S", "RefPAC-S ViT-B/32"}, 67.7, 99.6, 96.0, 75.6, 84.7},
    {{"RefPAC-S", "RefPAC-S ViT-L/14"}, 65.0, 99.8, 97.3, 76.1, 84.6},
    {{"Polos", "Polos"}, 70.0, 99.6, 97.4, 79.0, 86.5},
    {{"DENEB", "DENEB ViT-B/32"}, 74.4, 99.8, 97.3, 76.5, 87.0},
    {{"DENEB", "DENEB ViT-L/14"}, 76.1, 99.7, 97.4, 77.9, 87.8},
    {{"CLAIR-E", "CLAIR-E"}, 57.7, 99.8, 94.6, 75.6, 81.9, kTable2, kLanguageModel},
    {{"FLEUR", "FLEUR"}, 61.3, 99.7, 97.6, 74.2, 83.2, kTable2, kLanguageModel},
    {{"RefFLEUR", "RefFLEUR"}, 68.0, 99.8, 98.0, 76.1, 85.5, kTable2, kLanguageModel},
    {{"BLEU-4", "Bleu_4"}, 58.2, 88, 83.3, 56.7, X, kCiderR, kOwnDraw},
    {{"CIDEr-D", "CIDEr"}, 63.9, 94.6, 88.2, 62.4, X, kCiderR, kOwnDraw},
    {{"CIDEr-R", "CIDEr-R"}, 64, 94, 88.3, 63.6, X, kCiderR, kOwnDraw},
    {{"BLEU-4", "BLEU"}, 53.7, 93.2, 85.6, 61.0, 73.4, kEval, kEvalPairs},
    {{"ROUGE-L", "ROUGE-L"}, 56.5, 95.3, 93.4, 58.5, 75.9, kEval, kEvalPairs},
    {{"METEOR", "METEOR"}, 61.1, 97.6, 94.6, 62.0, 78.8, kEval, kEvalPairs},
    {{"CIDEr-D", "CIDEr"}, 57.8, 98.0, 88.8, 68.2, 78.2, kEval, kEvalPairs},
    {{"SPICE", "SPICE"}, 58.0, 96.7, 88.4, 71.6, 78.7, kEval, kEvalPairs},
    {{"WMD", "WMD"}, 56.2, 98.4, 91.7, 71.5, 79.5, kEval, kEvalPairs},
    {{"Eval-MS", "Eval_MS"}, 62.8, 97.9, 93.5, 69.6, 80.9, kEval, kEvalPairs},
    {{"Eval-CS", "Eval_CS"}, 59.5, 98.3, 90.7, 71.3, 79.9, kEval, kEvalPairs},
    {{"Eval-MCS", "Eval_MCS"}, 60.2, 98.3, 91.8, 71.8, 80.5, kEval, kEvalPairs},
    {{"Eval-WCS", "Eval_WCS"}, 58.2, 98.7, 91.7, 70.6, 79.8, kEval, kEvalPairs},
    {{"Eval-MWS", "Eval_MWS"}, 56.9, 98.4, 91.3, 71.2, 79.4, kEval, kEvalPairs},
    {{"Eval-MWCS", "Eval_MWCS"}, 59.0, 98.5, 90.7, 70.2, 79.6, kEval, kEvalPairs},
};

// Both coefficients, as some sources give them; not a number where only the other is known.
struct Taus {
  std::string_view benchmark;
  Name name;
  double b, c;
  std::string_view source;
  std::string_view note = {};
};

constexpr Taus kTaus[] = {
    {"flickr8k-expert", {"BLEU-1", "BLEU-1"}, 32.175, 32.324, kPacs},
    {"flickr8k-expert", {"BLEU-4", "BLEU-4"}, 30.599, 30.776, kPacs},
    {"flickr8k-expert", {"METEOR", "METEOR"}, 41.538, 41.822, kPacs},
    {"flickr8k-expert", {"ROUGE-L", "ROUGE"}, 32.139, 32.314, kPacs},
    {"flickr8k-expert", {"CIDEr-D", "CIDEr"}, 43.602, 43.891, kPacs},
    {"flickr8k-cf", {"BLEU-1", "BLEU-1"}, 17.946, 9.256, kPacs},
    {"flickr8k-cf", {"BLEU-4", "BLEU-4"}, 16.863, 8.710, kPacs},
    {"flickr8k-cf", {"METEOR", "METEOR"}, 22.269, 11.510, kPacs},
    {"flickr8k-cf", {"ROUGE-L", "ROUGE"}, 19.903, 10.274, kPacs},
    {"flickr8k-cf", {"CIDEr-D", "CIDEr"}, 24.619, 12.724, kPacs},
    {"composite", {"BLEU-4", "BLEU"}, 28.3, 30.6, kArxiv},
    {"composite", {"ROUGE-L", "ROUGE"}, 30.0, 32.4, kArxiv},
    {"composite", {"METEOR", "METEOR"}, 36.0, 38.9, kArxiv},
    {"composite", {"CIDEr-D", "CIDEr"}, 34.9, 37.7, kArxiv},
    {"composite", {"SPICE", "SPICE"}, 38.8, 40.3, kArxiv},
    {"composite", {"BLEU-4", "BLEU"}, 20.2, X, kEval, kFewerRows},
    {"composite", {"ROUGE-L", "ROUGE-L"}, 21.6, X, kEval, kFewerRows},
    {"composite", {"METEOR", "METEOR"}, 35.2, X, kEval, kFewerRows},
    {"composite", {"CIDEr-D", "CIDEr"}, 35.6, X, kEval, kFewerRows},
    {"composite", {"SPICE", "SPICE"}, 36.6, X, kEval, kFewerRows},
    {"composite", {"WMD", "WMD"}, 33.6, X, kEval, kFewerRows},
    {"composite", {"Eval-MS", "Eval_MS"}, 38.6, X, kEval, kFewerRows},
    {"composite", {"Eval-CS", "Eval_CS"}, 38.4, X, kEval, kFewerRows},
    {"composite", {"Eval-MCS", "Eval_MCS"}, 38.6, X, kEval, kFewerRows},
    {"composite", {"Eval-WCS", "Eval_WCS"}, 37.9, X, kEval, kFewerRows},
    {"composite", {"Eval-MWS", "Eval_MWS"}, 36.7, X, kEval, kFewerRows},
    {"composite", {"Eval-MWCS", "Eval_MWCS"}, 37.8, X, kEval, kFewerRows},
    {"nebula", {"BLEU-4", "BLEU"}, X, 44.1, kKit, kCorrectedScores},
    {"nebula", {"CIDEr-D", "CIDEr"}, X, 48.8, kKit, kCorrectedScores},
    {"nebula", {"CLIP-S", "CLIP-S"}, X, 47.9, kKit, kCorrectedScores},
    {"nebula", {"PAC-S", "PAC-S ViT-B/32"}, X, 48.3, kKit, kCorrectedScores},
    {"nebula", {"Polos", "Polos"}, X, 55.0, kKit, kCorrectedScores},
};

using Rows = std::map<std::string_view, std::vector<PublishedRow>>;

// A note about one benchmark must not stand at the others: RefCLIP-S is a copy of CLIP-S only in Nebula.
std::string_view note_of(const Agreement& row, std::string_view benchmark) {
  if (row.note == kSameAsClip) return benchmark == "nebula" ? kSameAsClip : std::string_view{};
  return row.note.empty() && benchmark == "nebula" ? kOriginalScores : row.note;
}

void add_agreements(Rows& rows) {
  for (const Agreement& row : kAgreements) {
    const auto add = [&](std::string_view benchmark, std::vector<PublishedValue> values) {
      rows[benchmark].push_back(
          {row.name.metric, row.name.printed, kTable1, note_of(row, benchmark), std::move(values)});
    };
    add("foil", {{"1-ref", row.foil1}, {"4-ref", row.foil4}});
    add("composite", {{"kendall_c", row.composite_c}});
    add("flickr8k-expert", {{"kendall_c", row.expert_c}});
    add("flickr8k-cf", {{"kendall_b", row.cf_b}});
    add("nebula", {{"kendall_c", row.nebula_c}});
    // Table 1 prints 40.4 for "BLEU" there. The other n-gram metrics come out to the digit, and so does
    // BLEU-1.
    if (row.name.metric == "BLEU-4") rows["nebula"].back().metric = "BLEU-1";
    add("speed", {{"ms", row.milliseconds}});
  }
}

void add_shares(Rows& rows) {
  for (const Shares& row : kShares) {
    rows["pascal50s"].push_back(
        {row.name.metric,
         row.name.printed,
         row.source,
         row.note,
         {{"HC", row.hc}, {"HI", row.hi}, {"HM", row.hm}, {"MM", row.mm}, {"mean", row.mean}}});
  }
}

void add_taus(Rows& rows) {
  for (const Taus& row : kTaus) {
    rows[row.benchmark].push_back({row.name.metric,
                                   row.name.printed,
                                   row.source,
                                   row.note,
                                   {{"kendall_b", row.b}, {"kendall_c", row.c}}});
  }
}

Rows make_rows() {
  Rows rows;
  add_agreements(rows);
  add_shares(rows);
  add_taus(rows);
  return rows;
}

}  // namespace

std::optional<double> PublishedRow::value(std::string_view what) const {
  for (const PublishedValue& each : values) {
    if (each.what == what && !std::isnan(each.value)) return each.value;
  }
  return std::nullopt;
}

std::span<const PublishedRow> published_rows(std::string_view benchmark) {
  static const Rows rows = make_rows();
  const auto found = rows.find(benchmark);
  return found == rows.end() ? std::span<const PublishedRow>{} : std::span(found->second);
}

std::vector<const PublishedRow*> published_rows(std::string_view benchmark, std::string_view metric) {
  std::vector<const PublishedRow*> found;
  for (const PublishedRow& row : published_rows(benchmark)) {
    if (row.metric == metric) found.push_back(&row);
  }
  return found;
}

}  // namespace capella::report
