// sim/app/standard_streams.hpp — what a caller closed of standard input, output and error.
#pragma once

namespace rehearse {

/// Where one of them is closed, the next file to be opened would stand in its place, and be written
/// messages into: something else is opened there. Reading from a closed standard input and writing
/// to a closed standard output fail, as they would; messages to a closed standard error are lost,
/// as who closed it wants.
void fill_closed_streams();

}  // namespace rehearse
