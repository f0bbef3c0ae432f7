//===- Interfaces.cpp - generated definitions of all op interfaces --------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Interfaces/BoundShapes.h"
#include "glow/Interfaces/Decompose.h"
#include "glow/Interfaces/Evaluate.h"
#include "glow/Interfaces/Kernel.h"
#include "glow/Interfaces/Layout.h"
#include "glow/Interfaces/LowerToInst.h"
#include "glow/Interfaces/ScalarBody.h"

#include "glow/Interfaces/BoundShapes.cpp.inc"
#include "glow/Interfaces/Decompose.cpp.inc"
#include "glow/Interfaces/Evaluate.cpp.inc"
#include "glow/Interfaces/Kernel.cpp.inc"
#include "glow/Interfaces/Layout.cpp.inc"
#include "glow/Interfaces/LowerToInst.cpp.inc"
#include "glow/Interfaces/ScalarBody.cpp.inc"
