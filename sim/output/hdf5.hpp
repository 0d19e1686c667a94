// sim/output/hdf5.hpp — the one door to libhdf5: a file that is written whole or not at all, and
// read.
//
// Written for libhdf5 1.10 and its readers: object times off, links and attributes in order of
// creation, chunked columns with shuffle and deflate, variable-length UTF-8 texts, no HDF5 enums.
// Equal calls give equal bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace rehearse::hdf5 {

using AttributeValue =
    std::variant<std::string, std::int64_t, std::uint64_t, double, std::vector<std::int64_t>>;
/// Attributes in the order in which they are written.
using Attributes = std::vector<std::pair<std::string, AttributeValue>>;

/// The values of one column. The element type is the type in the file, little-endian.
using Values = std::variant<std::span<const std::uint8_t>, std::span<const std::uint16_t>,
                            std::span<const std::uint32_t>, std::span<const std::uint64_t>,
                            std::span<const std::int32_t>, std::span<const std::int64_t>,
                            std::span<const double>, std::span<const std::string>>;

/// One field of a compound table. Texts are fixed-length there, padded with zeros.
struct TableColumn {
  std::string name;
  std::variant<std::vector<std::int64_t>, std::vector<double>, std::vector<std::string>> values;
  std::string units = {};
  std::string long_name = {};
};
using Table = std::vector<TableColumn>;

/// Writes to a temporary file in the folder of `path`; commit() makes it `path`. Destroyed without
/// commit, it leaves nothing. Failures throw OutputError naming the file and the system's reason.
class Writer {
 public:
  explicit Writer(const std::filesystem::path& path);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  Writer(Writer&&) = delete;
  Writer& operator=(Writer&&) = delete;

  /// Makes a group; its parents must exist. `/` exists.
  void group(const std::string& path, const Attributes& attributes = {});
  void attributes(const std::string& path, const Attributes& attributes);
  /// A 1-D dataset. `scale`: the path of the dimension scale it hangs on; empty: none;
  /// its own path: it is the scale.
  void column(const std::string& path, const Values& values, const std::string& scale,
              const Attributes& attributes);
  /// Says that the extreme value of an integer column means none: _FillValue, the largest of an
  /// unsigned type, the smallest of a signed one.
  void fill_value(const std::string& path);
  /// A compound dataset with PyTables' attributes. Columns are of equal length.
  void table(const std::string& path, const Table& table, const std::string& title);
  /// Flushes to the disk and renames. Nothing may be written afterwards.
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reads what Writer wrote. Missing objects and wrong types throw InputError.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& path);
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  Reader(Reader&&) = delete;
  Reader& operator=(Reader&&) = delete;

  [[nodiscard]] bool has(const std::string& path) const;
  /// Names of the links of a group, in order of creation.
  [[nodiscard]] std::vector<std::string> links(const std::string& group) const;
  [[nodiscard]] bool has_attribute(const std::string& path, const std::string& name) const;
  [[nodiscard]] std::string text_attribute(const std::string& path, const std::string& name) const;
  [[nodiscard]] std::int64_t int_attribute(const std::string& path, const std::string& name) const;
  [[nodiscard]] std::uint64_t uint_attribute(const std::string& path,
                                             const std::string& name) const;
  [[nodiscard]] std::vector<std::int64_t> ints_attribute(const std::string& path,
                                                         const std::string& name) const;
  /// Attributes whose names begin with `prefix`, without it, in order of creation.
  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> uint_attributes(
      const std::string& path, const std::string& prefix) const;
  /// Fills `values` with the whole column, converted to its element type.
  template <typename T>
  void column(const std::string& path, std::vector<T>& values) const;
  [[nodiscard]] std::vector<std::string> texts(const std::string& path) const;
  [[nodiscard]] Table table(const std::string& path) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// "1.10.8".
[[nodiscard]] std::string library_version();

}  // namespace rehearse::hdf5
