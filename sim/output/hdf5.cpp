// sim/output/hdf5.cpp — the writing side: temporary file, columns, compound tables, rename.
#include "sim/output/hdf5.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <hdf5_hl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "sim/core/check.hpp"
#include "sim/output/hdf5_handle.hpp"
#include "sim/output/output_error.hpp"
#include "sim/output/part_file.hpp"
#include "sim/output/seal.hpp"

namespace rehearse::hdf5 {
namespace {

constexpr hsize_t kChunk{64 * 1024};  ///< elements
constexpr unsigned kDeflate = 1;

herr_t keep_message(unsigned /*depth*/, const H5E_error2_t* error, void* to) {
  auto& text = *static_cast<std::string*>(to);
  if (error->desc != nullptr && *error->desc != '\0') text = error->desc;
  return 0;
}

/// The system's words in libhdf5's description (`…, error message = 'No space left …', …`).
std::string system_words(const std::string& description) {
  const std::string mark = "error message = '";
  const auto begin = description.find(mark);
  if (begin == std::string::npos) return description;
  const auto end = description.find('\'', begin + mark.size());
  return description.substr(begin + mark.size(), end - begin - mark.size());
}

}  // namespace

Quiet::Quiet() {
  // A file whose last write failed cannot be closed; libhdf5 would try for ever at exit.
  H5dont_atexit();
  H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Quiet::~Quiet() {
  H5Eset_auto2(H5E_DEFAULT, print_, data_);
}

std::string failure_text(const std::string& what) {
  std::string description;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_message, &description);
  const std::string why = system_words(description);
  return why.empty() ? what : fmt::format("{}: {}", what, why);
}

Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

std::string library_version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

struct Writer::State {
  explicit State(const std::filesystem::path& whole) : path(whole), part(whole) {}

  std::filesystem::path path;
  PartFile part;
  Quiet quiet;
  Handle file{-1, H5Fclose};

  [[noreturn]] void fail_to(const std::string& what) const {
    throw OutputError(path, failure_text(what));
  }
  void check(bool ok, const std::string& what) const {
    if (!ok) fail_to(what);
  }

