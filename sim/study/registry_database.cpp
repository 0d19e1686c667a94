// sim/study/registry_database.cpp — SQLite behind one small file.
#include "sim/study/registry_database.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "sim/config/text_scan.hpp"
#include "sim/output/output_error.hpp"

namespace rehearse {
namespace {

constexpr int kWaitForLock = 10000;  // [ms]

}  // namespace

SqlStatement::SqlStatement(sqlite3* database, const std::filesystem::path& file,
                           std::string_view sql)
    : database_(database), file_(&file) {
  sqlite3_stmt* made = nullptr;
  const char* rest = nullptr;
  check(sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &made, &rest));
  statement_.reset(made);
  const auto read = static_cast<std::size_t>(rest - sql.data());
  is_alone_ = sql.substr(read).find_first_not_of("; \t\r\n") == std::string_view::npos;
}

void SqlStatement::check(int code) const {
  if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
  throw OutputError(*file_, sqlite3_errmsg(database_));
}

SqlStatement& SqlStatement::bind(int parameter, std::int64_t value) {
  check(sqlite3_bind_int64(statement_.get(), parameter + 1, value));
  return *this;
}

SqlStatement& SqlStatement::bind(int parameter, std::string_view value) {
  check(sqlite3_bind_text(statement_.get(), parameter + 1, value.data(),
                          static_cast<int>(value.size()), SQLITE_TRANSIENT));
  return *this;
}

SqlStatement& SqlStatement::bind_real(int parameter, double value) {
  check(std::isnan(value) ? sqlite3_bind_null(statement_.get(), parameter + 1)
                          : sqlite3_bind_double(statement_.get(), parameter + 1, value));
  return *this;
}

SqlStatement& SqlStatement::bind_value(int parameter, const std::string& value) {
  constexpr std::size_t kSafeDigits = 18;
  const auto whole = text::parse_decimal(value);
  if (whole && value.size() <= kSafeDigits && fmt::format("{}", *whole) == value) {
    return bind(parameter, static_cast<std::int64_t>(*whole));
  }
  const auto real = text::parse_real(value);
  if (real && !whole && fmt::format("{}", *real) == value) return bind_real(parameter, *real);
  return bind(parameter, std::string_view(value));
}

bool SqlStatement::step() {
  const int code = sqlite3_step(statement_.get());
  check(code);
  return code == SQLITE_ROW;
}

void SqlStatement::run() {
  while (step()) {
  }
  check(sqlite3_reset(statement_.get()));
}

int SqlStatement::columns() const {
  return sqlite3_column_count(statement_.get());
}

std::string SqlStatement::name(int column) const {
  return sqlite3_column_name(statement_.get(), column);
}

bool SqlStatement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

bool SqlStatement::is_number(int column) const {
  const int type = sqlite3_column_type(statement_.get(), column);
  return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

std::int64_t SqlStatement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

double SqlStatement::real(int column) const {
  return sqlite3_column_double(statement_.get(), column);
}

std::string SqlStatement::text(int column) const {
  if (sqlite3_column_type(statement_.get(), column) == SQLITE_FLOAT) {
    return fmt::format("{}", real(column));
  }
  const unsigned char* const bytes = sqlite3_column_text(statement_.get(), column);
  if (bytes == nullptr) return {};
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return {bytes, bytes + size};
}

bool SqlStatement::only_reads() const {
  return statement_ == nullptr || sqlite3_stmt_readonly(statement_.get()) != 0;
}

SqlDatabase::SqlDatabase(const std::filesystem::path& file, Open how) : file_(file) {
  sqlite3* made = nullptr;
  const int flags =
      how == Open::ToRead ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  const int code = sqlite3_open_v2(file.c_str(), &made, flags | SQLITE_OPEN_FULLMUTEX, nullptr);
  database_.reset(made);
  if (code != SQLITE_OK) {
    throw OutputError(file, made != nullptr ? sqlite3_errmsg(made) : "no memory");
  }
  sqlite3_busy_timeout(made, kWaitForLock);
}

void SqlDatabase::execute(const std::string& sql) {
  if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    throw OutputError(file_, sqlite3_errmsg(database_.get()));
  }
}

}  // namespace rehearse
