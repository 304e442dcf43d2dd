# What the test program needs besides a compiler, for another processor: GoogleTest from its source, nlohmann-json (headers).
set(SAMEBITS_GTEST_SOURCE /usr/src/googletest CACHE PATH "GoogleTest's source (Debian package googletest)")
if(NOT EXISTS ${SAMEBITS_GTEST_SOURCE}/CMakeLists.txt)
  message(FATAL_ERROR "no GoogleTest source in ${SAMEBITS_GTEST_SOURCE}; install the package googletest or set SAMEBITS_GTEST_SOURCE")
endif()
set(BUILD_GMOCK OFF CACHE BOOL "")
set(INSTALL_GTEST OFF CACHE BOOL "")
enable_language(C)
add_subdirectory(${SAMEBITS_GTEST_SOURCE} ${CMAKE_BINARY_DIR}/googletest EXCLUDE_FROM_ALL)

# A folder with this one library: /usr/include itself holds the headers of the machine that builds.
set(SAMEBITS_JSON_INCLUDE /usr/include CACHE PATH "Where nlohmann/json.hpp lies")
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/include)
file(CREATE_LINK ${SAMEBITS_JSON_INCLUDE}/nlohmann ${CMAKE_BINARY_DIR}/include/nlohmann SYMBOLIC)
include_directories(SYSTEM ${CMAKE_BINARY_DIR}/include)
