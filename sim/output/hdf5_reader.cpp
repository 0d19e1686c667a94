// sim/output/hdf5_reader.cpp — the reading side: columns, texts, attributes and compound tables.
#include <fmt/format.h>

#include <cstring>

#include "sim/core/error.hpp"
#include "sim/output/hdf5.hpp"
#include "sim/output/hdf5_handle.hpp"
#include "sim/output/seal.hpp"

namespace rehearse::hdf5 {

struct Reader::State {
  std::string path;
  Quiet quiet;
  Handle file{-1, H5Fclose};

  void check(bool ok, const std::string& what) const {
    if (!ok) throw InputError({path, 0, 0}, failure_text(what));
  }
  [[nodiscard]] Handle dataset(const std::string& name) const {
    Handle opened(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
    if (opened.get() < 0) {
      throw InputError({path, 0, 0},
                       fmt::format("{} is missing: not a complete result file", name));
    }
    return opened;
  }
  [[nodiscard]] std::size_t size(const Handle& dataset_id) const {
    const Handle space(H5Dget_space(dataset_id.get()), H5Sclose);
    const hssize_t points = H5Sget_simple_extent_npoints(space.get());
    check(points >= 0, "cannot read a size");
    return static_cast<std::size_t>(points);
  }
  /// An attribute of `object`, which it keeps open no longer than needed.
  [[nodiscard]] Handle attribute(const std::string& object, const std::string& name) const {
    Handle opened(
        H5Aopen_by_name(file.get(), object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
        H5Aclose);
    if (opened.get() < 0) {
      throw InputError({path, 0, 0}, fmt::format("attribute {} of {} is missing", name, object));
    }
    return opened;
  }
};

Reader::Reader(const std::filesystem::path& path) : state_(std::make_unique<State>()) {
  state_->path = path.string();
  seal::require_stored(path);
  if (const std::string broken = seal::what_is_broken(path); !broken.empty()) {
    throw InputError({state_->path, 0, 0}, broken,
                     "copy it again from where it was made, or make it again");
  }
  state_->file = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (state_->file.get() >= 0) return;
  std::error_code failed;
  const std::string why = failure_text("cannot open as HDF5");
  const bool is_folder = std::filesystem::is_directory(path, failed);
  throw InputError({state_->path, 0, 0}, why,
                   is_folder ? "a result is a file: rehearse run SITE -o out.h5 makes one"
                             : "results are what rehearse run SITE -o out.h5 writes");
}

Reader::~Reader() = default;

bool Reader::has(const std::string& path) const {
  return H5Lexists(state_->file.get(), path.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::string> Reader::links(const std::string& group) const {
  std::vector<std::string> names;
  const auto keep = [](hid_t /*group*/, const char* name, const H5L_info_t* /*info*/, void* to) {
    static_cast<std::vector<std::string>*>(to)->emplace_back(name);
    return herr_t{0};
  };
  state_->check(H5Literate_by_name(state_->file.get(), group.c_str(), H5_INDEX_CRT_ORDER,
                                   H5_ITER_INC, nullptr, keep, &names, H5P_DEFAULT) >= 0,
                "cannot list " + group);
  return names;
}

bool Reader::has_attribute(const std::string& path, const std::string& name) const {
  return H5Aexists_by_name(state_->file.get(), path.c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

std::string Reader::text_attribute(const std::string& path, const std::string& name) const {
  const Handle attribute = state_->attribute(path, name);
  const Handle type = text_type();
  char* text = nullptr;
  state_->check(H5Aread(attribute.get(), type.get(), &text) >= 0, "cannot read attribute " + name);
  std::string copy = text != nullptr ? text : "";
  H5free_memory(text);
  return copy;
}

std::int64_t Reader::int_attribute(const std::string& path, const std::string& name) const {
  const Handle attribute = state_->attribute(path, name);
  std::int64_t value = 0;
  state_->check(H5Aread(attribute.get(), H5T_NATIVE_INT64, &value) >= 0,
                "cannot read attribute " + name);
  return value;
}

std::uint64_t Reader::uint_attribute(const std::string& path, const std::string& name) const {
  const Handle attribute = state_->attribute(path, name);
  std::uint64_t value = 0;
  state_->check(H5Aread(attribute.get(), H5T_NATIVE_UINT64, &value) >= 0,
                "cannot read attribute " + name);
  return value;
}

std::vector<std::int64_t> Reader::ints_attribute(const std::string& path,
                                                 const std::string& name) const {
  const Handle attribute = state_->attribute(path, name);
  const Handle space(H5Aget_space(attribute.get()), H5Sclose);
  const hssize_t size = H5Sget_simple_extent_npoints(space.get());
  state_->check(size >= 0, "cannot read attribute " + name);
  std::vector<std::int64_t> values(static_cast<std::size_t>(size));
  state_->check(H5Aread(attribute.get(), H5T_NATIVE_INT64, values.data()) >= 0,
                "cannot read attribute " + name);
  return values;
}

std::vector<std::pair<std::string, std::uint64_t>> Reader::uint_attributes(
    const std::string& path, const std::string& prefix) const {
  std::vector<std::string> names;
  const auto keep = [](hid_t /*object*/, const char* name, const H5A_info_t* /*info*/, void* to) {
    static_cast<std::vector<std::string>*>(to)->emplace_back(name);
    return herr_t{0};
  };
  state_->check(H5Aiterate_by_name(state_->file.get(), path.c_str(), H5_INDEX_CRT_ORDER,
                                   H5_ITER_INC, nullptr, keep, &names, H5P_DEFAULT) >= 0,
                "cannot list the attributes of " + path);
  std::vector<std::pair<std::string, std::uint64_t>> found;
  for (const std::string& name : names) {
    if (name.starts_with(prefix)) {
      found.emplace_back(name.substr(prefix.size()), uint_attribute(path, name));
    }
  }
  return found;
}

template <typename T>
void Reader::column(const std::string& path, std::vector<T>& values) const {
  const Handle dataset = state_->dataset(path);
  values.resize(state_->size(dataset));
  state_->check(values.empty() || H5Dread(dataset.get(), native_type<T>(), H5S_ALL, H5S_ALL,
                                          H5P_DEFAULT, values.data()) >= 0,
                "cannot read " + path);
}
template void Reader::column(const std::string&, std::vector<std::uint8_t>&) const;
template void Reader::column(const std::string&, std::vector<std::uint16_t>&) const;
template void Reader::column(const std::string&, std::vector<std::uint32_t>&) const;
template void Reader::column(const std::string&, std::vector<std::uint64_t>&) const;
template void Reader::column(const std::string&, std::vector<std::int32_t>&) const;
template void Reader::column(const std::string&, std::vector<std::int64_t>&) const;
template void Reader::column(const std::string&, std::vector<double>&) const;

std::vector<std::string> Reader::texts(const std::string& path) const {
  const Handle dataset = state_->dataset(path);
  const std::size_t size = state_->size(dataset);
  const Handle type = text_type();
  std::vector<char*> pointers(size, nullptr);
  state_->check(size == 0 || H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                     pointers.data()) >= 0,
                "cannot read " + path);
  std::vector<std::string> texts;
  texts.reserve(size);
  for (char* const pointer : pointers) {
    texts.emplace_back(pointer != nullptr ? pointer : "");
    H5free_memory(pointer);
  }
  return texts;
}

namespace {

/// One field of rows of `stride` bytes.
TableColumn unpack(const std::vector<std::byte>& bytes, std::size_t rows, std::size_t stride,
                   std::size_t offset, const Handle& type) {
  TableColumn column;
  const auto values = [&]<typename V>() {
    std::vector<V> all(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      std::memcpy(&all[row], &bytes[row * stride + offset], sizeof(V));
    }
    return all;
  };
  switch (H5Tget_class(type.get())) {
    case H5T_INTEGER:
      column.values = values.operator()<std::int64_t>();
      break;
    case H5T_FLOAT:
      column.values = values.operator()<double>();
      break;
    default: {
      const std::size_t width = H5Tget_size(type.get());
      std::vector<std::string> texts;
      for (std::size_t row = 0; row < rows; ++row) {
        std::string text(width, '\0');
        std::memcpy(text.data(), &bytes[row * stride + offset], width);
        texts.push_back(text.substr(0, text.find('\0')));
      }
      column.values = std::move(texts);
    }
  }
  return column;
}

}  // namespace

Table Reader::table(const std::string& path) const {
  const Handle dataset = state_->dataset(path);
  const Handle type(H5Dget_type(dataset.get()), H5Tclose);
  if (H5Tget_class(type.get()) != H5T_COMPOUND)
    throw InputError({state_->path, 0, 0}, path + " is not a table");
  const std::size_t rows = state_->size(dataset);
  const std::size_t stride = H5Tget_size(type.get());
  std::vector<std::byte> bytes(rows * stride);
  state_->check(rows == 0 || H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                     bytes.data()) >= 0,
                "cannot read " + path);
  Table table;
  const int fields = H5Tget_nmembers(type.get());
  for (unsigned at = 0; at < static_cast<unsigned>(std::max(0, fields)); ++at) {
    const Handle field(H5Tget_member_type(type.get(), at), H5Tclose);
    TableColumn column = unpack(bytes, rows, stride, H5Tget_member_offset(type.get(), at), field);
    char* const name = H5Tget_member_name(type.get(), at);
    column.name = name;
    H5free_memory(name);
    table.push_back(std::move(column));
  }
  return table;
}

}  // namespace rehearse::hdf5
