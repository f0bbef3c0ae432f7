//===- Passes.td - passes on the instruction dialect -------*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_INST_TRANSFORMS_PASSES_TD
#define GLOW_DIALECT_INST_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

class Inst_Pass<string flag> : Pass<flag, "::mlir::func::FuncOp"> {
  let dependentDialects = ["::mlir::glow::inst::InstDialect"];
}

def InlineLoops : Pass<"glow-inst-inline-loops", "::mlir::ModuleOp"> {
  let summary = "Put the bodies of loops where they run";
  let description = [{
    The body of a `glow_inst.loop` comes between an `enter_loop` and a `repeat`,
    and its function goes. Nothing may reorder instructions afterwards; memory can
    be planned as if they ran once.
  }];
  let dependentDialects = ["::mlir::glow::inst::InstDialect"];
}

def PadConvs : Inst_Pass<"glow-inst-pad-convs"> {
  let summary = "Give convolutions a padded input";
  let description = [{
    A convolution with pads reads a buffer whose border is filled with zeros and
    whose interior is a copy of the input, so that kernels need not test for
    edges. Copy elimination then lets the producer write into the interior. That
    of a Winograd convolution holds whole tiles. A tensor that several
    convolutions read, each all channels or some and together all of them, is
    padded once.
  }];
  let options = [
    Option<"target", "target", "::mlir::glow::KernelTarget", "",
           "The machine, as vector-bits=256,l2=1M">
  ];
}

def SpreadRows : Inst_Pass<"glow-inst-spread-rows"> {
  let summary = "Rows in different sets of the cache that begin with a line";
  let description = [{
    Products read the rows of their left-hand side side by side. Rows a multiple
    of 4096 bytes apart lie in one set of the first-level cache, which holds 8
    or 12 lines, so each line is fetched anew for each of its elements. Tile
    registers load a line of each of 32 rows; for these, rows of 512 bytes are
    too many. Such a left-hand side gets a buffer whose rows are longer by a
    line, also where several axes are a row, as the heads of attention. What
    else uses the buffer must have views of it that strides describe. Inputs of
    the model stay where they are: products with 256 columns or more read a
    copy.

    Of a right-hand side that is computed, as in attention, a tile reads a few
    lines of every row, so 512 bytes are too many there. Its rows, those of the
    product and of its left-hand side, from which softmax comes, also begin with
    a line: a vector that crosses one takes two accesses. Maps that compute such
    a buffer from another, or the other from it, get both alike, so that they
    work in place. Where the right-hand side is an input, products of 192 rows
    or more read a copy.

    A convolution in groups goes through all places of an image for a vector of
    channels before the next one; 512 bytes between places are too many for its
    input and its output, unless they are so large that they come from memory
    anyway.
  }];
  let options = [
    Option<"target", "target", "::mlir::glow::KernelTarget", "",
           "The machine, as vector-bits=256,l2=1M">
  ];
}

def EliminateCopies : Inst_Pass<"glow-inst-eliminate-copies"> {
  let summary = "Remove copies by letting both sides share memory";
  let description = [{
    A copy goes away in one of two ways. If nobody else touches the destination
    while the source is in use, the source's users work on the destination: concat
    and padding then cost nothing. If the source does not change while the
    destination is read, the destination's readers read the source: slices and
    transposes then cost nothing.

    Strides that a view cannot express keep the copy, and so does a change that
    would take unit stride from the innermost axis of an operand.
  }];
}

def ExpandWinograd : Inst_Pass<"glow-inst-expand-winograd"> {
  let summary = "Turn Winograd convolutions into products of bands";
  let description = [{
    A band of tiles at a time: a map reads the elements of every tile through
    strided views of the input and writes one matrix per product (tiles by
    channels), these are multiplied by the filter's matrices, and another map
    turns the products into results, with the convolution's epilogue. The bands
    are the points of a `glow_inst.forall`; where there are too few to keep many
    threads busy, also with those of the convolution's other groups, their three
    steps stand by themselves, each of them parallel.

    The input must hold whole tiles, as `glow-inst-pad-convs` sees to.
  }];
}

def EliminateDeadStores : Inst_Pass<"glow-inst-eliminate-dead-stores"> {
  let summary = "Remove instructions whose results nobody reads";
  let description = [{
    An instruction is dead if all it writes is scratch memory that is not read
    before it is written again or before the function ends. Removal starts at the
    end, so that whole chains disappear; unused allocations go as well.
  }];
}

