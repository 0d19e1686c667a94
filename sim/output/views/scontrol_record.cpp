// sim/output/views/scontrol_record.cpp — the three ways in which a record is written.
#include "sim/output/views/scontrol_record.hpp"

#include <algorithm>

namespace rehearse {

void ScontrolRecord::add(std::string key, std::string value) {
  lines_.back().fields.push_back({std::move(key), std::move(value), false});
}

void ScontrolRecord::add_each(std::string key, std::string value) {
  lines_.back().fields.push_back({std::move(key), std::move(value), true});
}

std::string ScontrolRecord::text(const ViewOptions& options) const {
  const bool joined = options.parsable || options.one_line;
  std::string text;
  for (const Line& line : lines_) {
    if (line.fields.empty()) continue;
    if (!joined) text += std::string(text.empty() ? 0 : line.indent, ' ');
    bool is_first = joined ? text.empty() : true;
    for (const Field& field : line.fields) {
      if (!is_first) text += options.parsable ? '|' : ' ';
      is_first = false;
      text += field.key + "=" + field.value;
    }
    if (!joined) text += '\n';
  }
  return text + '\n';
}

ViewRow ScontrolRecord::row() const {
  ViewRow row;
  for (const Line& line : lines_) {
    for (const Field& field : line.fields) {
      if (!field.is_listed) {
        row.emplace_back(field.key, field.value);
        continue;
      }
      auto list = std::find_if(row.begin(), row.end(),
                               [&](const auto& each) { return each.first == field.key; });
      if (list == row.end()) {
        list = row.insert(row.end(), {field.key, std::vector<std::string>{}});
      }
      std::get<std::vector<std::string>>(list->second).push_back(field.value);
    }
  }
  return row;
}

void add_record(View& view, const ScontrolRecord& record, const ViewOptions& options) {
  if (options.json) {
    view.rows.push_back(record.row());
  } else {
    view.text += record.text(options);
  }
}

}  // namespace rehearse
