// sim/cluster/job_table.hpp — Slurm's job list: the records of jobs from submission until slurmctld
// forgets them.
//
// A run of ten million jobs has a few thousand records at a time: what is purged gives its memory
// back. A record has its index for ever and never moves, so that others may point to it while it is
// there.
#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <vector>

#include "sim/cluster/ids.hpp"
#include "sim/cluster/job.hpp"

namespace rehearse {

class JobTable {
  using Slots = std::vector<std::unique_ptr<Job>>;

  /// Over the records that are there, in order of creation.
  template <typename Record>
  class Walk {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Record;
    using difference_type = std::ptrdiff_t;
    using pointer = Record*;
    using reference = Record&;

    Walk(const Slots& slots, std::size_t at) : slots_(&slots), at_(at) { skip_gaps(); }
    [[nodiscard]] Record& operator*() const { return *(*slots_)[at_]; }
    Walk& operator++() {
      ++at_;
      skip_gaps();
      return *this;
    }
    [[nodiscard]] bool operator==(const Walk& other) const { return at_ == other.at_; }

   private:
    void skip_gaps() {
      while (at_ < slots_->size() && (*slots_)[at_] == nullptr) ++at_;
    }

    const Slots* slots_;
    std::size_t at_;
  };

 public:
  JobTable();

  Job& add();
  /// The record goes: nobody points to it any more. Its index leads to a finished job without a
  /// name from now on.
  void purge(JobIndex index);

  [[nodiscard]] Job& operator[](JobIndex index) {
    Job* job = slots_[index_of(index)].get();
    return job != nullptr ? *job : purged_;
  }
  [[nodiscard]] const Job& operator[](JobIndex index) const {
    const Job* job = slots_[index_of(index)].get();
    return job != nullptr ? *job : purged_;
  }
  /// Of all records that ever were: indices are below it.
  [[nodiscard]] std::size_t size() const { return slots_.size(); }
  /// Of those that are there.
  [[nodiscard]] std::size_t kept() const { return kept_; }

  [[nodiscard]] Walk<Job> begin() { return {slots_, first_}; }
  [[nodiscard]] Walk<Job> end() { return {slots_, slots_.size()}; }
  [[nodiscard]] Walk<const Job> begin() const { return {slots_, first_}; }
  [[nodiscard]] Walk<const Job> end() const { return {slots_, slots_.size()}; }

 private:
  Slots slots_;            ///< by index; null: purged
  std::size_t first_ = 0;  ///< all before it are purged
  std::size_t kept_ = 0;
  Job purged_;  ///< what is read of those
};

}  // namespace rehearse