def FuseBands : Inst_Pass<"glow-inst-fuse-bands"> {
  let summary = "Make loops over bands of chains of instructions";
  let description = [{
    Products, maps, reductions, copies and gathers that follow each other and are
    parallel along the same axes, such as the batches, heads and rows of attention or the
    rows of a normalisation, become one `glow_inst.forall` whose intermediate
    results are scratch memory. Bands are as large as keeps these in half of the
    core's cache. A product with an operand that every band needs takes part if
    that is small; bands then have 24 rows or more, as each reads it again. Gathers
    of one shape are in one loop, so that what reads them all finds them in the cache.
  }];
  let options = [
    Option<"target", "target", "::mlir::glow::KernelTarget", "",
           "The machine, as vector-bits=256,l2=1M">
  ];
}

def FuseGates : Inst_Pass<"glow-inst-fuse-gates"> {
  let summary = "Make loops over the columns of products that a map combines";
  let description = [{
    A product of few rows and the map behind it that combines groups of its columns
    become one `glow_inst.forall` over the columns of a group: the gates of a
    recurrent cell. Each point has the product's columns for all gates of some
    units, in scratch memory, and what the map makes of them.
  }];
  let options = [
    Option<"target", "target", "::mlir::glow::KernelTarget", "",
           "The machine, as vector-bits=256,l2=1M">
  ];
}

def FuseOutputs : Inst_Pass<"glow-inst-fuse-outputs"> {
  let summary = "Write what a map makes of a contraction instead of its result";
  let description = [{
    A map that is the only reader of what a convolution or product of matrices
    writes joins that one's epilogue, which then has as many outputs as the map:
    the pieces into which the next product's factor is taken apart. Where others
    read the result too, writing all of it at once is slower than the map.
  }];
}

def JoinMaps : Inst_Pass<"glow-inst-join-maps"> {
  let summary = "Make one map of two that follow each other";
  let description = [{
    A map that reads, element by element, what the map before it writes or reads
    joins it, so that the elements come from registers. What the first one writes
    is still written: something else needs it, as the state of a recurrent cell is
    needed by the next step. Maps with a single reader have been joined on tensors
    already.
  }];
}

def FuseReductions : Inst_Pass<"glow-inst-fuse-reductions"> {
  let summary = "Combine what a map computes while it is computed";
  let description = [{
    A map whose only result is read by nothing but one reduction becomes the
    region of that reduction, so that the squares of a normalisation are never
    in memory. What the map reads must not change in between.
  }];
}

def FuseRows : Inst_Pass<"glow-inst-fuse-rows"> {
  let summary = "Make loops over bands of rows of chains of convolutions";
  let description = [{
    Convolutions, pools, maps and copies that follow each other become one
    `glow_inst.forall` over bands of rows of the last one's result, where their
    intermediate results would leave the core's cache: each band computes the rows
    that it needs of all of them, in scratch memory. Rows between two bands are
    computed twice, unless a band is a whole image. A model of the costs chooses the
    chains and the bands' height.

    The rows of padding that fills have put around an intermediate result are
    filled in the scratch memory; bands at the border of an image read them.
  }];
  let options = [
    Option<"target", "target", "::mlir::glow::KernelTarget", "",
           "The machine, as vector-bits=256,l2=1M">,
    Option<"height", "height", "int64_t", "0",
           "Rows of each band, whatever they cost; 0: as is best">
  ];
}

def FuseImages : Inst_Pass<"glow-inst-fuse-images"> {
  let summary = "Make loops over images of what would leave the caches";
  let description = [{
    Instructions that follow each other and compute each image of a batch on its own
    become one `glow_inst.forall` over the images where their intermediate results
    would leave the caches together, but those of one image do not: convolutions,
    pools, maps, reductions, products, and loops whose first axis are images. A model
    of the costs chooses the chains: weights are read for each image.

    A chain with results that something else needs reads these only as it has
    written them. Threads share the points that do not go round (`shared`), so the
    number of images may be open; functions with other open extents stay as they are.
  }];
  let options = [
    Option<"target", "target", "::mlir::glow::KernelTarget", "",
           "The machine, as vector-bits=256,l2=1M">,
    Option<"strassen", "strassen", "bool", "false",
           "Leave products to Strassen's algorithm where that gains more">
  ];
}

