# cmake -DPTX=file -DBROKEN=rule -P check_ptx.cmake: refuses PTX with operations that the contract does not allow (C1, C3, C6).
# No kernel writes a fused multiply-add today, so any is a contraction by the compiler.
file(READ ${PTX} _text)
set(_forbidden
  "fma\\.[a-z.]*f(32|64)" "a fused multiply-add"
  "\\.approx" "an approximate operation"
  "\\.ftz" "flush to zero"
  "\t(atom|red)\\.[a-z.]*f(32|64)" "a floating-point atomic"
  "__nv_" "a vendor's function")
if(BROKEN STREQUAL "contraction")
  list(REMOVE_AT _forbidden 0 1)
endif()
while(_forbidden)
  list(POP_FRONT _forbidden _pattern _name)
  string(REGEX MATCH "[^\n]*${_pattern}[^\n]*" _line "${_text}")
  if(_line)
    message(FATAL_ERROR "[cuda] ${PTX} has ${_name}: ${_line}")
  endif()
endwhile()
