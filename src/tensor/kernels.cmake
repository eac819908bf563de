# The inner loops need nothing but the standard library, so that the torch plug-in can have them alone.
set(kernel_sources kernels.cc kernels_amx.cc kernels_avx2.cc kernels_avx512.cc kernels_portable.cc)
list(TRANSFORM kernel_sources PREPEND ${CMAKE_CURRENT_LIST_DIR}/)
capella_layer(kernels ALONE ${kernel_sources} LINKS capella_cpu)
