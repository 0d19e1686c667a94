// workloads/torn_line.hpp — a line of sacct with more fields than columns: whose they are.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "workloads/sacct_columns.hpp"

namespace rehearse {

enum class Torn : std::uint8_t { Mended, Ambiguous, Hopeless };

/// Has each value the form of its column?
[[nodiscard]] bool are_in_place(const std::vector<std::string_view>& fields,
                                const std::vector<Form>& forms);

/// Gives surplus fields, which lie in one line one after the other, back to the free texts and
/// features that they were torn from, so that each value has the form of its column. Ambiguous:
/// there are several ways, and they differ in a value that is used, other than the name of the job;
/// features with a delimiter that stand in the submit line too are those.
[[nodiscard]] Torn mend_torn(std::vector<std::string_view>& fields, const std::vector<Form>& forms,
                             const std::vector<Column>& columns);

}  // namespace rehearse
