// Data files of pre-gen studies: any bytes, and any damage to a good file, give an error or a table that
// hangs together and comes back from its text as it was.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include <fuzzer/FuzzedDataProvider.h>

#include "capella/error.h"

#include "fuzz/memory_file.h"
#include "io/stratum_table.h"

namespace {

using capella::fuzz::put;
using capella::io::StratumRow;
using capella::io::StratumTable;

constexpr const char* kSamples[] = {
    "dataset\tarchitecture\trun\tnum_strata\tstratum\tCIDEr\tWMD\tsum_sum_count_none\tmean_max_normcount_"
    "prefix0\n"
    "flickr8k\tinit\t1\t1\t0\t0.5\t1e-05\t59335\tinf\n"
    "flickr8k\tinit\t1\t2\t0\t0.25\t-0.5\t3\tnan\n",
    "dataset\tarchitecture\trun\tnum_strata\tstratum\tMETEOR\r\nmscoco\tpar\tb\t3\t2\t1e+300",
    "dataset\tarchitecture\trun\tnum_strata\tstratum\tmin_join_pplx_none\n\nd\ta\tr\t1\t0\t-inf\n\n",
};

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i] && !(std::isnan(a[i]) && std::isnan(b[i]))) return false;
  }
  return true;
}

void check(const StratumTable& table) {
  if (table.rows.empty() || (table.post.empty() && table.pre.empty())) __builtin_trap();
  for (const StratumRow& row : table.rows) {
    if (row.post.size() != table.post.size() || row.pre.size() != table.pre.size()) __builtin_trap();
    if (row.stratum >= row.strata || row.dataset.empty()) __builtin_trap();
  }
}

void check_same(const StratumTable& a, const StratumTable& b) {
  if (a.post != b.post || a.pre != b.pre || a.rows.size() != b.rows.size()) __builtin_trap();
  for (std::size_t k = 0; k < a.rows.size(); ++k) {
    const StratumRow& x = a.rows[k];
    const StratumRow& y = b.rows[k];
    if (x.dataset != y.dataset || x.architecture != y.architecture || x.run != y.run) __builtin_trap();
    if (x.strata != y.strata || x.stratum != y.stratum) __builtin_trap();
    if (!same(x.post, y.post) || !same(x.pre, y.pre)) __builtin_trap();
  }
}

void read(const std::string& bytes) {
  StratumTable table;
  try {
    table = capella::io::read_strata(put(bytes));
  } catch (const capella::DataError&) {  // also what looks like gzip and is not
    return;
  }
  check(table);
  check_same(capella::io::read_strata(put(capella::io::strata_text(table))), table);
}

// A good file with some bytes exchanged for others.
std::string damaged(FuzzedDataProvider& input) {
  std::string text = input.PickValueInArray(kSamples);
  const auto place = input.ConsumeIntegralInRange<std::size_t>(0, text.size());
  const auto length = input.ConsumeIntegralInRange<std::size_t>(0, 64);
  return text.replace(place, length, input.ConsumeRemainingBytesAsString());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read(std::string(reinterpret_cast<const char*>(data), size));
  FuzzedDataProvider input(data, size);
  read(damaged(input));
  return 0;
}
