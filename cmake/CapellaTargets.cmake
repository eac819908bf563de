# The few functions that declare every target, so that flags and warnings are written once.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

# Scores are the same bits on every machine: no contraction, no fast-math, no -march=native.
add_compile_options(-Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Wno-restrict)  # false alarms on std::string in GCC 12
endif()
add_link_options(LINKER:--as-needed)  # no program loads libraries that it does not use
if(CAPELLA_WERROR)
  add_compile_options(-Werror)
endif()
if(CAPELLA_SANITIZE)
  add_compile_options(-fsanitize=${CAPELLA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${CAPELLA_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-maybe-uninitialized)  # false alarms on std::regex under sanitizers
  endif()
endif()

if(CAPELLA_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)  # libFuzzer sees which branches an input takes, in every layer
endif()

# Several sources in one compilation: half of a compiler's time goes into templates that all of them instantiate again.
# Names in anonymous namespaces must differ within a folder for it.
if(CAPELLA_UNITY)
  set(CMAKE_UNITY_BUILD ON)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 16)
  add_compile_options(-Wno-shadow)  # false alarms across the files of a batch
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-subobject-linkage)
  endif()
endif()

# capella_layer(NAME SOURCES a.cc b.cc ALONE c.cc LINKS capella_base fmt::fmt)
# Declares the layer src/NAME as the static library capella_NAME. Includes are written "NAME/file.h". Sources that set the
# compiler to other processors are compiled ALONE, never in a batch.
function(capella_layer name)
  cmake_parse_arguments(ARG "" "" "SOURCES;ALONE;LINKS" ${ARGN})
  add_library(capella_${name} STATIC ${ARG_SOURCES} ${ARG_ALONE})
  set_source_files_properties(${ARG_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_compile_features(capella_${name} PUBLIC cxx_std_20)
  target_include_directories(capella_${name}
    PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(capella_${name} PUBLIC ${ARG_LINKS})
endfunction()

# What the program, the binding, tests and benchmarks link to see the private headers; users of the library do not.
add_library(capella_internals INTERFACE)
target_include_directories(capella_internals INTERFACE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})

# capella_link_data(FOLDER): programs in this folder of the build find models/ and examples/ in FOLDER/data, as in an installed
# package. The links are relative, so that a clone can be moved.
function(capella_link_data folder)
  file(MAKE_DIRECTORY ${folder}/data)
  file(REAL_PATH ${folder}/data data)
  file(REAL_PATH ${capella_SOURCE_DIR} source)
  foreach(name models examples)
    if(NOT EXISTS ${data}/${name})  # never taken away from programs that run
      file(RELATIVE_PATH target ${data} ${source}/${name})
      file(CREATE_LINK ${target} ${data}/${name} SYMBOLIC)
    endif()
  endforeach()
endfunction()

# capella_install_data(FOLDER OPTION...): what programs read of models/ and examples/ goes into FOLDER, with these options of
# install().
function(capella_install_data folder)
  install(DIRECTORY ${capella_SOURCE_DIR}/models ${capella_SOURCE_DIR}/examples DESTINATION ${folder} ${ARGN}
    REGEX "\\.(py|cc|sh)$|/__pycache__$" EXCLUDE)
endfunction()

# capella_test(NAME SOURCES a_test.cc LINKS capella_text LABEL quick SHARDS 4)
# Declares a GoogleTest program and runs it with CTest in so many parts, which share the cores. LABEL is quick, or full for
# what needs torch.
function(capella_test name)
  cmake_parse_arguments(ARG "" "LABEL;SHARDS" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${ARG_LINKS} capella_internals capella_test_support GTest::gtest_main)
  capella_run_test(${name} NAME ${name} LABEL ${ARG_LABEL} SHARDS ${ARG_SHARDS})
endfunction()

# capella_run_test(PROGRAM NAME base_tests LABEL quick SHARDS 4 [NEEDS avx2] [FILTER Kernels*] [ENVIRONMENT A=b])
# Runs a GoogleTest program with CTest. A processor that lacks the level NEEDS skips it and says so.
function(capella_run_test program)
  cmake_parse_arguments(ARG "" "NAME;LABEL;SHARDS;NEEDS;FILTER" "ENVIRONMENT" ${ARGN})
  if(ARG_FILTER)
    list(APPEND ARG_ENVIRONMENT "GTEST_FILTER=${ARG_FILTER}")
  endif()
  if(ARG_NEEDS)
    set(wrapper $<TARGET_FILE:needs_level> ${ARG_NEEDS})
    add_dependencies(${program} needs_level)
  endif()
  math(EXPR last "${ARG_SHARDS} - 1")
  foreach(shard RANGE ${last})
    set(part ${ARG_NAME}.${shard})
    set(environment ${ARG_ENVIRONMENT} GTEST_TOTAL_SHARDS=${ARG_SHARDS} GTEST_SHARD_INDEX=${shard})
    add_test(NAME ${part} COMMAND ${wrapper} $<TARGET_FILE:${program}> --gtest_brief=1
      --gtest_output=xml:${PROJECT_BINARY_DIR}/results/${part}.xml)
    set_tests_properties(${part} PROPERTIES LABELS "${ARG_LABEL}" SKIP_RETURN_CODE 77
      ENVIRONMENT "${environment}")
  endforeach()
endfunction()

# capella_run_test_at_levels(PROGRAM SHARDS 2 SUITES Kernels* Tensor*)
# Runs these suites of the program once more with the kernels of each level.
function(capella_run_test_at_levels program)
  cmake_parse_arguments(ARG "" "SHARDS" "SUITES" ${ARGN})
  list(JOIN ARG_SUITES ".*:" filter)
  string(REPLACE _tests "" short ${program})
  foreach(level portable avx2 avx512)
    capella_run_test(${program} NAME ${level}.${short} LABEL full SHARDS ${ARG_SHARDS} NEEDS ${level}
      FILTER "${filter}.*" ENVIRONMENT CAPELLA_CPU=${level})
  endforeach()
endfunction()

# capella_fuzz(NAME SOURCE LINKS ...): one libFuzzer target, built with all others by fuzz_targets, and with those that need
# only the layers of base_tests and core_tests by core_fuzz_targets.
function(capella_fuzz name source)
  add_executable(fuzz_${name} ${source})
  target_compile_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  target_link_libraries(fuzz_${name} PRIVATE ${ARGN} capella_internals)
  add_dependencies(fuzz_targets fuzz_${name})
  set(others ${ARGN})
  list(FILTER others EXCLUDE REGEX "^capella_(base|resource|io|text|tensor|encoder)$")
  if(NOT others)
    add_dependencies(core_fuzz_targets fuzz_${name})
  endif()
endfunction()
