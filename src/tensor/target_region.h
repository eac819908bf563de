// Functions between CAPELLA_TARGET("avx2") and CAPELLA_TARGET_END are compiled for these instructions, and
// nothing else is: what headers define stays plain, so no such instruction reaches a machine without it.
// Include headers before the region.
#pragma once

#define CAPELLA_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define CAPELLA_TARGET(features) \
  CAPELLA_PRAGMA(clang attribute push(__attribute__((target(features))), apply_to = function))
#define CAPELLA_TARGET_END CAPELLA_PRAGMA(clang attribute pop)
#else
#define CAPELLA_TARGET(features)   \
  CAPELLA_PRAGMA(GCC push_options) \
  CAPELLA_PRAGMA(GCC target(features))
#define CAPELLA_TARGET_END CAPELLA_PRAGMA(GCC pop_options)
#endif
