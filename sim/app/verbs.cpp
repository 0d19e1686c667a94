// sim/app/verbs.cpp — the one list of verbs. Adding one takes a word and a line.
#include "sim/app/verb.hpp"

namespace rehearse {

std::vector<std::unique_ptr<Verb>> make_verbs(const CLI::App& root) {
  std::vector<std::unique_ptr<Verb>> verbs;
  verbs.push_back(make_check());
  verbs.push_back(make_run());
  verbs.push_back(make_compare());
  verbs.push_back(make_size());
  verbs.push_back(make_sweep());
  verbs.push_back(make_tune());
  verbs.push_back(make_query());
  verbs.push_back(make_calibrate());
  verbs.push_back(make_forecast());
  verbs.push_back(make_explain());
  verbs.push_back(make_show());
  verbs.push_back(make_report());
  verbs.push_back(make_export());
  verbs.push_back(make_info());
  verbs.push_back(make_import());
  verbs.push_back(make_collect());
  verbs.push_back(make_gen());
  verbs.push_back(make_fit());
  verbs.push_back(make_record());
  verbs.push_back(make_completion(root));
  verbs.push_back(make_man(root));
  return verbs;
}

}  // namespace rehearse
