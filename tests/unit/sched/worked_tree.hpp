// tests/unit/sched/worked_tree.hpp — the three-level tree with ties of priority.md §11.1, §11.2.
#pragma once

#include "tests/unit/sched/site_builder.hpp"

namespace rehearse::test {

/// priority.md §11.1: below root a user root 1, chem 20, math 20, phys 40 (astro 10, hep 30).
inline void add_worked_tree(SiteBuilder& site) {
  site.user("root", "root", 1);
  site.account("phys", "root", 40);
  site.account("math", "root", 20);
  site.account("chem", "root", 20);
  site.account("hep", "phys", 30);
  site.account("astro", "phys", 10);
  site.user("fred", "chem", 5);
  site.user("emil", "chem", 5);
  site.user("gina", "math", 1);
  site.user("hugo", "math", 1);
  site.user("dora", "astro", std::nullopt);
  site.user("carl", "astro", 1);
  site.user("bela", "hep", 10);
  site.user("anna", "hep", 10);
}

/// Its usage.
inline void add_worked_usage(SiteBuilder& site) {
  site.use("chem", "emil", 600);
  site.use("chem", "fred", 200);
  site.use("math", "gina", 300);
  site.use("math", "hugo", 500);
  site.use("astro", "carl", 900);
  site.use("hep", "anna", 750);
  site.use("hep", "bela", 750);
}

}  // namespace rehearse::test