def StrassenProducts : Inst_Pass<"glow-inst-strassen-products"> {
  let summary = "Make seven products of quarters for eight";
  let description = [{
    A product of at least 63 rows of f32 and an even depth of at least 512 with
    constant packed weights, a matrix product or a convolution of 1 x 1 taps, is
    computed by Strassen's algorithm where a cost model expects a gain: loops scale
    rows and add up quarters of the left-hand side, and a loop over blocks of rows
    and columns makes seven products and adds them up to four parts of the result.
    Many rows are taken in groups, one after the other. Weights are scaled and added
    up here and take 7/4 of their memory. Scales are powers of two: they keep rows
    and columns of small numbers as accurate as those of large ones. A row that is
    not finite becomes NaN and leaves the others alone. Weights that are not finite,
    or of which one is more than 16 times the root mean square of its scaled column,
    stay as they are, and columns beyond whole pairs of blocks stay a product.

    Of a product in a bounded function the loops have as many pairs of rows as
    there are at run time. Fewer than 32 rows are multiplied by four of the seven
    matrices, which make the product as it is.
  }];
  let options = [
    Option<"target", "target", "::mlir::glow::KernelTarget", "",
           "The machine, as vector-bits=256,l2=1M">
  ];
}

def FewRows : Inst_Pass<"glow-inst-few-rows"> {
  let summary = "Multiply few rows of an open number in single precision";
  let description = [{
    A product of pieces with constant packed weights whose `few_rows` says so gets a
    second one beside it, by what its pieces add up to, into the same output. The
    limits of both are such that one of them has no rows: that of pieces if there
    are fewer rows than stated, else the other. The weights are there in both forms:
    for vectors, the panels of two tile registers are one.
  }];
}

def SplitDepth : Inst_Pass<"glow-inst-split-depth"> {
  let summary = "Make loops over blocks of deep products";
  let description = [{
    A product of many rows with a deep packed matrix, neither of which stays in the
    second-level cache, becomes a `glow_inst.forall` over blocks of rows and columns.
    In a block, parts of the depth follow each other: each is a product that adds
    the sums before it, which stay in the cache as the block's rows of that part
    do. The last one has the epilogue.
  }];
  let options = [
    Option<"target", "target", "::mlir::glow::KernelTarget", "",
           "The machine, as vector-bits=256,l2=1M">
  ];
}

def SplitTaps : Inst_Pass<"glow-inst-split-taps"> {
  let summary = "Make loops over blocks of convolutions with deep windows";
  let description = [{
    A convolution without borders, of a packed filter, whose lines do not stay in
    the second-level cache while a panel of the filter passes, becomes a
    `glow_inst.forall` over images, blocks of lines and blocks of columns. In a
    block, the rows of taps follow each other: each is a convolution that adds the
    sums before it, and reads only the lines that it has a product with. The last
    one has the epilogue.
  }];
  let options = [
    Option<"target", "target", "::mlir::glow::KernelTarget", "",
           "The machine, as vector-bits=256,l2=1M">
  ];
}

def SplitReductions : Inst_Pass<"glow-inst-split-reductions"> {
  let summary = "Reduce many rows to few columns in two steps";
  let description = [{
    A reduction of at least 32768 elements whose innermost axis is kept, as the
    mean of all pixels of each channel, becomes one of up to eight parts of its
    outermost reduced axis and one of their results. The parts can be divided
    among threads as the instructions around divide the rows, so that each thread
    reads what it has written itself.
  }];
}

def CompactArguments : Inst_Pass<"glow-inst-compact-arguments"> {
  let summary = "Take arrays of open extents as callers have them";
  let description = [{
    An argument of a bounded function has room for its largest extents, so a
    caller's array, which has no padding, is copied. Arguments all of whose
    accesses stay within their extents, by instructions whose kernels do not
    reach further or read the last place again for those that are not there, are
    marked with `glow_inst.compact`: the caller's array itself, where an axis ends
    earlier and those around it have smaller strides.
    Instructions and loops that touch it get `glow_inst.pitches` and
    `glow_inst.unit`, which say what their strides are in memory. One axis
    behind the first may be open, by a multiple of one symbol and a constant.
  }];
  let options = [
    Option<"target", "target", "::mlir::glow::KernelTarget", "",
           "The machine, as vector-bits=256,l2=1M">
  ];
}

def NontemporalStores : Inst_Pass<"glow-inst-nontemporal-stores"> {
  let summary = "Store what no cache can keep past the caches";
  let description = [{
    A core reads a line from memory before it writes to it, which is a third of
    what a copy moves. Maps and copies whose outputs are much larger than the
    caches get `nontemporal`: results of the function of three quarters of
    the last cache and more, and scratch memory of twice as much as that cache.
    Where a run may have less of an output, its kernel looks at how much that is.
  }];
  let options = [
    Option<"target", "target", "::mlir::glow::KernelTarget", "",
           "The machine, as vector-bits=256,l2=1M">
  ];
}