  void attribute(hid_t object, const std::string& name, const AttributeValue& value) const {
    std::visit([&](const auto& v) { write_attribute(object, name, v); }, value);
  }
  void write_attribute(hid_t object, const std::string& name, const std::string& value) const {
    // PyTables reads its own marks as fixed-length text only.
    const bool fixed =
        name == "CLASS" || name == "VERSION" || name == "TITLE" || name.starts_with("FIELD_");
    Handle type = fixed ? Handle(H5Tcopy(H5T_C_S1), H5Tclose) : text_type();
    if (fixed) H5Tset_size(type.get(), std::max<std::size_t>(1, value.size()));
    const char* const pointer = value.c_str();
    write_scalar(object, name, type.get(), type.get(),
                 fixed ? static_cast<const void*>(pointer) : static_cast<const void*>(&pointer));
  }
  void write_attribute(hid_t object, const std::string& name, std::int64_t value) const {
    write_scalar(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
  }
  void write_attribute(hid_t object, const std::string& name, std::uint64_t value) const {
    write_scalar(object, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, &value);
  }
  void write_attribute(hid_t object, const std::string& name, double value) const {
    write_scalar(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
  }
  void write_attribute(hid_t object, const std::string& name,
                       const std::vector<std::int64_t>& values) const {
    // flag_values are of the type of their variable (CF 1.8 §3.5).
    const hsize_t size = values.size();
    Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    Handle of(H5Iget_type(object) == H5I_DATASET ? H5Dget_type(object) : H5Tcopy(H5T_STD_I64LE),
              H5Tclose);
    Handle made(H5Acreate2(object, name.c_str(), of.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
                H5Aclose);
    check(made.get() >= 0 && H5Awrite(made.get(), H5T_NATIVE_INT64, values.data()) >= 0,
          "cannot write attribute " + name);
  }
  void write_scalar(hid_t object, const std::string& name, hid_t stored, hid_t given,
                    const void* value) const {
    Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    Handle made(H5Acreate2(object, name.c_str(), stored, space.get(), H5P_DEFAULT, H5P_DEFAULT),
                H5Aclose);
    check(made.get() >= 0 && H5Awrite(made.get(), given, value) >= 0,
          "cannot write attribute " + name);
  }
  /// Creation properties of a dataset of `size` elements.
  [[nodiscard]] Handle creation(hsize_t size, bool compressed) const {
    Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    const hsize_t chunk = std::clamp<hsize_t>(size, 1, kChunk);
    H5Pset_chunk(properties.get(), 1, &chunk);
    H5Pset_obj_track_times(properties.get(), 0);
    H5Pset_attr_creation_order(properties.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    if (compressed) {
      H5Pset_shuffle(properties.get());
      H5Pset_deflate(properties.get(), kDeflate);
    }
    return properties;
  }
  [[nodiscard]] Handle dataset(const std::string& name, hid_t type, hsize_t size,
                               bool compressed) const {
    Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const Handle properties = creation(size, compressed);
    Handle made(H5Dcreate2(file.get(), name.c_str(), type, space.get(), H5P_DEFAULT,
                           properties.get(), H5P_DEFAULT),
                H5Dclose);
    check(made.get() >= 0, "cannot create " + name);
    return made;
  }
  template <typename T>
  [[nodiscard]] Handle write(const std::string& name, std::span<const T> values) const {
    Handle made = dataset(name, file_type<T>(), values.size(), true);
    check(values.empty() || H5Dwrite(made.get(), native_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                     values.data()) >= 0,
          "cannot write " + name);
    return made;
  }
  [[nodiscard]] Handle write(const std::string& name, std::span<const std::string> values) const {
    const Handle type = text_type();
    Handle made = dataset(name, type.get(), values.size(), true);
    std::vector<const char*> pointers;
    pointers.reserve(values.size());
    for (const std::string& value : values) pointers.push_back(value.c_str());
    check(values.empty() ||
              H5Dwrite(made.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) >= 0,
          "cannot write " + name);
    return made;
  }
};

Writer::Writer(const std::filesystem::path& path) : state_(std::make_unique<State>(path)) {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_V110);
  H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG);
  Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_link_creation_order(creation.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_attr_creation_order(creation.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_obj_track_times(creation.get(), 0);
  state_->file =
      Handle(H5Fcreate(state_->part.path().c_str(), H5F_ACC_TRUNC, creation.get(), access.get()),
             H5Fclose);
  state_->check(state_->file.get() >= 0, "cannot create the result file");
}

Writer::~Writer() = default;

void Writer::group(const std::string& path, const Attributes& attributes) {
  Handle creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  H5Pset_link_creation_order(creation.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_attr_creation_order(creation.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_obj_track_times(creation.get(), 0);
  const Handle made(
      H5Gcreate2(state_->file.get(), path.c_str(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
      H5Gclose);
  state_->check(made.get() >= 0, "cannot create group " + path);
  for (const auto& [name, value] : attributes) state_->attribute(made.get(), name, value);
}

void Writer::attributes(const std::string& path, const Attributes& attributes) {
  const Handle object(H5Oopen(state_->file.get(), path.c_str(), H5P_DEFAULT), H5Oclose);
  state_->check(object.get() >= 0, "cannot open " + path);
  for (const auto& [name, value] : attributes) state_->attribute(object.get(), name, value);
}

void Writer::column(const std::string& path, const Values& values, const std::string& scale,
                    const Attributes& attributes) {
  const Handle made = std::visit([&](auto span) { return state_->write(path, span); }, values);
  for (const auto& [name, value] : attributes) state_->attribute(made.get(), name, value);
  if (scale.empty()) return;
  if (scale == path) {
    const std::string dimension = path.substr(path.rfind('/') + 1);
    state_->check(H5DSset_scale(made.get(), dimension.c_str()) >= 0, "cannot scale " + path);
    return;
  }
  const Handle of(H5Dopen2(state_->file.get(), scale.c_str(), H5P_DEFAULT), H5Dclose);
  state_->check(of.get() >= 0 && H5DSattach_scale(made.get(), of.get(), 0) >= 0,
                "cannot attach " + path + " to " + scale);
}

void Writer::fill_value(const std::string& path) {
  const Handle object(H5Dopen2(state_->file.get(), path.c_str(), H5P_DEFAULT), H5Dclose);
  state_->check(object.get() >= 0, "cannot open " + path);
  const Handle type(H5Dget_type(object.get()), H5Tclose);
  const bool is_signed = H5Tget_sign(type.get()) == H5T_SGN_2;
  const std::uint64_t largest = UINT64_MAX >> (64 - 8 * H5Tget_size(type.get()));
  const std::int64_t smallest = INT64_MIN >> (64 - 8 * H5Tget_size(type.get()));
  state_->write_scalar(
      object.get(), "_FillValue", type.get(), is_signed ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64,
      is_signed ? static_cast<const void*>(&smallest) : static_cast<const void*>(&largest));
}

void Writer::commit() {
  state_->check(H5Fflush(state_->file.get(), H5F_SCOPE_GLOBAL) >= 0, "cannot write");
  state_->check(state_->file.reset() >= 0, "cannot close");
  if (const std::string why = seal::put_on(state_->part.path()); !why.empty()) {
    throw OutputError(state_->path, "cannot write: " + why);
  }
  const auto give_up = [&](const std::string& what) {
    const int error = errno;
    throw OutputError(state_->path, fmt::format("{}: {}", what, std::strerror(error)));
  };
  const int descriptor = ::open(state_->part.path().c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) give_up("cannot reopen the result file");
  const int synced = ::fsync(descriptor);
  ::close(descriptor);
  if (synced != 0) give_up("cannot flush to the disk");
  if (const int error = state_->part.put_in_place(); error != 0) {
    errno = error;
    give_up("cannot rename");
  }
}

namespace {

/// Bytes of one field.
std::size_t width_of(const TableColumn& column) {
  const auto* texts = std::get_if<std::vector<std::string>>(&column.values);
  if (texts == nullptr) return 8;
  std::size_t width = 1;
  for (const std::string& text : *texts) width = std::max(width, text.size());
  return width;
}

std::size_t rows_of(const Table& table) {
  if (table.empty()) return 0;
  return std::visit([](const auto& values) { return values.size(); }, table.front().values);
}

Handle field_type(const TableColumn& column) {
  if (std::holds_alternative<std::vector<std::int64_t>>(column.values)) {
    return {H5Tcopy(H5T_STD_I64LE), H5Tclose};
  }
  if (std::holds_alternative<std::vector<double>>(column.values)) {
    return {H5Tcopy(H5T_IEEE_F64LE), H5Tclose};
  }
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), width_of(column));
  H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
  return type;
}

/// Copies row `row` of `column` to `to`, which is zeroed.
void pack(const TableColumn& column, std::size_t row, std::byte* to) {
  std::visit(
      [&](const auto& values) {
        const auto& value = values[row];
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>) {
          std::memcpy(to, value.data(), value.size());
        } else {
          std::memcpy(to, &value, sizeof value);
        }
      },
      column.values);
}

}  // namespace

void Writer::table(const std::string& path, const Table& table, const std::string& title) {
  std::size_t row_bytes = 0;
  for (const TableColumn& column : table) row_bytes += width_of(column);
  const Handle type(H5Tcreate(H5T_COMPOUND, row_bytes), H5Tclose);
  const std::size_t rows = rows_of(table);
  std::vector<std::byte> bytes(rows * row_bytes);
  std::size_t offset = 0;
  for (const TableColumn& column : table) {
    H5Tinsert(type.get(), column.name.c_str(), offset, field_type(column).get());
    for (std::size_t row = 0; row < rows; ++row)
      pack(column, row, &bytes[row * row_bytes + offset]);
    offset += width_of(column);
  }
  const Handle made = state_->dataset(path, type.get(), rows, true);
  state_->check(rows == 0 || H5Dwrite(made.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                      bytes.data()) >= 0,
                "cannot write " + path);
  state_->attribute(made.get(), "CLASS", std::string("TABLE"));
  state_->attribute(made.get(), "VERSION", std::string("2.7"));
  state_->attribute(made.get(), "TITLE", title);
  state_->attribute(made.get(), "NROWS", static_cast<std::int64_t>(rows));
  std::size_t at = 0;
  for (const TableColumn& column : table) {
    state_->attribute(made.get(), fmt::format("FIELD_{}_NAME", at++), column.name);
    if (!column.units.empty()) state_->attribute(made.get(), column.name + "_units", column.units);
    if (!column.long_name.empty()) {
      state_->attribute(made.get(), column.name + "_long_name", column.long_name);
    }
  }
}

}  // namespace rehearse::hdf5
