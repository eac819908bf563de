// Captions against the atoms of their images: what does each entail, what does it contradict?
#include <algorithm>
#include <array>
#include <map>
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
#include "method/mln/image_network_file.h"
#include "method/mln/system_summary.h"
#include "pipeline/claim_reader.h"

namespace capella {
namespace {

using method::mln::Claims;
using method::mln::EntailmentJudge;
using method::mln::ImageNetwork;

constexpr io::EntailmentOdds kCertain = {0, 0, 1};
constexpr io::EntailmentOdds kNeutral = {0, 1, 0};

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
io::EntailmentRow neutral_row(const ImageNetwork& image, const Claims& caption) {
  Claim about{"thing", "in", "image"};
  const std::vector<Claim> said = EntailmentJudge::triplets(caption);
  if (!image.atoms.empty()) {
    about = image.atoms[0];
  } else if (!said.empty()) {
    about = said[0];
  }
  return {"", "", about, kNeutral, method::mln::hypothesis_text(about)};
}

// All that is not neutral.
std::vector<io::EntailmentRow> judge_caption(const ImageNetwork& image, const Claims& caption,
                                             const EntailmentJudge& judge) {
  std::vector<io::EntailmentRow> rows;
  for (const Claim& atom : image.atoms) {
    const io::EntailmentOdds p = judge.judge(caption, atom);
    if (is_neutral(p)) continue;
    io::EntailmentRow row;
    row.atom = atom;
    row.p = p;
    row.hypothesis = method::mln::hypothesis_text(atom);
    rows.push_back(std::move(row));
  }
  add_unseen(image, caption, judge, rows);
  if (rows.empty()) rows.push_back(neutral_row(image, caption));
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
struct Questions {
  std::vector<ImageNetwork> images;
  std::vector<io::CaptionTable> tables;
  std::vector<Question> list;
  std::size_t without_image = 0;
};

Questions read_questions(const NliRun& run) {
  Questions made;
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

// One list of rows per question.
std::vector<std::vector<io::EntailmentRow>> judge_all(const std::vector<Question>& questions,
                                                      const NliRun& run) {
  const pipeline::ClaimReader reader;
  ThreadPool pool(run.threads);
  std::vector<std::string_view> texts;
  for (const Question& question : questions) texts.push_back(question.caption);
  const auto claims = reader.read(texts, pool, run.progress);
  std::vector<std::vector<io::EntailmentRow>> answers(questions.size());
  StepCounter steps(run.progress, "entailment", questions.size());
  pool.parallel_for(questions.size(), [&](std::size_t k) {
    answers[k] = judge_caption(*questions[k].image, *claims[k], reader.judge());
    for (io::EntailmentRow& row : answers[k]) {
      row.system = questions[k].system;
      row.image = questions[k].image->image;
    }
    steps.done();
  });
  return answers;
}

void count(const io::EntailmentRow& row, NliSummary& summary) {
  if (row.hypothesis.empty()) {
    ++summary.unseen;
  } else if (!is_neutral(row.p)) {
    ++(row.p[2] > row.p[0] ? summary.entailed : summary.contradicted);
  }
}

}  // namespace

NliSummary mln_nli(const NliRun& run) {
  const Questions questions = read_questions(run);
  NliSummary summary;
  summary.captions = questions.list.size();
  summary.without_image = questions.without_image;
  for (const Question& question : questions.list) summary.questions += question.image->atoms.size();
  std::vector<io::EntailmentRow> rows;
  for (std::vector<io::EntailmentRow>& answers : judge_all(questions.list, run)) {
    for (io::EntailmentRow& row : answers) {
      count(row, summary);
      rows.push_back(std::move(row));
    }
  }
  write_file_atomically(run.output, io::write_entailments(rows));
  return summary;
}

NliAccuracy mln_nli_accuracy(const std::string& path, std::size_t threads) {
  const std::string text = read_file(path);
  std::vector<std::size_t> truth;
  std::vector<std::string_view> sentences;
  io::for_each_line(text, [&](std::string_view line, std::size_t number) {
    if (line.empty()) return;
    const std::size_t first = line.find('\t');
    const std::size_t second = first == line.npos ? first : line.find('\t', first + 1);
    if (second == line.npos)
      throw DataError(
          fmt::format("{}:{}: found '{}', expected LABEL, PREMISE and HYPOTHESIS with tabs between them",
                      path, number, excerpt(line)));
    truth.push_back(label_of(line.substr(0, first), path, number));
    sentences.push_back(line.substr(first + 1, second - first - 1));
    sentences.push_back(line.substr(second + 1));
  });
  if (truth.empty()) throw DataError(fmt::format("{}: has no pairs of sentences", path));
  const pipeline::ClaimReader reader;
  ThreadPool pool(threads);
  const auto claims = reader.read(sentences, pool, {});
  NliAccuracy made;
  made.pairs = truth.size();
  std::vector<double> right;
  for (std::size_t k = 0; k < truth.size(); ++k) {
    const io::EntailmentOdds p = reader.judge().judge(*claims[2 * k], *claims[2 * k + 1]);
    const auto judged = static_cast<std::size_t>(std::ranges::max_element(p) - p.begin());
    ++made.confusion[truth[k]][judged];
    right.push_back(judged == truth[k] ? 1 : 0);
  }
  const auto mean = method::mln::mean_with_interval(right, {}, pool);
  made.accuracy = mean.mean;
  made.interval = mean.interval;
  return made;
}

}  // namespace capella
