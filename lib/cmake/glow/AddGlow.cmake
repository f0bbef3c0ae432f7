# The CMake vocabulary of the project. Every library, tool and generated file is
# declared with one of these, with its sources listed.
include(TableGen)
include(AddLLVM)
include(AddMLIR)

if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Must come before the precompiled header's target, or ccache never hits.
  add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
endif()
add_compile_options(-Wall -Wextra -Wno-unused-parameter)
if(GLOW_SANITIZE)
  add_compile_options(-fsanitize=${GLOW_SANITIZE} -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${GLOW_SANITIZE})
  if(GLOW_BUILD_FUZZERS) # the sanitizer's run time has the callbacks
    add_compile_options(-fsanitize=fuzzer-no-link)
  endif()
endif()

include_directories(SYSTEM ${LLVM_INCLUDE_DIRS})
include_directories(${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib;${LLVM_LIBRARY_DIR}")
set(CMAKE_BUILD_RPATH "${LLVM_LIBRARY_DIR}")

# Every generated header is one target, so that libraries need not list them.
add_custom_target(glow-headers)

# add_glow_tablegen(NAME FILE.td OUT FLAG [OUT FLAG ...]): mlir-tblgen runs.
function(add_glow_tablegen name file)
  set(LLVM_TARGET_DEFINITIONS ${file})
  set(outputs ${ARGN})
  while(outputs)
    list(POP_FRONT outputs out flags)
    separate_arguments(flags)
    mlir_tablegen(${out} ${flags})
  endwhile()
  add_public_tablegen_target(${name}IncGen)
  add_dependencies(glow-headers ${name}IncGen)
endfunction()

# add_glow_dialect(PREFIX NAME): PREFIXDialect.td as .h.inc and .cpp.inc files of
# PREFIXDialect, PREFIXTypes, PREFIXAttrs and PREFIXEnums.
function(add_glow_dialect prefix name)
  add_glow_tablegen(${prefix}Dialect ${prefix}Dialect.td
    ${prefix}Dialect.h.inc "-gen-dialect-decls -dialect=${name}"
    ${prefix}Dialect.cpp.inc "-gen-dialect-defs -dialect=${name}"
    ${prefix}Types.h.inc "-gen-typedef-decls -typedefs-dialect=${name}"
    ${prefix}Types.cpp.inc "-gen-typedef-defs -typedefs-dialect=${name}"
    ${prefix}Attrs.h.inc "-gen-attrdef-decls -attrdefs-dialect=${name}"
    ${prefix}Attrs.cpp.inc "-gen-attrdef-defs -attrdefs-dialect=${name}"
    ${prefix}Enums.h.inc -gen-enum-decls
    ${prefix}Enums.cpp.inc -gen-enum-defs)
endfunction()

# One precompiled header for everything that includes MLIR; the project's own
# libraries reuse it.
function(add_glow_pch)
  file(WRITE ${PROJECT_BINARY_DIR}/pch.cpp "")
  add_library(glow_pch OBJECT ${PROJECT_BINARY_DIR}/pch.cpp)
  target_link_libraries(glow_pch PRIVATE glow_llvm)
  target_precompile_headers(glow_pch PRIVATE
    <mlir/Conversion/LLVMCommon/TypeConverter.h>
    <mlir/Dialect/Arith/IR/Arith.h> <mlir/Dialect/Func/IR/FuncOps.h>
    <mlir/Dialect/LLVMIR/LLVMDialect.h> <mlir/Dialect/Math/IR/Math.h>
    <mlir/Dialect/MemRef/IR/MemRef.h> <mlir/Dialect/SCF/IR/SCF.h>
    <mlir/Dialect/Vector/IR/VectorOps.h> <mlir/IR/PatternMatch.h>
    <mlir/Interfaces/InferTypeOpInterface.h> <mlir/Pass/Pass.h>
    <mlir/Pass/PassManager.h> <mlir/Transforms/DialectConversion.h>)
endfunction()

# add_glow_library(NAME SOURCES... [DEPENDS targets] [LINK_LIBS targets]
#                  [NO_MLIR]): an object library that goes into libGlow.so.
# NO_MLIR keeps MLIR's headers and flags away.
function(add_glow_library name)
  cmake_parse_arguments(ARG "NO_MLIR;NOT_IN_GLOW" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} OBJECT ${ARG_UNPARSED_ARGUMENTS})
  if(NOT ARG_NO_MLIR)
    target_link_libraries(${name} PRIVATE glow_llvm)
    target_precompile_headers(${name} REUSE_FROM glow_pch)
    add_dependencies(${name} glow-headers)
  endif()
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  if(NOT ARG_NOT_IN_GLOW)
    set_property(GLOBAL APPEND PROPERTY GLOW_LIBS ${name})
    set_property(GLOBAL APPEND PROPERTY GLOW_LINK_LIBS ${ARG_LINK_LIBS})
  endif()
endfunction()

# What every program needs beside its own sources.
function(glow_prepare_executable name)
  if(GLOW_SANITIZE MATCHES "address")
    target_sources(${name} PRIVATE
      ${PROJECT_SOURCE_DIR}/lib/Support/SanitizerOptions.cpp)
  endif()
endfunction()

# add_glow_tool(NAME SOURCES... [LINK_LIBS targets]): an executable over
# libGlow.so.
function(add_glow_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  glow_prepare_executable(${name})
  target_link_libraries(${name} PRIVATE Glow glow_llvm ${ARG_LINK_LIBS})
  add_dependencies(${name} glow-headers)
  install(TARGETS ${name} RUNTIME DESTINATION bin)
endfunction()

# add_glow_plugin(NAME SOURCES... [LINK_LIBS targets]): a shared object for
# --load-dialect-plugin.
function(add_glow_plugin name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_library(${name} MODULE ${ARG_UNPARSED_ARGUMENTS})
  target_compile_features(${name} PRIVATE cxx_std_17)
  target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
  target_link_libraries(${name} PRIVATE Glow glow_llvm ${ARG_LINK_LIBS})
  add_dependencies(${name} glow-headers)
  set_target_properties(${name} PROPERTIES PREFIX "")
  install(TARGETS ${name} LIBRARY DESTINATION lib)
endfunction()

# add_glow_device(NAME SOURCES...): a runtime driver, for GLOW_DEVICE_PLUGINS.
function(add_glow_device name)
  add_library(${name} MODULE ${ARGN})
  target_compile_features(${name} PRIVATE cxx_std_17)
  target_link_libraries(${name} PRIVATE GlowRuntime)
  set_target_properties(${name} PROPERTIES PREFIX "")
  install(TARGETS ${name} LIBRARY DESTINATION lib)
endfunction()

# add_glow_fuzzer(NAME SOURCES... LINK_LIBS targets): a libFuzzer program, where
# GLOW_BUILD_FUZZERS asks for them.
function(add_glow_fuzzer name)
  if(NOT GLOW_BUILD_FUZZERS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  glow_prepare_executable(${name})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
endfunction()

# add_glow_unittest(NAME SOURCES... [LINK_LIBS targets]): a GoogleTest program
# that check-glow runs.
function(add_glow_unittest name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  glow_prepare_executable(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} GTest::gtest_main)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  add_custom_target(check-${name} COMMAND ${name} --gtest_brief=1 USES_TERMINAL)
  add_dependencies(check-glow check-${name})
  add_test(NAME ${name} COMMAND ${name})
endfunction()
