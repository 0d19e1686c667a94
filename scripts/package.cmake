# scripts/package.cmake — what is installed beside the binary, and the Debian package of it (CPack).
include(GNUInstallDirs)
# The package is of what `install` names: tests need not be built for it.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)
# Its links lead to what is installed; of what is not, the words stay.
foreach(page README FIDELITY CHANGELOG)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${page}.md)
  file(READ ${PROJECT_SOURCE_DIR}/${page}.md text)
  string(REGEX REPLACE "\\]\\(configs/" "](../../rehearse/configs/" text "${text}")
  string(REGEX REPLACE "\\]\\(sim/app/schema/" "](../../rehearse/schema/" text "${text}")
  string(REPLACE "](LICENSE)" "](copyright)" text "${text}")
  string(REGEX REPLACE "!?\\[([^]]*)\\]\\((bench|models|results|scripts|sim|tests|workloads|CONTRIBUTING)[^)]*\\)" "\\1" text "${text}")
  file(WRITE ${CMAKE_BINARY_DIR}/doc/${page}.md "${text}")
  install(FILES ${CMAKE_BINARY_DIR}/doc/${page}.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/sim/app/schema DESTINATION ${CMAKE_INSTALL_DATADIR}/rehearse)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/configs/ DESTINATION ${CMAKE_INSTALL_DATADIR}/rehearse/configs)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME rehearse)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The authors of Rehearse <rehearse@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "discrete-event simulator of Slurm GPU clusters")
set(CPACK_PACKAGE_DESCRIPTION
  "Replays a cluster's own jobs (sacct) against tomorrow's slurm.conf: who waits, why, and how sure that is.
Example sites, scenarios and studies are in /usr/share/rehearse/configs.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_SOURCE_DIR}/build/package)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
# Libraries are found by dpkg-shlibdeps; zones of sites are read from the system's own files.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS tzdata)
# `collect` and `record` are scripts; `record` runs Debian's own Slurm.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS python3)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "slurmctld, slurmd, slurmdbd, mariadb-server, munge")
include(CPack)
