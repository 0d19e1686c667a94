# scripts/bundle.cmake — writes OUTPUT, C++ that holds the texts of FILES (names relative to SOURCE).
# FUNCTION and HEADER name what it defines and where that is declared; BundledText is of the header.
set(entries "")
string(REPLACE "," ";" FILES "${FILES}")
foreach(name IN LISTS FILES)
  file(READ ${SOURCE}/${name} text)
  string(APPEND entries "    {\"${name}\", R\"bundled(${text})bundled\"},\n")
endforeach()
list(LENGTH FILES count)
file(WRITE ${OUTPUT} "// Written by scripts/bundle.cmake at build time.
#include \"${HEADER}\"
namespace rehearse {
namespace {
constexpr BundledText kTexts[${count}] = {
${entries}};
}  // namespace
std::span<const BundledText> ${FUNCTION}() { return kTexts; }
}  // namespace rehearse
")
