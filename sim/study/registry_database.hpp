// sim/study/registry_database.hpp — SQLite behind one small file: statements that are bound,
// stepped and closed by themselves.
//
// A failure of the file (a full disk, a database that is locked) throws OutputError with SQLite's
// words.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace rehearse {

/// One SQL statement. Columns and parameters count from 0.
class SqlStatement {
 public:
  SqlStatement(sqlite3* database, const std::filesystem::path& file, std::string_view sql);

  SqlStatement& bind(int parameter, std::int64_t value);
  SqlStatement& bind(int parameter, std::string_view value);
  /// NaN is stored as NULL.
  SqlStatement& bind_real(int parameter, double value);
  /// A whole number, a number or a text, whichever gives `value` back to the letter.
  SqlStatement& bind_value(int parameter, const std::string& value);

  /// True: there is a row. False: done.
  bool step();
  /// To its end, and ready for the next.
  void run();

  [[nodiscard]] int columns() const;
  [[nodiscard]] std::string name(int column) const;
  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] bool is_number(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] double real(int column) const;
  /// As bind_value() took it; an empty text for NULL.
  [[nodiscard]] std::string text(int column) const;
  /// True for what is one statement, and nothing behind it.
  [[nodiscard]] bool is_alone() const { return is_alone_; }
  /// True for what changes nothing.
  [[nodiscard]] bool only_reads() const;

 private:
  struct Close {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  void check(int code) const;

  sqlite3* database_;
  const std::filesystem::path* file_;
  std::unique_ptr<sqlite3_stmt, Close> statement_;
  bool is_alone_ = true;
};

class SqlDatabase {
 public:
  enum class Open : std::uint8_t { ToRead, ToWrite };
  SqlDatabase(const std::filesystem::path& file, Open how);

  [[nodiscard]] SqlStatement prepare(std::string_view sql) { return {database_.get(), file_, sql}; }
  /// One statement or several, without a result.
  void execute(const std::string& sql);
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

 private:
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
  };
  std::filesystem::path file_;
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace rehearse
