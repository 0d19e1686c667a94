// sim/study/report/page.hpp — one offline page as it grows: sections of words, tables and charts.
//
// The page asks no host for anything: script and style are in it, and its Content-Security-Policy
// refuses all else. Every chart has its numbers as a table. Same calls, same bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/study/report/html.hpp"

namespace rehearse {

struct ReportColumn {
  std::string title;
  bool is_number = false;  ///< to the right
  std::string field = {};  ///< a filter's: rows of another choice are hidden
};
struct ReportTable {
  std::string id, caption;
  std::vector<ReportColumn> columns;
  std::vector<std::vector<std::string>> rows;
};

/// A choice above a chart: rows of another value of `field` are left out. With `within`, only the
/// values that occur together with that field's choice are offered.
struct ReportFilter {
  std::string field, label, initial, within;
};

/// A Vega-Lite specification without its data, and the data as bare rows.
struct ReportChart {
  std::string id, title;
  std::string text;  ///< what can be seen, for who cannot see it
  std::string note;  ///< how to read it, and what it is made of
  ReportJson spec;
  std::vector<std::string> columns;
  ReportJson rows = ReportJson::array();  ///< of arrays
  std::vector<ReportFilter> filters;
  ReportTable table;
  /// A drawing for each, beside each other on the same axes, of the rows whose `side` it is; empty:
  /// one drawing of all rows.
  std::vector<std::string> panels = {};
};

/// A question, its answer in a word, and what stands behind it.
struct ReportTile {
  std::string question, answer, detail;
};

class ReportPage {
 public:
  explicit ReportPage(std::string title) : title_(std::move(title)) {}

  void heading(std::string_view text, std::string_view below);
  /// A section of its own, listed at the head.
  void section(std::string_view id, std::string_view title);
  void paragraph(std::string_view text);
  void note(std::string_view text);
  /// `mood`: `good`, `fair`, `poor`, or empty.
  void verdict(std::string_view sentence, const std::vector<std::string>& more,
               std::string_view mood);
  void tiles(const std::vector<ReportTile>& tiles);
  void list(std::string_view title, const std::vector<std::string>& items);
  void table(const ReportTable& table, bool is_open);
  void chart(const ReportChart& chart);
  [[nodiscard]] std::string take();

 private:
  std::string title_, head_, body_, contents_;
  ReportJson charts_ = ReportJson::array();
};

}  // namespace rehearse
