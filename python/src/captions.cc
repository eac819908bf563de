#include "captions.h"

#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "capella/error.h"

#include "io/column_names.h"
#include "io/read.h"

namespace capella::python {
namespace {

bool is_mapping(nb::handle object) {
  return PyDict_Check(object.ptr()) || nb::hasattr(object, "items");
}

// The value of a row's key, or null.
nb::handle member(nb::handle row, std::string_view name) {
  return PyDict_GetItemWithError(row.ptr(), nb::str(name.data(), name.size()).ptr());
}

nb::handle first_member(nb::handle row, const std::array<std::string_view, 4>& names) {
  for (const std::string_view name : names) {
    if (const nb::handle value = member(row, name); value.is_valid()) return value;
  }
  return {};
}

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

  /// `value`: a caption, or any iterable of captions. Adds all or nothing.
  void add(std::string_view id, nb::handle value) {
    const std::string what = fmt::format("{}: the caption of id '{}'", source_, id);
    std::vector<std::string_view> texts;
    nb::object owner;
    if (const auto text = caption_text(value, what)) {
      texts.push_back(*text);
    } else if (PyUnicode_Check(value.ptr()) || is_mapping(value) || !nb::hasattr(value, "__iter__")) {
      throw wrong_type(what, value, "a str or a list of str");
    } else {
      owner = add_list(what, value, texts);
    }
    if (texts.empty())
      throw DataError(fmt::format("{} is an empty list, expected at least one caption", what));
    const std::string_view own_id = builder_.copy(id);
    for (const std::string_view text : texts) builder_.add_view(own_id, builder_.copy(text), 0);
  }

  /// Runs `fill` for one item; an error in it is thrown on, or listed under `id`.
  template <class Fill>
  void item(std::string id, Fill fill) {
    try {
      fill(id);
    } catch (const nb::builtin_exception& problem) {
      if (!skip_bad_) throw;
      skipped_.push_back({id, problem.what()});
    } catch (const DataError& problem) {
      if (!skip_bad_) throw;
      skipped_.push_back({id, problem.what()});
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

  static nb::list add_list(const std::string& what, nb::handle value, std::vector<std::string_view>& texts) {
    nb::list list = list_of(value, what);
    for (const nb::handle one : list) {
      const auto text = caption_text(one, what);
      if (!text) throw wrong_type(what, one, "a str");
      texts.push_back(*text);
    }
    return list;
  }

  std::string source_;
  bool skip_bad_;
  io::CaptionTableBuilder builder_;
  std::vector<Skipped> skipped_;
};

// COCO annotations or a Karpathy data set, as json.load() returns them.
bool is_document(nb::handle captions) {
  if (!PyDict_Check(captions.ptr())) return false;
  for (const std::string_view name : {"annotations", "images"}) {
    const nb::handle list = member(captions, name);
    if (!list.is_valid() || !PyList_Check(list.ptr()) || PyList_Size(list.ptr()) == 0) continue;
    if (PyDict_Check(PyList_GetItem(list.ptr(), 0))) return true;
  }
  return false;
}

io::CaptionTable table_of_document(nb::handle document, const std::string& source,
                                   const io::ReadOptions& options) {
  using namespace nb::literals;
  const nb::object text = nb::module_::import_("json").attr("dumps")(document, "ensure_ascii"_a = false);
  return io::read_table(source, std::string(*text_of(text, source)), options);
}

io::CaptionTable table_of_mapping(nb::handle mapping, const std::string& source, bool skip_bad) {
  TableFiller filler(source, skip_bad);
  for (const nb::handle pair : list_of(mapping.attr("items")(), source)) {
    const nb::object id = pair[0];
    const nb::object captions = pair[1];
    filler.item(id_of(id, source + ": an id"), [&](const std::string& text) { filler.add(text, captions); });
  }
  return filler.build();
}

std::string id_of_row(nb::handle row, const std::string& source, std::size_t ordinal) {
  const std::string what = fmt::format("{}: row {}", source, ordinal);
  if (!PyDict_Check(row.ptr())) throw TableFiller::wrong_type(what, row, "a dict");
  const nb::handle id = first_member(row, io::kIdNames);
  if (!id.is_valid())
    throw DataError(fmt::format("{} has no id, expected one of {}", what, io::kIdNamesText));
  return id_of(id, what + ": the id");
}

nb::handle need_member(nb::handle row, std::string_view name, const std::string& source,
                       const std::string& id) {
  const nb::handle value = member(row, name);
  if (!value.is_valid()) throw DataError(fmt::format("{}: the row of id '{}' has no '{}'", source, id, name));
  return value;
}

io::CaptionTable table_of_joint_rows(const nb::list& rows, const std::string& source, bool skip_bad) {
  TableFiller references(source, skip_bad);
  TableFiller tests(source, skip_bad);
  std::size_t ordinal = 0;
  for (const nb::handle row : rows) {
    references.item(id_of_row(row, source, ordinal++), [&](const std::string& id) {
      const nb::handle test = need_member(row, "test", source, id);
      references.add(id, need_member(row, "refs", source, id));
      tests.add(id, test);
    });
  }
  io::CaptionTable table = references.build();
  table.tests = std::make_shared<const io::CaptionTable>(tests.build());
  return table;
}

io::CaptionTable table_of_rows(const nb::list& rows, const std::string& source, bool skip_bad) {
  TableFiller filler(source, skip_bad);
  std::size_t ordinal = 0;
  for (const nb::handle row : rows) {
    filler.item(id_of_row(row, source, ordinal++), [&](const std::string& id) {
      const nb::handle captions = first_member(row, io::kCaptionNames);
      if (!captions.is_valid()) {
        throw DataError(fmt::format("{}: the row of id '{}' has no caption, expected one of {}", source, id,
                                    io::kCaptionNamesText));
      }
      filler.add(id, captions);
    });
  }
  return filler.build();
}

// To leave one out would shift all that follow, so here an error always stops the run.
io::CaptionTable table_of_list(const nb::list& captions, const std::string& source) {
  TableFiller filler(source, false);
  filler.builder().set_aligned();
  std::size_t ordinal = 0;
  for (const nb::handle one : captions) filler.add(fmt::to_string(++ordinal), one);
  return filler.build();
}

}  // namespace

io::CaptionTable table_of(nb::handle captions, const std::string& source, const io::ReadOptions& options) {
  if (const auto path = path_of(captions)) {
    const nb::gil_scoped_release unlocked;
    return io::read_table_file(*path, options);
  }
  if (is_document(captions)) return table_of_document(captions, source, options);
  if (is_mapping(captions)) return table_of_mapping(captions, source, options.skip_bad);
  const nb::list list = list_of(captions, source);
  const nb::handle first = list.size() == 0 ? nb::handle() : nb::handle(list[0].ptr());
  if (!first.is_valid() || !PyDict_Check(first.ptr())) return table_of_list(list, source);
  const bool joint = member(first, "test").is_valid() && member(first, "refs").is_valid();
  return joint ? table_of_joint_rows(list, source, options.skip_bad)
               : table_of_rows(list, source, options.skip_bad);
}

}  // namespace capella::python
