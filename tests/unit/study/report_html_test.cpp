// tests/unit/study/report_html_test.cpp — texts of other people stay texts inside of a page.
#include <gtest/gtest.h>

#include "sim/study/report/html.hpp"
#include "sim/study/report/page.hpp"

namespace rehearse::test {
namespace {

TEST(ReportHtml, EscapesWhatCouldBeATagOrEndAnAttribute) {
  EXPECT_EQ(escape_html("<a href=\"x\" id='y'>&"),
            "&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;");
  EXPECT_EQ(escape_html("\xff"), "\xef\xbf\xbd");
}

TEST(ReportHtml, JsonCannotEndTheScriptItStandsIn) {
  const ReportJson json = {{"</script>", "<!--<script>"}};
  const std::string text = json_for_script(json);
  EXPECT_EQ(text.find('<'), std::string::npos) << text;
  EXPECT_EQ(ReportJson::parse(text), json);
}

TEST(ReportHtml, HashesAScriptAsContentSecurityPolicyDoes) {
  // The example of the specification's documentation.
  EXPECT_EQ(csp_hash("alert('Hello, world.');"),
            "sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=");
}

TEST(ReportHtml, NamesInChartsTablesAndFiltersAreEscaped) {
  const std::string evil = "</script><script>alert(1)</script>";
  ReportPage page(evil);
  page.heading(evil, evil);
  page.verdict(evil, {evil}, "");
  page.tiles({{evil, evil, evil}});
  page.list(evil, {evil});
  ReportChart chart;
  chart.id = "chart";
  chart.title = chart.text = chart.note = evil;
  chart.columns = {"group"};
  chart.rows.push_back({evil});
  chart.filters = {{"group", evil, evil, ""}};
  chart.table = {"table", evil, {{evil, false, "group"}}, {{evil}}};
  page.chart(chart);
  EXPECT_EQ(page.take().find("<script>alert"), std::string::npos);
}

}  // namespace
}  // namespace rehearse::test
