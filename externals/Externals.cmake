# Where everything that is not ours is found. README.md says why each is here.

# --- MLIR and LLVM ------------------------------------------------------------
find_package(MLIR 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22)
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
separate_arguments(llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")

# Everything that uses MLIR links this target; nothing else names LLVM.
add_library(glow_llvm INTERFACE)
target_include_directories(glow_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_compile_options(glow_llvm INTERFACE ${llvm_definitions} -fno-exceptions
                       -fvisibility-inlines-hidden)
target_link_libraries(glow_llvm INTERFACE MLIR LLVM)

# --- Protobuf, and ONNX's schema ----------------------------------------------
find_package(Protobuf REQUIRED)
find_file(ONNX_PROTO onnx.proto PATHS /usr/include/onnx REQUIRED)

# --- JSON ----------------------------------------------------------------------
find_package(nlohmann_json 3 REQUIRED)
find_package(Threads REQUIRED)

# --- xxHash --------------------------------------------------------------------
# Used as a header only: nothing to link.
find_file(XXHASH_HEADER xxhash.h REQUIRED)

# --- RE2 and Leptonica ----------------------------------------------------------
# For functions that models call. Without one of them its functions are errors
# that say so.
add_library(glow_host_libraries INTERFACE)
find_path(RE2_INCLUDE_DIR re2/re2.h)
find_library(RE2_LIBRARY re2)
if(RE2_INCLUDE_DIR AND RE2_LIBRARY)
  target_include_directories(glow_host_libraries SYSTEM INTERFACE
                             ${RE2_INCLUDE_DIR})
  target_link_libraries(glow_host_libraries INTERFACE ${RE2_LIBRARY})
  target_compile_definitions(glow_host_libraries INTERFACE GLOW_HAS_RE2)
endif()
find_path(LEPTONICA_INCLUDE_DIR leptonica/allheaders.h)
find_library(LEPTONICA_LIBRARY NAMES lept leptonica)
if(LEPTONICA_INCLUDE_DIR AND LEPTONICA_LIBRARY)
  target_include_directories(glow_host_libraries SYSTEM INTERFACE
                             ${LEPTONICA_INCLUDE_DIR})
  target_link_libraries(glow_host_libraries INTERFACE ${LEPTONICA_LIBRARY})
  target_compile_definitions(glow_host_libraries INTERFACE GLOW_HAS_LEPTONICA)
endif()

# --- PNG -----------------------------------------------------------------------
find_package(PNG REQUIRED)
