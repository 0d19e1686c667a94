// sim/app/version.hpp — which program this is: its release, its commit, and how it was built.
#pragma once

#include <string_view>

namespace rehearse {

/// `rehearse 0.1.0 (1a2b3c4)`: the release and `git describe --always --dirty`.
[[nodiscard]] std::string_view version_text();
/// `0.1.0`
[[nodiscard]] std::string_view release_text();
/// `git describe --always --dirty`; `unknown` for a tree without git.
[[nodiscard]] std::string_view commit_text();
/// `GNU 12.2.0`
[[nodiscard]] std::string_view compiler_text();
/// `RelWithDebInfo`
[[nodiscard]] std::string_view build_type_text();

}  // namespace rehearse
