// The device code of the CUDA plugin: the shared kernel texts and nothing else. Compiled to PTX, and from that PTX to
// machine code for every native architecture; no host code comes from this file.
#include "backends/simt/kernels.h"
