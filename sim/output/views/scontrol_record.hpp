// sim/output/views/scontrol_record.hpp — a record of scontrol: `Key=value` fields, line by line.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "sim/output/views/view.hpp"

namespace rehearse {

class ScontrolRecord {
 public:
  /// Begins a line, `indent` blanks in; an empty one is not printed.
  void line(std::size_t indent = 3) { lines_.push_back({indent, {}}); }
  /// Adds a field to the line.
  void add(std::string key, std::string value);
  /// Adds one of a key that stands once a group of nodes: in JSON they are a list.
  void add_each(std::string key, std::string value);

  /// Lines and an empty one; with -o one line, fields parted by blanks; with -P by `|`.
  [[nodiscard]] std::string text(const ViewOptions& options) const;
  [[nodiscard]] ViewRow row() const;

 private:
  struct Field {
    std::string key, value;
    bool is_listed;
  };
  struct Line {
    std::size_t indent;
    std::vector<Field> fields;
  };
  std::vector<Line> lines_;
};

/// Adds the record to the view, in the form that the options ask for.
void add_record(View& view, const ScontrolRecord& record, const ViewOptions& options);

}  // namespace rehearse