def JoinFills : Inst_Pass<"glow-inst-join-fills"> {
  let summary = "Fill several parts of a buffer with one instruction";
  let description = [{
    Fills of one buffer with one value that follow each other, with no other
    access in between, become one `glow_inst.fill`: the borders of a padded
    tensor, each of which takes less time than to start an instruction on several
    threads.
  }];
}

def AlternateColumns : Inst_Pass<"glow-inst-alternate-columns"> {
  let summary = "Read a matrix forth and back";
  let description = [{
    Products with few rows that read the same matrix one after the other, as the
    steps of a recurrent network do, go through its columns from the first to the
    last and from the last to the first in turn. Of a matrix that is larger than
    the second-level cache, each then begins with what the one before has left
    there; always in the same order, a line would have gone by the time it is read
    again.
  }];
  let options = [
    Option<"target", "target", "::mlir::glow::KernelTarget", "",
           "The machine, as vector-bits=256,l2=1M">
  ];
}

def LimitWork : Inst_Pass<"glow-inst-limit-work"> {
  let summary = "Compute no padding of bounded functions";
  let description = [{
    In a bounded function, whose last argument has `glow.symbols`, gives every
    instruction whose outputs hold padding the attribute `glow_inst.extents`: what of
    each axis need be computed, as a function of the symbols. Kernels then stop
    there. A `glow_inst.forall` gets the points that it need run, and the values of
    the symbols as one more input.

    Padding is followed from the arguments through all instructions that compute
    their elements one by one along an axis. What a mask has put in its place, a
    choice by a condition that depends on symbols, is computed in full, unless it
    is a number that changes nothing where it is read: minus infinity in a
    maximum, zero in a sum and in both factors of a product. Instructions that read
    it stop before it, which further results of the map say, one for each axis
    that is reduced; those that write it leave it out.

    Then what is read is followed backwards, from the results' extents: other
    instructions compute no more than that. Windows reach as far in their input as
    those of the results that are needed do.
  }];
}

def Schedule : Inst_Pass<"glow-inst-schedule"> {
  let summary = "Reorder instructions to need less memory at once";
  let description = [{
    List scheduling under the dependences between overlapping buffers: of the
    ready instructions, take the one that frees most memory. The new order is kept
    only if its peak is lower than that of the original order.
  }];
}

def ShareBuffers : Inst_Pass<"glow-inst-share-buffers"> {
  let summary = "Compute in place";
  let description = [{
    The output of a map takes over the buffer of an input that is not used later
    and has the same type and layout; the output of a contraction that of such an
    epilogue input.
  }];
}

def FormSections : Inst_Pass<"glow-inst-form-sections"> {
  let summary = "Run independent instructions at once";
  let description = [{
    Instructions that follow each other and do not depend on each other, as those
    of a convolution's groups, become one `glow_inst.sections`, behind which
    threads wait for each other once. Those that do very little stay alone, as do
    two that do much, and those whose buffers could take over the memory of
    buffers that the one before is the last to use.
  }];
}

def InsertDeallocs : Inst_Pass<"glow-inst-insert-deallocs"> {
  let summary = "Bound the life of every allocation";
  let description = [{
    Moves an `alloc` down to the first instruction that uses the buffer or a view
    of it, and puts a `dealloc` after the last one, replacing those that are there.
    Lifetimes are then visible in the IR.
  }];
}

def PlanMemory : Inst_Pass<"glow-inst-plan-memory"> {
  let summary = "Give every allocation an offset in the arena";
  let description = [{
    Places buffers so that those that live at the same time do not overlap. Several
    orders of placement are tried and the smallest arena is kept. Its size and the
    largest sum of buffers that live at once, which no plan can go below, become
    the function's attributes `glow_inst.arena_bytes` and
    `glow_inst.arena_lower_bound`; for a numbered memory space n the names end in
    `.n`.

    A plan larger than `budget` is an error that names the instruction at the peak
    and what is live there.
  }];
  let options = [
    Option<"alignment", "alignment", "uint64_t", "64",
           "Alignment of every buffer in bytes">,
    Option<"budget", "budget", "uint64_t", "0",
           "Largest arena allowed, in bytes; 0 is no limit">
  ];
}

def VerifyPlan : Inst_Pass<"glow-inst-verify-plan"> {
  let summary = "Check a planned function against its contract";
  let description = [{
    Every allocation has an offset within the arena; allocations that live at the
    same time do not overlap; nothing is used before its `alloc` or after its
    `dealloc`; no allocation is read before something has written to it; constants
    and inputs are not written.
  }];
}

#endif
