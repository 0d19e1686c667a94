// sim/study/report/page.cpp — HTML, written by hand: every text goes through escape_html.
#include "sim/study/report/page.hpp"

#include <fmt/format.h>

#include "sim/study/report/assets.hpp"

namespace rehearse {
namespace {

constexpr std::size_t kSearchedRows = 24;  // above these a table can be searched

std::string row_of(const ReportTable& table, const std::vector<std::string>& cells) {
  std::string head;
  std::string text;
  for (std::size_t i = 0; i < cells.size() && i < table.columns.size(); ++i) {
    const ReportColumn& column = table.columns[i];
    const std::string cell = escape_html(cells[i]);
    if (!column.field.empty()) head += fmt::format(" data-{}=\"{}\"", column.field, cell);
    text += fmt::format("<td{}>{}</td>", column.is_number ? " class=n" : "", cell);
  }
  return fmt::format("<tr{}>{}</tr>\n", head, text);
}

/// `caption`: the class of the caption.
std::string html_of(const ReportTable& table, std::string_view caption) {
  std::string html;
  if (table.rows.size() > kSearchedRows) {
    html += fmt::format(
        "<input type=search aria-controls=\"{}\" aria-label=\"search in {}\" "
        "placeholder=\"search\">\n",
        table.id, escape_html(table.caption));
  }
  html += fmt::format(
      "<div class=scroll tabindex=0><table id=\"{}\"><caption class={}>{}</caption><thead><tr>",
      table.id, caption, escape_html(table.caption));
  for (const ReportColumn& column : table.columns) {
    html += fmt::format("<th scope=col{}>{}</th>", column.is_number ? " class=n" : "",
                        escape_html(column.title));
  }
  html += "</tr></thead><tbody>\n";
  for (const auto& row : table.rows) html += row_of(table, row);
  return html + "</tbody></table></div>\n";
}

}  // namespace

void ReportPage::heading(std::string_view text, std::string_view below) {
  head_ += fmt::format("<h1>{}</h1>\n<p class=by>{}</p>\n", escape_html(text), escape_html(below));
}

void ReportPage::section(std::string_view id, std::string_view title) {
  body_ += fmt::format("<h2 id=\"{}\">{}</h2>\n", id, escape_html(title));
  contents_ += fmt::format("<a href=\"#{}\">{}</a> ", id, escape_html(title));
}

void ReportPage::paragraph(std::string_view text) {
  body_ += fmt::format("<p>{}</p>\n", escape_html(text));
}

void ReportPage::note(std::string_view text) {
  body_ += fmt::format("<p class=note>{}</p>\n", escape_html(text));
}

void ReportPage::verdict(std::string_view sentence, const std::vector<std::string>& more,
                         std::string_view mood) {
  body_ += fmt::format("<div class=\"verdict {}\"><p>{}</p>\n", mood, escape_html(sentence));
  for (const std::string& each : more) body_ += fmt::format("<p>{}</p>\n", escape_html(each));
  body_ += "</div>\n";
}

void ReportPage::tiles(const std::vector<ReportTile>& tiles) {
  body_ += "<ul class=tiles>\n";
  for (const ReportTile& tile : tiles) {
    body_ +=
        fmt::format("<li><span>{}</span><b>{}</b><span>{}</span></li>\n",
                    escape_html(tile.question), escape_html(tile.answer), escape_html(tile.detail));
  }
  body_ += "</ul>\n";
}

void ReportPage::list(std::string_view title, const std::vector<std::string>& items) {
  if (items.empty()) return;
  body_ += fmt::format("<h3>{}</h3>\n<ul>\n", escape_html(title));
  for (const std::string& item : items) body_ += fmt::format("<li>{}</li>\n", escape_html(item));
  body_ += "</ul>\n";
}

void ReportPage::table(const ReportTable& table, bool is_open) {
  body_ += fmt::format("<details{}><summary>{}</summary>\n{}</details>\n", is_open ? " open" : "",
                       escape_html(table.caption), html_of(table, "told"));
}

void ReportPage::chart(const ReportChart& chart) {
  const bool has_script = !report_script().empty();
  body_ += fmt::format(
      "<figure id=\"{}\"><h3>{}</h3>\n<div class=filters></div><div class=chart></div>\n"
      "<figcaption>{}</figcaption>\n<details{}><summary>The numbers as a table</summary>\n{}"
      "</details></figure>\n",
      chart.id, escape_html(chart.title), escape_html(chart.note), has_script ? "" : " open",
      html_of(chart.table, "by"));
  ReportJson spec = chart.spec;
  spec["description"] = chart.title + ": " + chart.text;  // Vega makes it the drawing's aria-label
  ReportJson filters = ReportJson::array();
  for (const ReportFilter& filter : chart.filters) {
    filters.push_back({{"field", filter.field},
                       {"label", filter.label},
                       {"initial", filter.initial},
                       {"within", filter.within}});
  }
  charts_.push_back({{"id", chart.id},
                     {"spec", spec},
                     {"filters", filters},
                     {"panels", chart.panels},
                     {"data", {{"columns", chart.columns}, {"rows", chart.rows}}}});
}

std::string ReportPage::take() {
  const std::string_view script = report_script();
  std::string page = fmt::format(
      "<!doctype html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n<meta "
      "http-equiv=Content-Security-Policy content=\"default-src 'none'; script-src '{}'; style-src "
      "'unsafe-inline'; img-src data:\">\n<meta name=viewport "
      "content=\"width=device-width\">\n<title>{}</title>\n<link rel=icon "
      "href=\"data:,\">\n<style>{}</style>\n</head>\n<body>\n<a class=skip href=\"#main\">to the "
      "report</a>\n{}<nav aria-label=contents>{}</nav>\n<main id=main>\n",
      script.empty() ? "none" : csp_hash(script), escape_html(title_), report_style(), head_,
      contents_);
  if (script.empty()) {
    page +=
        "<p><b>This program was built without its charts (no node_modules): the page has their "
        "numbers as tables.</b></p>\n";
  }
  page += body_;
  page += "</main>\n";
  if (!script.empty()) {
    page += fmt::format(
        "<details><summary>Licences of what draws the charts</summary><pre>{}</pre></details>\n"
        "<script type=\"application/json\" id=charts>{}</script>\n<script>{}</script>\n",
        escape_html(report_notices()), json_for_script(charts_), script);
  }
  return page + "</body>\n</html>\n";
}

}  // namespace rehearse
