# Version, commit and cleanliness of the tree, compiled into the core and into every plugin (they must agree).
execute_process(COMMAND git -C ${CMAKE_SOURCE_DIR} rev-parse HEAD OUTPUT_VARIABLE SAMEBITS_COMMIT
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE _git)
set(SAMEBITS_DIRTY 0)
if(_git EQUAL 0)
  execute_process(COMMAND git -C ${CMAKE_SOURCE_DIR} status --porcelain --untracked-files=no OUTPUT_VARIABLE _changes
    ERROR_QUIET)
  if(_changes)
    set(SAMEBITS_DIRTY 1)
  endif()
else()
  set(SAMEBITS_COMMIT unknown)
endif()
configure_file(${CMAKE_SOURCE_DIR}/cmake/build_info.h.in ${CMAKE_BINARY_DIR}/generated/samebits_build_info.h @ONLY)
