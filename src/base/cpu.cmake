# Needs nothing but the standard library, so that the torch plug-in can have it alone.
capella_layer(cpu SOURCES ${CMAKE_CURRENT_LIST_DIR}/cpu_level.cc)
