// The data set: references and systems from files or from memory.
#include "capella/dataset.h"

#include <map>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "capella/error.h"
#include "capella/pipeline.h"

#include "base/names.h"
#include "bindings.h"
#include "captions.h"
#include "io/read.h"
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

// How the system of joint rows is called: after the file, "system" for rows in memory.
NamedCaptions name_references(nb::object references) {
  const auto path = path_of(references);
  const std::string name = path ? io::name_systems(std::vector{*path})[0].name : "system";
  return {name, "references", std::move(references)};
}

std::vector<io::CaptionTable> read_tables(const std::vector<NamedCaptions>& all,
                                          const io::ReadOptions& options) {
  std::vector<std::string> paths;
  for (const NamedCaptions& one : all) {
    if (auto path = path_of(one.captions)) paths.push_back(std::move(*path));
  }
  io::check_standard_input(paths);
  std::vector<io::CaptionTable> tables;
  for (const NamedCaptions& one : all) tables.push_back(table_of(one.captions, one.source, options));
  return tables;
}

io::Missing missing_by_name(const std::string& name) {
  if (name == "skip") return io::Missing::skip;
  if (name == "error") return io::Missing::error;
  throw UsageError(fmt::format("missing: found '{}', expected 'error' or 'skip'", name));
}

bool coco_by_name(const std::string& ids) {
  if (ids != "exact" && ids != "coco")
    throw UsageError(fmt::format("ids: found '{}', expected 'exact' or 'coco'", excerpt(ids)));
  return ids == "coco";
}

Dataset make_dataset(nb::object references, const nb::list& systems, const io::ReadOptions& read,
                     const std::string& missing) {
  const io::AssembleOptions options{missing_by_name(missing)};
  std::vector<NamedCaptions> all = name_systems(systems);
  all.insert(all.begin(), name_references(std::move(references)));
  const std::vector<io::CaptionTable> tables = read_tables(all, read);
  std::vector<io::NamedTable> named;
  for (std::size_t i = 0; i < all.size(); ++i) named.push_back({all[i].name, &tables[i]});
  const nb::gil_scoped_release unlocked;
  return io::join_tables(named[0], std::span(named).subspan(1), read, options);
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

// A file's path, or a dict of paths by id.
Dataset with_pictures(const Dataset& dataset, nb::object images, const std::string& missing) {
  const bool skip = missing_by_name(missing) == io::Missing::skip;
  if (const auto path = path_of(images)) {
    const nb::gil_scoped_release unlocked;
    return with_images(dataset, *path, skip);
  }
  std::map<std::string, std::string> paths;
  for (const auto& [id, image] : nb::cast<nb::dict>(images)) {
    const auto path = path_of(nb::borrow(image));
    if (!path)
      throw nb::type_error("images: found another value than a path, expected a dict of ids and paths");
    paths[id_of(id, "an id of images")] = *path;
  }
  const nb::gil_scoped_release unlocked;
  return with_images(dataset, paths, skip);
}

nb::list list_images(const Dataset& dataset) {
  nb::list images;
  for (const std::string& path : dataset.images()) images.append(to_str(path));
  return images;
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
          [](Dataset* self, nb::object references, const nb::list& systems, const std::string& split,
             const std::string& missing, bool skip_bad, const std::string& id_column,
             const std::string& caption_column, const std::string& ids) {
            const io::ReadOptions read{.split = split,
                                       .skip_bad = skip_bad,
                                       .id_column = id_column,
                                       .caption_column = caption_column,
                                       .coco_ids = coco_by_name(ids)};
            new (self) Dataset(make_dataset(std::move(references), systems, read, missing));
          },
          "references"_a, "systems"_a, "split"_a = "", "missing"_a = "error", "skip_bad"_a = false,
          "id_column"_a = "", "caption_column"_a = "", "ids"_a = "exact")
      .def("__len__", &Dataset::size)
      .def("with_images", with_pictures, "images"_a, "missing"_a = "error")
      .def("images", list_images)
      .def("ids", list_ids)
      .def("references", list_references)
      .def("systems", list_systems)
      .def("captions", list_captions, "system"_a);
}

}  // namespace capella::python
