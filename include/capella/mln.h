// Verification of captions by Markov logic: rules learned from captions, grounded on the objects of an image,
// tell how probable what a caption claims is, and why. No references are needed. See docs/mln.md.
//
// The stages are functions joined by files, so that each can be replaced: triplets, structure, weights
// (capella/logic.h), mil, ground, nli, infer, report; run_mln() does all of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "capella/claim.h"
#include "capella/interval.h"
#include "capella/logic.h"
#include "capella/progress.h"

namespace capella {

using Tell = std::function<void(const std::string&)>;

// ---- triplets ----

struct TripletOptions {
  std::string captions;  ///< any file of captions
  /// Of Karpathy's dataset.json, each row with its own; empty: the only one, and rows are for training.
  std::vector<std::string> splits;
  std::string objects;  ///< objects.jsonl: words that are another word for a detected thing become its label
  std::string exclude;  ///< a file of captions whose images are left out
  bool as_worded = false;  ///< predicates stay as captions word them; else "near" and "beside" are "next to"
  std::string output;
  std::size_t threads = 0;
  Progress progress = {};
};
struct TripletSummary {
  std::size_t images = 0, captions = 0, triplets = 0, predicates = 0, excluded_images = 0, without = 0;
  std::vector<std::pair<std::string, std::size_t>> common;  ///< the most frequent predicates
};
TripletSummary mln_triplets(const TripletOptions& options);

// ---- structure ----

struct StructureRun {
  std::string triplets;
  std::string output;  ///< .mln
  std::size_t top_predicates = 200;
  std::size_t longest = 2;
  bool ground = false, tree = false, substring = false;
  std::size_t min_images = 2;
  double min_confidence = .1;
  std::size_t most_chains = 10'000;
  std::size_t threads = 0;
  Progress progress = {};
};
struct StructureSummary {
  std::size_t images = 0, triplets = 0, dropped_triplets = 0, candidates = 0, formulas = 0, predicates = 0,
              constants = 0, capped_images = 0, empty_domains = 0;
  std::vector<std::size_t> by_length;                ///< formulas of 1, 2, ... literals
  std::vector<std::pair<std::string, double>> best;  ///< longer formulas seen in most images
};
StructureSummary mln_structure(const StructureRun& options);

// ---- mil ----

struct MilRun {
  std::string objects, triplets, output;
  std::string attention = "gated";   ///< or plain
  bool both = false;                 ///< trains the other kind, too, to compare
  std::string preset = "small";      ///< or paper
  std::string negatives = "preset";  ///< or other, mismatch, possible, mentioned, mixed
  bool pixel_boxes = false;
  std::optional<std::size_t> epochs, hidden, attention_size;
  std::optional<double> rate;
  std::uint64_t seed = 12345;
  std::size_t threads = 0;
  Progress progress = {};
};
struct MilPredicate {
  std::string predicate;
  std::size_t training_bags = 0;
  std::size_t held_out_told = 0,
              held_out_atoms = 0;  ///< told atoms of validation images, and all of mentioned pairs
  double auc = 0, other_auc = 0;   ///< other: of the other kind of attention
  double log_loss = 0, log_loss_uncalibrated = 0, brier = 0, calibration_error = 0;
};
struct MilSummary {
  std::string attention;
  std::vector<MilPredicate> predicates;
  double mean_auc = 0;
  double other_mean_auc = 0;  ///< not a number: it was not trained
};
MilSummary mln_mil(const MilRun& options);

/// Attention over the pairs of boxes that an atom could be about.
struct MilAttention {
  double probability = .5;
  double width = 0, height = 0;
  struct Box {
    std::string label;
    std::array<double, 4> box{};
  };
  std::vector<Box> boxes;
  struct Pair {
    std::size_t subject, object;
    double weight;
  };
  std::vector<Pair> pairs;
};
MilAttention mln_attention(const std::string& model, const std::string& objects, const std::string& image,
                           const Claim& claim);

// ---- ground ----

struct GroundRun {
  std::string network;     ///< .mln
  std::string objects;     ///< .jsonl; or empty
  std::string references;  ///< in place of objects: the things that these captions mention, without boxes
  std::string mil;         ///< .npz; empty: objects say nothing about relations
  std::string captions;    ///< only images of this file of captions; empty: all
  std::string output;      ///< .jsonl
  bool aliases = false;    ///< other words for a thing are constants, too
  double mil_tau = 1;      ///< multiplies the networks' log odds; 0: off
  std::size_t threads = 0;
  Progress progress = {};
};
struct GroundSummary {
  std::size_t images = 0, empty = 0, atoms = 0, factors = 0, most_atoms = 0, without_model = 0;
  std::size_t empty_bags = 0;  ///< atoms with a network of attention whose two things are not two boxes
};
GroundSummary mln_ground(const GroundRun& options);

// ---- nli ----

/// Who judges what a sentence entails.
struct NliJudge {
  /// A folder as Hugging Face writes it, of a BERT or RoBERTa that was trained for natural language
  /// inference; empty: the built-in rules.
  std::string model;
  std::string device = "cpu";  ///< where the model runs: or "cuda"
};

struct NliRun {
  std::string ground;                 ///< .jsonl of mln_ground
  std::vector<std::string> captions;  ///< one file per system
  std::string output;                 ///< .jsonl; rows that would be neutral are left out
  NliJudge judge = {};
  std::size_t threads = 0;
  Progress progress = {};
};
struct NliSummary {
  std::size_t captions = 0, questions = 0, entailed = 0, contradicted = 0, unseen = 0;
  std::size_t without_image = 0;  ///< captions of images that have no line among the networks
  std::string judge;              ///< the model, "roberta-large-mnli(0f3a91c2)"; empty: the built-in rules
  std::size_t distinct = 0;       ///< questions that differ, which a model was asked
  std::size_t cut = 0;            ///< questions that are longer than the model reads
};
NliSummary mln_nli(const NliRun& options);

/// A judge on pairs of sentences with known labels (SICK's layout: label, premise, hypothesis).
struct NliTest {
  std::string pairs;
  NliJudge judge = {};
  std::size_t threads = 0;
  Progress progress = {};
};
struct NliAccuracy {
  std::string judge;    ///< as in NliSummary
  std::size_t cut = 0;  ///< pairs that are longer than the model reads
  std::size_t pairs = 0;
  double accuracy = 0;
  Interval interval{};
  std::array<std::array<std::size_t, 3>, 3>
      confusion{};  ///< [truth][judged]: contradiction, neutral, entailment
};
NliAccuracy mln_nli_accuracy(const NliTest& test);

// ---- infer and report ----

/// A claim of a caption as the network sees it.
struct JudgedClaim {
  Claim claim;
  bool entailed = true;      ///< else the caption contradicts it
  double p = 0;              ///< of what the caption says: the marginal, or one minus it
  double from_objects = .5;  ///< what the objects alone say of the claim; .5: nothing
};

/// A caption's verdict.
struct JudgedCaption {
  std::string system, image;
  std::string skipped;  ///< why it has none: no_caption, no_network, empty_query; empty: it has one
  std::string method;
  double log_p = 0;            ///< of all claims together; minus infinity: they break hard rules
  double log_prob = 0;         ///< mean of ln p over the claims: the paper's column
  double log_prob_unseen = 0;  ///< the same with claims about things that are not there, see InferRun::unseen
  double mcse = 0;             ///< of log_p
  std::vector<JudgedClaim> claims;
  std::vector<Claim> unseen;        ///< claims about things that nobody detected
  std::size_t dominant = 0;         ///< the claim with the highest p
  std::vector<Claim> without_rule;  ///< claims about detected things that no rule is about: they do not count
  bool converged = true;            ///< else a sampler was stopped before its chains agreed
};

struct JudgedSystem {
  std::string system;
  std::size_t captions = 0, scored = 0, no_network = 0, empty_query = 0, claims = 0, contradicted = 0,
              unseen = 0;
  double log_prob = 0, variance = 0, deviation = 0;  ///< mean of log_prob over captions
  Interval interval{};                               ///< 95 %, by bootstrap of images
  double log_p = 0;                                  ///< mean of the joint, where it is not impossible
  Interval log_p_interval{};
  double log_prob_unseen = 0;
  Interval unseen_interval{};
  std::size_t impossible = 0;    ///< of those scored: what they say together breaks hard rules
  std::size_t without_rule = 0;  ///< claims about detected things that no rule is about
};

/// Two systems on the images where both have a verdict.
struct JudgedPair {
  std::string first, second;
  std::size_t images = 0;
  double difference = 0;  ///< first minus second
  Interval interval{};
  double p = 0;
  double p_corrected = std::numeric_limits<double>::quiet_NaN();  ///< after Holm, over all pairs
  Verdict verdict = Verdict::undecided;
};

struct Verification {
  std::vector<JudgedSystem> systems;
  std::vector<JudgedCaption> captions;  ///< system by system
  std::vector<JudgedPair> pairs;        ///< each with the one before it in rank
  std::vector<std::pair<std::string, std::size_t>> methods;
  double unseen_p = 0;              ///< 0: not counted
  std::vector<std::string> judges;  ///< models that judged what captions entail; none: rules, or not told
  std::vector<std::string> notes;
};

/// Of the counting search in an image's network, before it is sampled: there are many images.
inline constexpr std::size_t kMostNodesPerImage = 20'000;

struct InferRun {
  std::string ground, nli;
  std::string output;  ///< results.json
  double margin = .5;  ///< an entailment model must be so much surer of its answer than of the next
  double unseen =
      0;  ///< > 0: claims about undetected things count, and so probable is it that a thing was missed
  std::size_t resamples = 1000;
  InferenceOptions inference = {};
};
Verification mln_infer(const InferRun& options);
/// Reads what mln_infer() wrote.
Verification read_verification(const std::string& path);

/// Why a caption is as probable as it is.
struct ClaimReason {
  std::string formula;    ///< as learned
  std::string grounding;  ///< with the image's things
  double weight = 0;
  double holds = 0;         ///< how probable it is that the rest of the formula holds
  double contribution = 0;  ///< to the claim's log odds; infinite where a hard rule decides the claim
  bool hard = false;
  std::size_t literals = 0;  ///< of the ground rule, the claim's own among them
};
struct ExplainedClaim {
  JudgedClaim judged;
  double object_log_odds = 0;
  std::vector<ClaimReason> reasons;  ///< the strongest first
  double without = 0;                ///< how much log_p would rise if the caption did not say it
};
struct MlnExplanation {
  JudgedCaption caption;
  std::string text;  ///< of the caption; empty if not at hand
  /// Of the system's captions, to tell what is much and little; not a number: not known.
  double median = std::numeric_limits<double>::quiet_NaN();
  std::vector<ExplainedClaim> claims;  ///< the least probable first
};
/// `captions`: the system's file, to show its text; may be empty.
MlnExplanation explain_mln(const InferRun& run, const std::string& system, const std::string& image,
                           const std::string& captions = "");
/// Adds how the caption stands in the results of all captions, which were read from `path`: the system's
/// median, and the number with claims about undetected things. Returns whether it is as probable there; if
/// not, they were made with other options. Throws DataError if it is not in them.
bool place_among(MlnExplanation& explanation, const Verification& results, const std::string& path);

/// Systems ranked by log-probability and by other metrics (the paper's Fig. 4).
struct RankedSystems {
  std::vector<std::string> systems, metrics;
  std::vector<std::vector<double>> values;  ///< [metric][system]
  std::vector<std::vector<double>> ranks;   ///< [metric][system]; the best has the highest
  std::vector<double> average_rank, log_prob, variance;
  double pearson = 0, spearman = 0, kendall = 0;  ///< of average ranks with -log_prob
};
RankedSystems rank_systems(const std::vector<std::string>& systems, const std::vector<std::string>& metrics,
                           const std::vector<std::vector<double>>& values,
                           const std::vector<double>& log_prob, const std::vector<double>& variance);
/// ... beside `scores`: what `capella score --format json` printed for the same systems.
RankedSystems rank_beside_scores(const Verification& verification, const std::string& scores);
/// The paper's Table I; `test`: its test half, else validation.
RankedSystems published_ranking(bool test);

/// Mean -log_prob per concept of the images.
struct ConceptUncertainty {
  struct Row {
    std::string concept_name, system;
    std::size_t images = 0;
    double uncertainty = 0;
    Interval interval{};
    bool few = false;  ///< less than 30 images
  };
  std::vector<Row> rows;
  std::vector<std::string> ties;  ///< images without a majority
  std::size_t labelled = 0;
};
ConceptUncertainty concept_uncertainty(const Verification& verification, const std::string& concepts,
                                       std::size_t resamples, std::uint64_t seed);

/// Do people rank claims by certainty as the network does?
struct HumanRanking {
  struct Image {
    std::string image;
    double correlation = 0;
    std::size_t claims = 0;
  };
  std::vector<Image> images;
  std::size_t constant = 0, without_network = 0;
  std::size_t few_claims = 0;  ///< images whose network knows less than two of the claims
  double mean = 0;
  Interval interval{};
  double share_positive = 0;
  std::vector<std::size_t> histogram;  ///< ten bins from -1 to 1
};
HumanRanking human_ranking(const std::string& ground, const std::string& ranks,
                           const InferenceOptions& inference, std::size_t resamples);
/// Claims as sentences for workers to rank: JSON lines {image_id, atoms, sentences}.
std::string export_ranking_task(const std::string& ground, std::size_t most_claims, std::uint64_t seed);

/// How often something that people tell was not detected: a claim about an undetected thing is held for as
/// probable. With `references` in place of objects each caption is compared with the others of its image.
double mln_missed_things(const std::string& captions, const std::string& split, const std::string& objects,
                         std::size_t threads, const Progress& progress);

// ---- run ----

/// Everything, end to end: on a generated world, or on captions of your own.
struct MlnStudyOptions {
  std::string world;          ///< a generated world's folder; made if it is not there; or empty, and:
  std::size_t images = 2000;  ///< of a world that is made
  std::string training;       ///< captions to learn from
  std::string references;     ///< of the test images, whose things stand in for a detector's
  std::vector<std::string> systems;
  std::string folder;  ///< where all files go; what lies there is used again
  std::string rules;   ///< lifted or ground; empty: lifted on a world, ground elsewhere
  NliJudge judge = {};
  std::size_t resamples = 1000;
  std::uint64_t seed = 12345;
  std::size_t threads = 0;
  Progress progress = {};
  Tell tell = {};
};

/// What a stage did, in words.
struct MlnStage {
  std::string name, file, report;
  bool reused = false;  ///< it lay there already
};

/// Captions with one kind of error at growing rates.
struct ErrorKindFinding {
  std::string kind;
  std::vector<double> rates;
  std::vector<JudgedSystem> systems;
  double kendall = 0;                        ///< of the rate with -log_prob; 1: perfect
  double kendall_unseen = 0;                 ///< ... with unseen claims counted
  bool apart = false, apart_unseen = false;  ///< intervals of best and worst do not overlap
  JudgedPair ends, ends_unseen;              ///< no errors against errors everywhere
};

/// A weight that the data was drawn from, and what was learned from the data.
struct ReturnedWeight {
  std::string formula;
  double truth = 0, learned = 0, standard_error = 0;
};

struct MlnStudy {
  bool generated = false;
  std::size_t test_images = 0;
  std::vector<MlnStage> stages;
  Verification verification;
  RankedSystems ranking;  ///< with other metrics
  std::vector<MlnExplanation> explanations;
  // Of a generated world.
  std::vector<ErrorKindFinding> kinds;
  std::vector<ReturnedWeight> returned;
  ConceptUncertainty concepts;
  HumanRanking people;
};
MlnStudy run_mln(const MlnStudyOptions& options);

}  // namespace capella
