// Captions against the atoms of their images: what does each entail, what does it contradict?
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "capella/error.h"
#include "capella/mln.h"

#include "base/ascii.h"
#include "base/file.h"
#include "base/names.h"
#include "base/step_counter.h"
#include "io/entailments.h"
#include "io/read.h"
#include "io/system_name.h"
#include "io/text_lines.h"
#include "method/mln/entailment/entailment_model.h"
#include "method/mln/image_network_file.h"
#include "method/mln/system_summary.h"
#include "pipeline/claim_reader.h"
#include "pipeline/plugin.h"

namespace capella {
namespace {

using method::mln::Claims;
using method::mln::EntailmentJudge;
using method::mln::EntailmentModel;
using method::mln::ImageNetwork;

constexpr io::EntailmentOdds kCertain = {0, 0, 1};
constexpr io::EntailmentOdds kNeutral = {0, 1, 0};

// What is said of the atoms of a caption's image.
struct Answers {
  std::span<const io::EntailmentOdds> odds;  // one per atom
  std::string_view judge;                    // empty: the rules
};

bool is_neutral(const io::EntailmentOdds& p) {
  return p[1] >= p[0] && p[1] >= p[2];
}

bool detected(const ImageNetwork& image, const EntailmentJudge& judge, const std::string& word) {
  return std::ranges::any_of(image.things,
                             [&](const std::string& thing) { return judge.same_thing(word, thing); });
}

// What a caption says of things that nobody detected: the network has no atoms for it.
void add_unseen(const ImageNetwork& image, const Claims& caption, const EntailmentJudge& judge,
                std::vector<io::EntailmentRow>& rows) {
  for (const Claim& claim : EntailmentJudge::triplets(caption)) {
    if (detected(image, judge, claim.subject) && detected(image, judge, claim.object)) continue;
    io::EntailmentRow row;
    row.atom = claim;
    row.p = kCertain;
    rows.push_back(std::move(row));
  }
}

// A caption that says nothing of the network was judged all the same, and must not look like one that is not
// there: one row says so.
io::EntailmentRow neutral_row(const ImageNetwork& image, const Claims& caption, const Answers& answers) {
  Claim about{"thing", "in", "image"};
  const std::vector<Claim> said = EntailmentJudge::triplets(caption);
  if (!image.atoms.empty()) {
    about = image.atoms[0];
  } else if (!said.empty()) {
    about = said[0];
  }
  const bool asked = !answers.judge.empty() && !image.atoms.empty();
  return {"",
          "",
          about,
          asked ? answers.odds[0] : kNeutral,
          method::mln::hypothesis_text(about),
          std::string(asked ? answers.judge : "")};
}

// All that is not neutral.
std::vector<io::EntailmentRow> caption_rows(const ImageNetwork& image, const Claims& caption,
                                            const EntailmentJudge& rules, const Answers& answers) {
  std::vector<io::EntailmentRow> rows;
  for (std::size_t a = 0; a < image.atoms.size(); ++a) {
    if (is_neutral(answers.odds[a])) continue;
    io::EntailmentRow row;
    row.atom = image.atoms[a];
    row.p = answers.odds[a];
    row.hypothesis = method::mln::hypothesis_text(image.atoms[a]);
    row.judge = answers.judge;
    rows.push_back(std::move(row));
  }
  add_unseen(image, caption, rules, rows);
  if (rows.empty()) rows.push_back(neutral_row(image, caption, answers));
  return rows;
}

std::size_t label_of(std::string_view word, const std::string& path, std::size_t line) {
  constexpr std::array<std::string_view, 3> kLabels = {"contradiction", "neutral", "entailment"};
  const auto found = std::ranges::find(kLabels, lowered_ascii(word));
  if (found == kLabels.end())
    throw DataError(fmt::format("{}:{}: found the label '{}', expected contradiction, neutral or entailment",
                                path, line, excerpt(word)));
  return static_cast<std::size_t>(found - kLabels.begin());
}

struct Question {
  std::string system;
  const ImageNetwork* image;
  std::string_view caption;
};

// Captions of images, one of each system; what they name lives as long as this.
struct EntailmentQuestions {
  std::vector<ImageNetwork> images;
  std::vector<io::CaptionTable> tables;
  std::vector<Question> list;
  std::size_t without_image = 0;
};

EntailmentQuestions read_questions(const NliRun& run) {
  EntailmentQuestions made;
  made.images = method::mln::read_image_networks(run.ground);
  std::map<std::string_view, const ImageNetwork*> by_id;
  for (const ImageNetwork& image : made.images) by_id.emplace(image.image, &image);
  std::set<std::pair<std::string, std::string_view>> captioned;
  for (const io::SystemFile& file : io::name_systems(run.captions)) {
    made.tables.push_back(io::read_table_file(file.path, {}));
    for (const io::CaptionRow& row : made.tables.back().rows) {
      const auto found = by_id.find(row.id);
      if (found == by_id.end()) {
        ++made.without_image;
        continue;
      }
      if (!captioned.emplace(file.name, row.id).second)
        throw DataError(
            fmt::format("{}: image {} has two captions, expected one", file.path, excerpt(row.id)));
      made.list.push_back({file.name, found->second, row.caption});
    }
  }
  if (made.list.empty())
    throw DataError(fmt::format("{}: none of its images has a caption; expected captions of the same images",
                                run.ground));
  return made;
}

// The model of a judge; nothing if it is the rules.
std::optional<EntailmentModel> open_model(const NliJudge& judge) {
  if (!judge.model.empty()) return EntailmentModel(judge.model, pipeline::encoder_engine(judge.device));
  if (judge.device != "cpu")
    throw UsageError("the rules that judge entailment run on the CPU: name a model, or no other device");
  return std::nullopt;
}

// What the model says of each atom, question by question.
EntailmentModel::Answers ask_model(const EntailmentModel& model, const std::vector<Question>& questions,
                                   const NliRun& run, ThreadPool& pool) {
  std::map<Claim, std::string> hypotheses;
  std::vector<std::string_view> captions, asked;
  for (const Question& question : questions) {
    for (const Claim& atom : question.image->atoms) {
      const auto [place, is_new] = hypotheses.try_emplace(atom);
      if (is_new) place->second = method::mln::hypothesis_text(atom);
      captions.push_back(question.caption);
      asked.push_back(place->second);
    }
  }
  return model.judge(captions, asked, {&pool, run.progress});
}

// One list of rows per question; `odds` are a model's, question by question, or none.
std::vector<std::vector<io::EntailmentRow>> make_rows(const std::vector<Question>& questions,
                                                      std::span<const io::EntailmentOdds> odds,
                                                      const std::string& judge, const NliRun& run,
                                                      ThreadPool& pool) {
  const pipeline::ClaimReader reader;
  std::vector<std::string_view> texts;
  std::vector<std::size_t> begins = {0};
  for (const Question& question : questions) {
    texts.push_back(question.caption);
    begins.push_back(begins.back() + question.image->atoms.size());
  }
  const auto claims = reader.read(texts, pool, run.progress);
  std::vector<std::vector<io::EntailmentRow>> rows(questions.size());
  StepCounter steps(run.progress, "entailment", questions.size());
  pool.parallel_for(questions.size(), [&](std::size_t k) {
    const ImageNetwork& image = *questions[k].image;
    std::vector<io::EntailmentOdds> own;
    if (judge.empty()) {
      for (const Claim& atom : image.atoms) own.push_back(reader.judge().judge(*claims[k], atom));
    }
    const Answers answers{judge.empty() ? own : odds.subspan(begins[k], image.atoms.size()), judge};
    rows[k] = caption_rows(image, *claims[k], reader.judge(), answers);
    for (io::EntailmentRow& row : rows[k]) {
      row.system = questions[k].system;
      row.image = image.image;
    }
    steps.done();
  });
  return rows;
}

void count(const io::EntailmentRow& row, NliSummary& summary) {
  if (row.hypothesis.empty()) {
    ++summary.unseen;
  } else if (!is_neutral(row.p)) {
    ++(row.p[2] > row.p[0] ? summary.entailed : summary.contradicted);
  }
}

// Pairs of sentences with what people said of them; the sentences are parts of `text`.
struct LabelledPairs {
  std::string text;
  std::vector<std::size_t> truth;
  std::vector<std::string_view> premises, hypotheses;
};

LabelledPairs read_pairs(const std::string& path) {
  LabelledPairs made{read_file(path), {}, {}, {}};
  io::for_each_line(made.text, [&](std::string_view line, std::size_t number) {
    if (line.empty()) return;
    const std::size_t first = line.find('\t');
    const std::size_t second = first == line.npos ? first : line.find('\t', first + 1);
    if (second == line.npos)
      throw DataError(
          fmt::format("{}:{}: found '{}', expected LABEL, PREMISE and HYPOTHESIS with tabs between them",
                      path, number, excerpt(line)));
    made.truth.push_back(label_of(line.substr(0, first), path, number));
    made.premises.push_back(line.substr(first + 1, second - first - 1));
    made.hypotheses.push_back(line.substr(second + 1));
  });
  if (made.truth.empty()) throw DataError(fmt::format("{}: has no pairs of sentences", path));
  return made;
}

std::vector<io::EntailmentOdds> ask_rules(const LabelledPairs& pairs, const Progress& progress,
                                          ThreadPool& pool) {
  const pipeline::ClaimReader reader;
  const auto premises = reader.read(pairs.premises, pool, progress);
  const auto hypotheses = reader.read(pairs.hypotheses, pool, progress);
  std::vector<io::EntailmentOdds> odds;
  for (std::size_t k = 0; k < pairs.truth.size(); ++k)
    odds.push_back(reader.judge().judge(*premises[k], *hypotheses[k]));
  return odds;
}

}  // namespace

NliSummary mln_nli(const NliRun& run) {
  const std::optional<EntailmentModel> model = open_model(run.judge);
  const EntailmentQuestions questions = read_questions(run);
  NliSummary summary;
  summary.captions = questions.list.size();
  summary.without_image = questions.without_image;
  for (const Question& question : questions.list) summary.questions += question.image->atoms.size();
  ThreadPool pool(run.threads);
  EntailmentModel::Answers answers;
  if (model) {
    summary.judge = model->description();
    answers = ask_model(*model, questions.list, run, pool);
    summary.distinct = answers.distinct;
    summary.cut = answers.cut.size();
  }
  std::vector<io::EntailmentRow> rows;
  for (std::vector<io::EntailmentRow>& made :
       make_rows(questions.list, answers.odds, summary.judge, run, pool)) {
    for (io::EntailmentRow& row : made) {
      count(row, summary);
      rows.push_back(std::move(row));
    }
  }
  write_file_atomically(run.output, io::write_entailments(rows));
  return summary;
}

NliAccuracy mln_nli_accuracy(const NliTest& test) {
  const std::optional<EntailmentModel> model = open_model(test.judge);
  const LabelledPairs pairs = read_pairs(test.pairs);
  ThreadPool pool(test.threads);
  NliAccuracy made;
  made.pairs = pairs.truth.size();
  std::vector<io::EntailmentOdds> odds;
  if (model) {
    EntailmentModel::Answers answers = model->judge(pairs.premises, pairs.hypotheses, {&pool, test.progress});
    made.judge = model->description();
    made.cut = answers.cut.size();
    odds = std::move(answers.odds);
  } else {
    odds = ask_rules(pairs, test.progress, pool);
  }
  std::vector<double> right;
  for (std::size_t k = 0; k < odds.size(); ++k) {
    const auto judged = static_cast<std::size_t>(std::ranges::max_element(odds[k]) - odds[k].begin());
    ++made.confusion[pairs.truth[k]][judged];
    right.push_back(judged == pairs.truth[k] ? 1 : 0);
  }
  const auto mean = method::mln::mean_with_interval(right, {}, pool);
  made.accuracy = mean.mean;
  made.interval = mean.interval;
  return made;
}

}  // namespace capella
