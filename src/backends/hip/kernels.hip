// The device code of the HIP plugin: the shared kernel texts and nothing else. Compiled for the device only, once per
// architecture; no host code comes from this file.
#include "backends/simt/kernels.h"
