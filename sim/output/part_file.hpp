// sim/output/part_file.hpp — the name under which a file is written until it is whole.
//
// `out.h5.part`, or where another run is writing there `out.h5.part2` and so on: two runs of one
// output do not meet, and the last one to end is what stays. What a killed run left is taken over.
#pragma once

#include <filesystem>

namespace rehearse {

class PartFile {
 public:
  /// Makes the file, empty, and keeps others off it. A link is followed, and stays. Throws
  /// OutputError, naming `whole`, also where that is a device or a pipe.
  explicit PartFile(std::filesystem::path whole);
  /// Removes it, unless it was put in place.
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  PartFile(PartFile&&) = delete;
  PartFile& operator=(PartFile&&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Gives it its name. Returns 0, or errno.
  [[nodiscard]] int put_in_place();

 private:
  [[nodiscard]] bool take(const std::filesystem::path& path);

  std::filesystem::path whole_, path_;
  int descriptor_ = -1;
};

}  // namespace rehearse
