// The data set: references and systems from files or from memory.
#include "capella/dataset.h"

#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "capella/error.h"

#include "bindings.h"
#include "captions.h"
#include "io/assemble.h"
#include "io/karpathy.h"
#include "io/system_name.h"

namespace capella::python {
namespace {

struct NamedCaptions {
  std::string name;
  std::string source;  // how messages name captions in memory
  nb::object captions;
};

// `systems`: (name, captions), or (None, captions) for a name taken from the file, "system" for captions in
// memory.
std::vector<NamedCaptions> name_systems(const nb::list& systems) {
  std::vector<std::string> paths;
  std::vector<NamedCaptions> named;
  for (const nb::handle pair : systems) {
    nb::object captions = pair[1];
    if (nb::object(pair[0]).is_none() && path_of(captions)) paths.push_back(*path_of(captions));
  }
  const std::vector<io::SystemFile> files = io::name_systems(paths);
  std::size_t file = 0;
  for (const nb::handle pair : systems) {
    nb::object name = pair[0];
    nb::object captions = pair[1];
    if (!name.is_none()) {
      const std::string text = id_of(name, "a system's name");
      named.push_back({text, fmt::format("captions of {}", text), captions});
    } else if (path_of(captions)) {
      named.push_back({files[file].name, "", nb::str(files[file].path.data(), files[file].path.size())});
      ++file;
    } else {
      named.push_back({"system", "captions", captions});
    }
  }
  return named;
}

void check_split(const std::vector<io::CaptionTable>& tables, const std::string& split) {
  if (split.empty()) return;
  for (const io::CaptionTable& table : tables) {
    if (table.format == io::kKarpathyName) return;
  }
  throw UsageError(fmt::format(
      "split '{}' is given, but nothing is a Karpathy data set with splits; leave it out", split));
}

// Rows of tests with their references stand for both sides; their system is named after the file.
void add_joint(nb::handle references, std::vector<io::CaptionTable>& tables,
               std::vector<io::NamedTable>& systems) {
  if (!tables[0].tests) return;
  if (!systems.empty()) {
    throw UsageError(
        fmt::format("{}: each row holds both test and refs; give no other captions", tables[0].source));
  }
  const auto path = path_of(references);
  systems.push_back({path ? io::name_systems(std::vector{*path})[0].name : "system", tables[0].tests.get()});
}

io::Missing missing_by_name(const std::string& name) {
  if (name == "skip") return io::Missing::skip;
  if (name == "error") return io::Missing::error;
  throw UsageError(fmt::format("missing: found '{}', expected 'error' or 'skip'", name));
}

Dataset make_dataset(nb::handle references, const nb::list& systems, const std::string& split,
                     const std::string& missing, bool skip_bad) {
  const io::AssembleOptions options{missing_by_name(missing)};
  const io::ReadOptions read{split, skip_bad};
  const std::vector<NamedCaptions> named = name_systems(systems);
  std::vector<io::CaptionTable> tables;
  tables.reserve(named.size() + 1);
  tables.push_back(table_of(references, "references", read));
  std::vector<io::NamedTable> named_tables;
  for (const NamedCaptions& system : named) {
    tables.push_back(table_of(system.captions, system.source, read));
    named_tables.push_back({system.name, &tables.back()});
  }
  check_split(tables, split);
  add_joint(references, tables, named_tables);
  const nb::gil_scoped_release unlocked;
  return io::assemble(tables[0], named_tables, options);
}

nb::str to_str(std::string_view text) {
  return nb::str(text.data(), text.size());
}

nb::list list_ids(const Dataset& dataset) {
  nb::list ids;
  for (std::size_t item = 0; item < dataset.size(); ++item) ids.append(to_str(dataset.id(item)));
  return ids;
}

nb::list list_references(const Dataset& dataset) {
  nb::list all;
  for (std::size_t item = 0; item < dataset.size(); ++item) {
    nb::list own;
    for (const std::string_view text : dataset.references(item)) own.append(to_str(text));
    all.append(own);
  }
  return all;
}

nb::list list_captions(const Dataset& dataset, std::size_t system) {
  if (system >= dataset.systems().size()) throw nb::index_error("no such system");
  nb::list captions;
  for (const std::string_view text : dataset.systems()[system].captions) captions.append(to_str(text));
  return captions;
}

nb::list list_systems(const Dataset& dataset) {
  nb::list names;
  for (const Dataset::System& system : dataset.systems()) names.append(to_str(system.name));
  return names;
}

}  // namespace

void bind_dataset(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<Dataset>(module, "Dataset")
      .def(
          "__init__",
          [](Dataset* self, nb::handle references, const nb::list& systems, const std::string& split,
             const std::string& missing, bool skip_bad) {
            new (self) Dataset(make_dataset(references, systems, split, missing, skip_bad));
          },
          "references"_a, "systems"_a, "split"_a = "", "missing"_a = "error", "skip_bad"_a = false)
      .def("__len__", &Dataset::size)
      .def("ids", list_ids)
      .def("references", list_references)
      .def("systems", list_systems)
      .def("captions", list_captions, "system"_a);
}

}  // namespace capella::python
