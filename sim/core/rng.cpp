// sim/core/rng.cpp — xoshiro256** and its seeding.
#include "sim/core/rng.hpp"

#include <bit>

#include "sim/core/check.hpp"
#include "sim/core/fingerprint.hpp"
#include "sim/core/mix.hpp"

namespace rehearse {
namespace {

std::uint64_t splitmix(std::uint64_t& state) {
  return mixed(state += 0x9e3779b97f4a7c15ULL);
}

}  // namespace

Rng::Rng(std::uint64_t seed, std::string_view purpose, std::uint64_t index) {
  Fingerprint key;
  key.add(seed);
  key.add(purpose);
  key.add(index);
  std::uint64_t mix = key.value();
  for (std::uint64_t& word : state_) word = splitmix(mix);
}

std::uint64_t Rng::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t t = state_[1] << 17U;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::int64_t Rng::between(std::int64_t low, std::int64_t high) {
  REHEARSE_CHECK(low <= high, "between({}, {})", low, high);
  const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  if (span == 0) return static_cast<std::int64_t>(next());
  // Rejection keeps every value equally likely.
  const std::uint64_t limit = span * (UINT64_MAX / span);
  std::uint64_t draw = next();
  while (draw >= limit) draw = next();
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + draw % span);
}

double Rng::uniform() {
  return static_cast<double>(next() >> 11U) * 0x1.0p-53;
}

}  // namespace rehearse
