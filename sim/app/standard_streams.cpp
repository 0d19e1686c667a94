// sim/app/standard_streams.cpp — descriptors 0 to 2 are never free for files.
#include "sim/app/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace rehearse {

void fill_closed_streams() {
  // The wrong way round: what cannot be read, what cannot be written.
  constexpr std::array<int, 3> kModes{O_WRONLY, O_RDONLY, O_WRONLY};
  for (int stream = 0; stream < 3; ++stream) {
    if (fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
    // The least free descriptor is the stream itself, as those before it are taken.
    if (open("/dev/null", kModes[static_cast<std::size_t>(stream)]) != stream) return;
  }
}

}  // namespace rehearse
