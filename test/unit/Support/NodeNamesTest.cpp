//===- NodeNamesTest.cpp - names from every kind of location --------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Support/NodeNames.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>

using namespace mlir;
using glow::nodeNames;

namespace {

class NodeNames : public testing::Test {
protected:
  MLIRContext context;
  Location file = FileLineColLoc::get(&context, "model.mlir", 3, 7);

  Location named(StringRef name) {
    return NameLoc::get(StringAttr::get(&context, name));
  }
};

TEST_F(NodeNames, NamesANode) { EXPECT_EQ(nodeNames(named("conv")), "conv"); }

TEST_F(NodeNames, TakesTheOuterOfTwoNames) {
  Location inner = named("inner");
  EXPECT_EQ(nodeNames(NameLoc::get(StringAttr::get(&context, "outer"), inner)),
            "outer");
}

TEST_F(NodeNames, HasNoneForPlacesInFiles) {
  EXPECT_EQ(nodeNames(file), "");
  EXPECT_EQ(nodeNames(UnknownLoc::get(&context)), "");
}

TEST_F(NodeNames, JoinsThoseOfAFusedOpOnce) {
  Location pair = FusedLoc::get(&context, {named("conv"), file, named("relu")});
  EXPECT_EQ(nodeNames(pair), "conv+relu");
  EXPECT_EQ(nodeNames(FusedLoc::get(&context, {pair, named("conv")})),
            "conv+relu");
}

TEST_F(NodeNames, PrefersTheCalleeToTheCaller) {
  EXPECT_EQ(nodeNames(CallSiteLoc::get(named("inner"), named("call"))),
            "inner");
}

TEST_F(NodeNames, LooksBehindOpaqueLocations) {
  static int marker;
  EXPECT_EQ(nodeNames(OpaqueLoc::get(&marker, named("conv"))), "conv");
}

} // namespace
