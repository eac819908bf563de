#include "report/ratings_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"
#include "report/json_value.h"
#include "report/table.h"

namespace capella::report {
namespace {

constexpr std::string_view kFormats[] = {"json", "jsonl"};

Json caption_json(const PreparedCaption& caption) {
  return {{"imgid", caption.image},
          {"mt", caption.caption},
          {"refs", caption.references},
          {"score", json_number(caption.score)},
          {"judgements", caption.judgements}};
}

Json agreement_json(const WorkerAgreement& agreement) {
  return {{"workers", agreement.workers},
          {"judgements", agreement.judgements},
          {"alpha_interval", json_number(agreement.alpha_interval)},
          {"alpha_ordinal", json_number(agreement.alpha_ordinal)},
          {"pearson", json_number(agreement.pearson)},
          {"kendall_b", json_number(agreement.kendall_b)},
          {"worker_pairs", agreement.pairs}};
}

Json range_json(const CountRange& range) {
  return {{"least", range.least}, {"mean", range.mean}, {"most", range.most}};
}

Table agreement_table(const PreparationReport& report) {
  Table table;
  table.columns = {"", "workers", "judgements", "alpha (interval)", "alpha (ordinal)", "Pearson", "Kendall"};
  const auto add = [&](const char* name, const WorkerAgreement& agreement) {
    std::vector<Table::Cell> row{
        {name}, {fmt::format("{}", agreement.workers)}, {fmt::format("{}", agreement.judgements)}};
    for (const double value :
         {agreement.alpha_interval, agreement.alpha_ordinal, agreement.pearson, agreement.kendall_b}) {
      row.push_back({fmt::format("{:.3f}", value)});
    }
    table.rows.push_back(std::move(row));
  };
  add("all", report.before);
  add("kept", report.after);
  return table;
}

std::string dropped_text(const PreparationReport& report) {
  std::string text;
  const std::size_t shown = std::min(report.dropped.size(), kListed);
  for (std::size_t i = 0; i < shown; ++i) {
    const DroppedWorker& worker = report.dropped[i];
    text += fmt::format("left out: worker {}, {} judgements; {}\n", excerpt(worker.worker), worker.judgements,
                        worker.why);
  }
  if (report.dropped.size() > shown)
    text += fmt::format("and {} more workers\n", report.dropped.size() - shown);
  return text;
}

}  // namespace

void check_prepared_format(std::string_view format) {
  if (std::find(std::begin(kFormats), std::end(kFormats), format) == std::end(kFormats))
    throw UsageError(unknown_name_message("format", format, kFormats));
}

std::string format_prepared(const PreparedRatings& ratings, std::string_view format) {
  check_prepared_format(format);
  if (format == "json") {
    Json list = Json::array();
    for (const PreparedCaption& caption : ratings.captions) list.push_back(caption_json(caption));
    return dump(list, 1) + '\n';
  }
  std::string lines;
  for (const PreparedCaption& caption : ratings.captions) lines += dump(caption_json(caption), -1) + '\n';
  return lines;
}

std::string preparation_json(const PreparationReport& report) {
  Json dropped = Json::array();
  for (const DroppedWorker& worker : report.dropped) {
    dropped.push_back({{"worker", worker.worker}, {"judgements", worker.judgements}, {"why", worker.why}});
  }
  Json ratings = Json::array();
  for (const RatingCount& one : report.distribution) {
    ratings.push_back({{"rating", json_number(one.rating)}, {"count", one.count}});
  }
  const Json json{
      {"agreement", {{"before", agreement_json(report.before)}, {"after", agreement_json(report.after)}}},
      {"dropped", std::move(dropped)},
      {"usual_seconds", json_number(report.usual_seconds)},
      {"quick_limit", json_number(report.quick_limit)},
      {"images", report.images},
      {"captions_lost", report.captions_lost},
      {"ratings", std::move(ratings)},
      {"entropy_bits", json_number(report.entropy)},
      {"balance", json_number(report.balance)},
      {"captions_per_image", range_json(report.captions_per_image)},
      {"judgements_per_caption", range_json(report.judgements_per_caption)}};
  return dump(json, 2) + '\n';
}

std::string preparation_text(const PreparationReport& report) {
  std::string text = to_text(agreement_table(report)) + '\n' + dropped_text(report);
  if (report.captions_lost > 0) {
    text += fmt::format("{} captions are left out, since nobody else judged them\n", report.captions_lost);
  }
  text += "ratings:";
  for (const RatingCount& one : report.distribution) text += fmt::format("  {}: {}", one.rating, one.count);
  const auto range = [](const CountRange& counts) {
    return fmt::format("{:.1f} ({} to {})", counts.mean, counts.least, counts.most);
  };
  text += fmt::format("\nbalance {:.2f} (1: every rating equally often), entropy {:.2f} bits\n",
                      report.balance, report.entropy);
  text += fmt::format("{} images, {} captions each, {} judgements per caption\n", report.images,
                      range(report.captions_per_image), range(report.judgements_per_caption));
  return text;
}

}  // namespace capella::report
