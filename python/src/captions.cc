#include "captions.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "capella/error.h"

#include "base/names.h"
#include "io/column_names.h"
#include "io/item_ids.h"
#include "io/read.h"
#include "io/wrapped_rows.h"

namespace capella::python {
namespace {

bool is_mapping(nb::handle object) {
  return PyDict_Check(object.ptr()) || nb::hasattr(object, "items");
}

// The value of a row's key, or null.
nb::handle member(nb::handle row, std::string_view name) {
  return PyDict_GetItemWithError(row.ptr(), nb::str(name.data(), name.size()).ptr());
}

// The column that the user names, else the first of the known ones.
nb::handle first_member(nb::handle row, std::string_view named,
                        const std::array<std::string_view, 4>& known) {
  if (!named.empty()) {
    if (const nb::handle value = member(row, named); value.is_valid()) return value;
  }
  for (const std::string_view name : known) {
    if (const nb::handle value = member(row, name); value.is_valid()) return value;
  }
  return {};
}

bool has_member(nb::handle row, std::string_view name) {
  return !name.empty() && member(row, name).is_valid();
}

struct Texts {
  std::vector<std::string_view> views;
  nb::object owner;
};

// Fills one table; what is wrong with an item stops the run or, on request, leaves the item out.
class TableFiller {
 public:
  TableFiller(const std::string& source, bool skip_bad)
      : source_(source), skip_bad_(skip_bad), builder_(source) {}

  io::CaptionTableBuilder& builder() { return builder_; }

  io::CaptionTable build() {
    builder_.set_skipped(std::move(skipped_));
    return builder_.build();
  }

  /// `value`: a caption, or any iterable of captions; messages call it `name`.
  Texts texts_of(std::string_view id, nb::handle value, std::string_view name = "caption") const {
    const std::string what = fmt::format("{}: the {} of id '{}'", source_, name, id);
    if (const auto text = caption_text(value, what)) return {{*text}, nb::borrow(value)};
    if (PyUnicode_Check(value.ptr()) || is_mapping(value) || !nb::hasattr(value, "__iter__")) {
      throw wrong_type(what, value, "a str or a list of str");
    }
    Texts texts = texts_of_list(value, what);
    if (texts.views.empty()) {
      throw DataError(fmt::format("{} is an empty list, expected at least one caption", what));
    }
    return texts;
  }

  void add(std::string_view id, const Texts& texts) {
    const std::string_view own_id = builder_.copy(id);
    for (const std::string_view text : texts.views) builder_.add_view(own_id, builder_.copy(text), 0);
  }

  /// Runs `fill` for one item; an error in it is thrown on, or listed under the id that it noted in its
  /// argument, else under `place`.
  template <class Fill>
  void item(const std::string& place, Fill fill) {
    std::string id;
    try {
      fill(id);
    } catch (const nb::builtin_exception& problem) {
      if (!skip_bad_) throw;
      skipped_.push_back({id.empty() ? place : id, problem.what()});
    } catch (const DataError& problem) {
      if (!skip_bad_) throw;
      skipped_.push_back({id.empty() ? place : id, problem.what()});
    }
  }

  static nb::builtin_exception wrong_type(const std::string& what, nb::handle found,
                                          std::string_view expected) {
    return nb::type_error(fmt::format("{} is {}, expected {}", what, name_of_type(found), expected).c_str());
  }

 private:
  // A str, or {"caption": str} as pycocoevalcap's callers write it.
  static std::optional<std::string_view> caption_text(nb::handle value, const std::string& what) {
    if (!PyDict_Check(value.ptr())) return text_of(value, what);
    const nb::handle inner = member(value, "caption");
    return inner.is_valid() ? text_of(inner, what) : std::nullopt;
  }

  static Texts texts_of_list(nb::handle value, const std::string& what) {
    nb::list list = list_of(value, what);
    Texts texts;
    for (const nb::handle one : list) {
      const auto text = caption_text(one, what);
      if (!text) throw wrong_type(what, one, "a str");
      texts.views.push_back(*text);
    }
    texts.owner = std::move(list);
    return texts;
  }

  std::string source_;
  bool skip_bad_;
  io::CaptionTableBuilder builder_;
  std::vector<Skipped> skipped_;
};

// COCO annotations, a Karpathy data set or {"predictions": [...]}, as json.load() returns them.
bool is_document(nb::handle captions) {
  if (!PyDict_Check(captions.ptr())) return false;
  const auto holds_rows = [&](std::string_view name) {
    const nb::handle list = member(captions, name);
    if (!list.is_valid() || !PyList_Check(list.ptr()) || PyList_Size(list.ptr()) == 0) return false;
    return PyDict_Check(PyList_GetItem(list.ptr(), 0)) != 0;
  };
  const auto wraps = [&](std::string_view name) {
    const nb::handle value = member(captions, name);
    const bool alone = PyDict_Size(captions.ptr()) == 1;
    return value.is_valid() &&
           (PyDict_Check(value.ptr()) || holds_rows(name) || (alone && PyList_Check(value.ptr())));
  };
  return holds_rows("images") || std::ranges::any_of(io::kWrapperNames, wraps);
}

io::CaptionTable table_of_document(nb::handle document, const std::string& source,
                                   const io::ReadOptions& options) {
  using namespace nb::literals;
  const nb::object text = nb::module_::import_("json").attr("dumps")(document, "ensure_ascii"_a = false);
  return io::read_table(source, std::string(*text_of(text, source)), options);
}

io::CaptionTable table_of_mapping(nb::handle mapping, const std::string& source, bool skip_bad) {
  TableFiller filler(source, skip_bad);
  std::size_t ordinal = 0;
  for (const nb::handle pair : list_of(mapping.attr("items")(), source)) {
    filler.item(fmt::format("entry {}", ordinal++), [&](std::string& id) {
      id = id_of(nb::object(pair[0]), source + ": an id");
      filler.add(id, filler.texts_of(id, nb::object(pair[1])));
    });
  }
  return filler.build();
}

std::string list_keys(nb::handle row) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : nb::borrow<nb::dict>(row)) keys.emplace_back(nb::str(key).c_str());
  return list_names(std::vector<std::string_view>(keys.begin(), keys.end()));
}

