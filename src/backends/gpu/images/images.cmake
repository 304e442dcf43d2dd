# Code objects as bytes of a plugin. samebits_gpu_image(name kind path) once for each, then samebits_gpu_images(variable) writes
# the source file that holds them and appends it and the code that chooses among them to the variable.
set(_images_folder ${CMAKE_CURRENT_LIST_DIR})
set(SB_IMAGE_BYTES "")
set(SB_IMAGE_ROWS "")
set(SB_IMAGE_FILES "")

macro(samebits_gpu_image name kind path)
  string(MAKE_C_IDENTIFIER ${name} _label)
  list(APPEND SB_IMAGE_FILES ${path})
  string(APPEND SB_IMAGE_BYTES "SB_IMAGE_BYTES(${_label}, \"${path}\")\n")
  string(APPEND SB_IMAGE_ROWS "    {\"${name}\", \"${kind}\", samebits_image_${_label}, samebits_image_end_${_label}},\n")
endmacro()

macro(samebits_gpu_images sources)
  configure_file(${_images_folder}/images.cpp.in ${CMAKE_CURRENT_BINARY_DIR}/images.cpp @ONLY)
  set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/images.cpp PROPERTIES OBJECT_DEPENDS "${SB_IMAGE_FILES}")
  list(APPEND ${sources} ${CMAKE_CURRENT_BINARY_DIR}/images.cpp ${_images_folder}/choose.cpp)
endmacro()
