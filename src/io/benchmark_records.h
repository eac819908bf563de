// Rows with named fields, read alike from a JSON list, from JSON lines and from CSV or TSV with a header.
//
// A reader walks over the records, takes the fields it knows and throws RowProblem where one is not as it
// should be. The walk goes on, so that one DataError lists the malformed rows with their lines.
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "io/csv.h"
#include "io/json_document.h"
#include "io/problems.h"
#include "io/source.h"

namespace capella::io {

/// What was found in a row and what was expected; the walk adds FILE:LINE.
struct RowProblem {
  std::string why;
};

/// Names of one field. The first that a row has counts.
using FieldNames = std::initializer_list<std::string_view>;

struct NumberRange {
  double low = -std::numeric_limits<double>::max();
  double high = std::numeric_limits<double>::max();
};

/// The header of a CSV file.
struct CsvColumns {
  std::string place;  ///< FILE:LINE of the header
  std::vector<std::string> names;
};

/// One row. What its members return as a view lives until the next row.
class Record {
 public:
  explicit Record(element object) : row_(object) {}
  Record(const CsvColumns& columns, const CsvRecord& cells) : row_(Cells{&columns, &cells}) {}

  /// Of all fields, also those that are empty.
  std::vector<std::string> names() const;

  /// Whether the row has the field, and it is neither null nor an empty cell.
  bool has(FieldNames names) const;

  std::string_view text(FieldNames names) const;

  /// A string as it is, a whole number as its decimal text.
  std::string id(FieldNames names) const;

  /// A finite number in the range.
  double number(FieldNames names, NumberRange range = {}) const;

  /// A whole number from 0, below `end`.
  std::size_t whole(FieldNames names, std::size_t end) const;

  bool boolean(FieldNames names) const;

  /// One string or more; a cell of CSV holds a list as JSON or Python writes it, or one text.
  std::vector<std::string> texts(FieldNames names) const;

  /// One number or more.
  std::vector<double> numbers(FieldNames names, NumberRange range = {}) const;

 private:
  struct Cells {
    const CsvColumns* columns;
    const CsvRecord* record;
  };
  using Value = std::variant<std::monostate, element, std::string_view>;
  struct Field {
    std::string_view name;
    Value value;
  };
  Field find(FieldNames names) const;
  Field need(FieldNames names) const;

  std::variant<element, Cells> row_;
};

using VisitRecord = std::function<void(const Record&)>;

/// Calls `visit` for each row of the file. Throws DataError for malformed rows and if there are none.
void for_each_record(const Source& source, const VisitRecord& visit);

/// The same for the objects in the list `member` of a JSON object.
void for_each_member_record(const Source& source, std::string_view member, const VisitRecord& visit);

/// Calls visit(line, number) for each line that is not blank; `visit` may throw RowProblem.
void for_each_text_row(const Source& source,
                       const std::function<void(std::string_view line, std::size_t number)>& visit);

/// Opens a file of records. Throws FileError, or DataError if it is empty, no UTF-8 or no JSON.
Source open_records(const std::string& path, std::string_view expected);

/// 16992 as "16,992", as messages and notes print counts.
std::string grouped(std::size_t count);

/// A cell or a word as a number; false if it is none.
bool parse_number(std::string_view text, double& number);

}  // namespace capella::io