std::string id_of_row(nb::handle row, const std::string& what, const io::ColumnNames& columns) {
  if (!PyDict_Check(row.ptr())) throw TableFiller::wrong_type(what, row, "a dict");
  const nb::handle id = first_member(row, columns.id, io::kIdNames);
  if (!id.is_valid())
    throw DataError(fmt::format("{} has {}", what, io::lacks_id(list_keys(row), columns.id)));
  return id_of(id, what + ": the id");
}

// Calls fill(row, id) for every row, as one item each.
template <class Fill>
void for_each_row(const nb::list& rows, const std::string& source, const io::ColumnNames& columns,
                  TableFiller& filler, Fill fill) {
  std::size_t ordinal = 0;
  for (const nb::handle row : rows) {
    const std::string place = fmt::format("row {}", ordinal++);
    filler.item(place, [&](std::string& id) {
      id = id_of_row(row, fmt::format("{}: {}", source, place), columns);
      filler.builder().note_named(has_member(row, columns.id), has_member(row, columns.caption));
      fill(row, id);
    });
  }
}

nb::handle need_member(nb::handle row, std::string_view name, const std::string& source,
                       const std::string& id) {
  const nb::handle value = member(row, name);
  if (!value.is_valid()) throw DataError(fmt::format("{}: the row of id '{}' has no '{}'", source, id, name));
  return value;
}

io::CaptionTable table_of_joint_rows(const nb::list& rows, const std::string& source,
                                     const io::ReadOptions& options) {
  TableFiller references(source, options.skip_bad);
  TableFiller tests(source, options.skip_bad);
  for_each_row(rows, source, options.columns(), references, [&](nb::handle row, const std::string& id) {
    const Texts test = tests.texts_of(id, need_member(row, "test", source, id), "test");
    references.add(id, references.texts_of(id, need_member(row, "refs", source, id), "refs"));
    tests.add(id, test);
  });
  io::CaptionTable table = references.build();
  table.tests = std::make_shared<const io::CaptionTable>(tests.build());
  return table;
}

io::CaptionTable table_of_rows(const nb::list& rows, const std::string& source,
                               const io::ReadOptions& options) {
  const io::ColumnNames columns = options.columns();
  TableFiller filler(source, options.skip_bad);
  for_each_row(rows, source, columns, filler, [&](nb::handle row, const std::string& id) {
    const nb::handle captions = first_member(row, columns.caption, io::kCaptionNames);
    if (!captions.is_valid()) {
      throw DataError(fmt::format("{}: the row of id '{}' has {}", source, id,
                                  io::lacks_caption(list_keys(row), columns.caption)));
    }
    filler.add(id, filler.texts_of(id, captions));
  });
  return filler.build();
}

// To leave one out would shift all that follow, so here an error always stops the run.
io::CaptionTable table_of_list(const nb::list& captions, const std::string& source) {
  TableFiller filler(source, false);
  filler.builder().set_aligned();
  std::size_t ordinal = 0;
  for (const nb::handle one : captions) {
    const std::string id = fmt::to_string(++ordinal);
    filler.add(id, filler.texts_of(id, one));
  }
  return filler.build();
}

io::CaptionTable table_of_memory(nb::handle captions, const std::string& source,
                                 const io::ReadOptions& options) {
  if (is_mapping(captions)) return table_of_mapping(captions, source, options.skip_bad);
  const nb::list list = list_of(captions, source);
  const nb::handle first = list.size() == 0 ? nb::handle() : nb::handle(list[0].ptr());
  if (!first.is_valid() || !PyDict_Check(first.ptr())) return table_of_list(list, source);
  const bool joint = member(first, "test").is_valid() && member(first, "refs").is_valid();
  return joint ? table_of_joint_rows(list, source, options) : table_of_rows(list, source, options);
}

}  // namespace

io::CaptionTable table_of(nb::handle captions, const std::string& source, const io::ReadOptions& options) {
  if (const auto path = path_of(captions)) {
    const nb::gil_scoped_release unlocked;
    return io::read_table_file(*path, options);
  }
  if (is_document(captions)) return table_of_document(captions, source, options);
  io::CaptionTable table = table_of_memory(captions, source, options);
  if (options.coco_ids) io::number_ids(table);
  return table;
}

}  // namespace capella::python
