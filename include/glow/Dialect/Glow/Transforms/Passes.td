//===- Passes.td - passes on the graph dialect -------------*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_GLOW_TRANSFORMS_PASSES_TD
#define GLOW_DIALECT_GLOW_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def InferShapes : Pass<"glow-infer-shapes", "::mlir::ModuleOp"> {
  let summary = "Refine the types of results from those of operands";
  let description = [{
    Walks every function in order and replaces a result type by the inferred one
    where that knows more dimensions; function types follow. With `shapes`, the
    dynamic dimensions of the named arguments of the main function are fixed
    first, which specialises a model.
  }];
  let options = [
    ListOption<"shapes", "shapes", "std::string",
               "Shapes of arguments, as name=1x3x224x224">
  ];
}

def BoundShapes : Pass<"glow-bound-shapes", "::mlir::ModuleOp"> {
  let summary = "Compile for a range of shapes at once";
  let description = [{
    The open dimensions of the main function's arguments become symbols: those
    with the same name in `glow.dim_names` share one, a name like `past + 1` is
    computed from others, and one without a name is called `input.axis`. All types
    become static at the upper bounds of the symbols; their values at run time are
    one more argument, and `glow.extents` on arguments and results says what is
    valid. Elements beyond are padding and may be anything.

    Ops that are parallel along a bounded dimension stay as they are. Before
    those that combine elements along it, padding is replaced by a neutral
    element. Concatenations, slices and pads move elements by offsets that are
    computed at run time. Dimensions that meet in an op are taken to be equal. All
    ops that cannot be bounded are reported.

    `bounds` gives ranges as `batch=1..8`, or `height=64..640:32` for multiples of
    32 alone; `batch=8` fixes an extent.
  }];
  let options = [
    ListOption<"bounds", "bounds", "std::string",
               "Ranges of symbols, as batch=1..8">
  ];
}

def Decompose : Pass<"glow-decompose", "::mlir::func::FuncOp"> {
  let summary = "Replace composite ops by smaller ones";
  let description = [{
    Every op with `DecomposeOpInterface` is replaced by its decomposition, and
    what that contains too, except for the ops that the module's target has
    itself and those named in `keep`. The parts get the location of the whole. Ops whose form
    has no decomposition are all reported.
  }];
  let options = [
    ListOption<"keep", "keep", "std::string",
               "Ops that stay whole, as glow.softmax">
  ];
}

def RollRecurrences : Pass<"glow-roll-recurrences", "::mlir::ModuleOp"> {
  let summary = "Make loops of long recurrent layers";
  let description = [{
    A `glow.recurrent` of at least `least-steps` steps, or of a number that is known
    at run time, becomes a `glow.for_steps` for each direction, on a function that
    computes one step. What is constant of the weights is copied into that
    function. Compile time and code do not depend on the number of steps then, and
    a sequence of a range takes as long as its own steps. The inputs of all steps
    are multiplied before the loop.
  }];
  let options = [
    Option<"leastSteps", "least-steps", "int64_t", "16",
           "Steps from which on it is a loop; 0: never">
  ];
}

def FuseElementwise : Pass<"glow-fuse-elementwise", "::mlir::func::FuncOp"> {
  let summary = "Gather element-wise ops in clusters";
  let description = [{
    Makes a `glow.map` of every op with `ScalarBodyOpInterface` and merges maps
    into the maps that read them: if there is one reader of the same shape
    always, otherwise if the arithmetic is cheap enough to repeat. Scalar
    constants move into the regions, where powers and divisions by constants
    become products if that is exact.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
  let options = [
    Option<"maxInputs", "max-inputs", "unsigned", "8",
           "Merge only while a cluster reads at most this many tensors">
  ];
}

def FoldConstants : Pass<"glow-fold-constants", "::mlir::func::FuncOp"> {
  let summary = "Replace ops on constants by constants";
  let description = [{
    Walks the function in program order; refines the type of each op, folds it,
    and evaluates it with the interpreter if all operands are constants. This
    resolves the shape arithmetic of exported models: a folded shape makes the
    ops after it static. An op that would enlarge its constants is left alone
    beyond `max-bytes`, unless it stays below `max-growth` times its operands.
    Ops without uses go.
  }];
  let options = [
    Option<"maxBytes", "max-bytes", "int64_t", /*default=*/"1 << 20",
           "Size up to which every result is folded">,
    Option<"maxGrowth", "max-growth", "int64_t", /*default=*/"8",
           "How many times larger than its operands a result may be">
  ];
}

def FuseBatchNorm : Pass<"glow-fuse-batch-norm", "::mlir::func::FuncOp"> {
  let summary = "Fold batch normalisation into the weights before it";
  let description = [{
    A `glow.batch_norm` with constant parameters that alone reads a conv,
    conv_transpose, gemm or matmul with constant weights disappears: weights
    and bias are scaled instead. The new weights are ops on constants and need
    `glow-fold-constants`. Others are left for `glow-decompose`, which makes a
    product and a sum of them.
  }];
}

def MergeConvs : Pass<"glow-merge-convs", "::mlir::func::FuncOp"> {
  let summary = "Make one convolution of parallel ones that are added";
  let description = [{
    Two convolutions of one input with constant weights, the same strides and
    groups, and windows of which one lies in the other, become one if nothing
    but their sum is read: the filters are added, the smaller one with zeros
    around it. A batch normalisation of that input counts as a convolution of
    one tap, and so does the input itself where there is one channel a group.
    Networks that are trained with such branches (RepVGG, MobileOne) are often
    exported with them. No tap is added, so infinities meet no zeros. The new
    weights are ops on constants and need `glow-fold-constants`.
  }];
}

def DropUnread : Pass<"glow-drop-unread", "::mlir::func::FuncOp"> {
  let summary = "Compute only those parts of tensors that are read";
  let description = [{
    Of the result of a matmul, a reduction, a softmax or a running sum of which at
    most half is read, only that part is computed: the least box that has
    what its readers take. So are element-wise ops between these, and any part
    of what is only moved. A
    classifier that reads the first token of a sequence leaves one row of the
    last layer of a transformer. Ops of which nothing is read go; slices of
    constants are left for `glow-fold-constants`.
  }];
}

def AssignLayout : Pass<"glow-assign-layout", "::mlir::func::FuncOp"> {
  let summary = "Choose the layout of convolutions and pools";
  let description = [{
    Ops with `LayoutOpInterface` that are connected through ops which any layout
    suits form a region. Each region gets the layout with the least sum of the
    ops' own costs and the cost of reordering the tensors at its border, which
    are counted in bytes. The module's target, if it has one, says which layouts
    an op may have (`getLayoutChoices`); one that does not have its region's
    keeps its own. The reorders are `glow.transpose` ops around each op;
    `glow-sink-transposes` lets those inside a region cancel.
  }];
}

def SinkTransposes : Pass<"glow-sink-transposes", "::mlir::func::FuncOp"> {
  let summary = "Move transposes down until they cancel";
  let description = [{
    A transpose moves behind the op that reads it if that op can run on the
    other order of axes: element-wise ops, concat, pad, slice, reductions, and
    reshapes that keep the moved axes apart. A transpose before a flattening
    product by constant weights permutes the rows of the weights. A transpose
    stays where one of its readers cannot take it further.
  }];
}

def FuseEpilogue : Pass<"glow-fuse-epilogue", "::mlir::func::FuncOp"> {
  let summary = "Move element-wise work into contractions";
  let description = [{
    A `glow.map` that alone reads a conv or matmul of the same result type
    becomes, or extends, the op's epilogue region. Its other inputs become
    epilogue inputs. The bias of every conv moves there too, so that afterwards
    none has one.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SplitBorders : Pass<"glow-split-borders", "::mlir::func::FuncOp"> {
  let summary = "Leave out taps of dilated convolutions beside the image";
  let description = [{
    Results of a dilated convolution, channels last, for which the same taps of the
    window lie within the image become a convolution of these taps, without zeros
    around the image, if at least 15 % of the products along the last axis are with
    such zeros: of windows that are far apart on small images, as in the last
    layers of a segmentation network, half of all products are. There are at most
    three parts along an axis, and the order of a sum's terms stays.
  }];
}

def WinogradConvs : Pass<"glow-winograd-convs", "::mlir::func::FuncOp"> {
  let summary = "Compute convolutions with fewer products";
  let description = [{
    Dense channels-last convolutions with unit strides and constant filters of
    `f32`, or of `bf16` where vectors multiply those faster, get a transformed
    filter and the attribute `winograd`, where a cost model of arithmetic and
    memory traffic says that this is faster. For 3 x 3 taps, tiles of 2 by 2
    outputs need 4/9 of the products and are about as accurate as the direct sum;
    tiles of 4 by 4, which are not for `bf16`, need 1/4 and lose about one decimal
    digit. Windows along one axis have those tiles, and larger ones, that lose as
    many digits. Windows of more taps are sums of parts. An infinite input makes
    its whole tile NaN. Needs `glow-fold-constants` afterwards. A window over
    several frames of a clip becomes the sum of windows over one frame each, where
    these together are faster by the algorithm. Of a dilated convolution, places
    that are a dilation apart become images of a dense one. Sequences become
    images, in whose columns such places are neighbours.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let options = [
    Option<"outputs", "outputs", "int64_t", "2",
           "Extent of a tile for 3 x 3 taps: 2 or 4">,
    Option<"target", "target", "::mlir::glow::KernelTarget", "",
           "The machine, as vector-bits=256,l2=1M">,
    Option<"force", "force", "bool", "false",
           "Convert whatever can be, faster or not">
  ];
}

def PadChannels : Pass<"glow-pad-channels", "::mlir::func::FuncOp"> {
  let summary = "Give images an even number of channels for tile registers";
  let description = [{
    Channels-last convolutions of `f32` images with an odd number of channels, too
    few for the depth of a tile register, whose taps along the last axis have enough
    together, get one more channel of zeros, on targets that multiply `bf16` in tile
    registers: three channels and seven taps are a depth of 28. Pairs of channels
    then do not reach from one tap to the next. Needs `glow-fold-constants`
    afterwards.
  }];
  let options = [
    Option<"target", "target", "::mlir::glow::KernelTarget", "",
           "The machine, as vector-bits=512,features=avx512bf16+amx-tile+amx-bf16">
  ];
}

def StoreAsBfloat16 : Pass<"glow-store-as-bfloat16", "::mlir::func::FuncOp"> {
  let summary = "Multiply in bf16 and store what products read and write in it";
  let description = [{
    The factors of products of matrices and of dense convolutions become `bf16`:
    constants are cast, and activations are rounded in the map or epilogue that
    writes them. Results of products are stored in `bf16` too if all that maps and
    epilogues compute from them are factors. Everything else stays `f32`: sums,
    the arithmetic of regions, arguments and results of the function, what
    reductions but maxima and minima read and write, constants that no product
    reads, and products of a small depth if the target multiplies `bf16` in tile
    registers, which they do not fill: the depth of a convolution is that of
    neighbouring taps of an even number of channels. Functions of regions whose result is rounded may be approximate
    then (`fastmath<afn>`). Needs `glow-fold-constants` afterwards.
  }];
  let options = [
    Option<"target", "target", "::mlir::glow::KernelTarget", "",
           "The machine, as vector-bits=256,l2=1M">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def JoinGroups : Pass<"glow-join-groups", "::mlir::func::FuncOp"> {
  let summary = "Make one group of several that fill a tile register together";
  let description = [{
    Channels-last convolutions with constant `f32` filters in groups of few channels
    get fewer and wider groups if the target multiplies `bf16` in tile registers: as
    many become one as their depth holds. In the new filter each result has zeros for
    the channels of other groups. So an infinity or a NaN makes NaN of the results of
    all groups that share one. Needs `glow-fold-constants` afterwards.
  }];
  let options = [
    Option<"target", "target", "::mlir::glow::KernelTarget", "",
           "The machine, as vector-bits=512,features=avx512bf16+amx-tile+amx-bf16">
  ];
}

def SplitGroups : Pass<"glow-split-groups", "::mlir::func::FuncOp"> {
  let summary = "Make one convolution of each wide group";
  let description = [{
    Channels-last convolutions with constant filters in groups that read at least
    `least` channels become one convolution for each group, on slices of the
    operands, with the epilogue of the original; the results are concatenated. Each
    can then be packed, split into pieces or computed by Winograd's algorithm.
    Needs `glow-fold-constants` afterwards.
  }];
  let options = [
    Option<"least", "least", "int64_t", "16",
           "Channels of a group that is worth a convolution of its own">
  ];
}

def GroupQueries : Pass<"glow-group-queries", "::mlir::func::FuncOp"> {
  let summary = "Multiply by keys and values that are not repeated";
  let description = [{
    A product with a matrix that is repeated for several heads, by `glow.expand`
    and `glow.reshape`, becomes one of the heads in groups with the matrix itself;
    one row of each head becomes several rows of the group.
  }];
}

def TurnProducts : Pass<"glow-turn-products", "::mlir::func::FuncOp"> {
  let summary = "Multiply a matrix by columns rather than rows by its transpose";
  let description = [{
    A product of one row, or of as few as the target's kernel that sums along the
    depth takes for columns, with a matrix that is transposed for it becomes one
    of the matrix with columns, which reads the matrix as it is. Epilogues and the
    result are turned. So are products of more rows, up to half of a vector where
    masks cost nothing, or of a whole vector, if turning them moves half of what
    transposing the matrix would or less. Products that are not longer than
    `least` stay.
  }];
  let options = [
    Option<"least", "least", "int64_t", "16", "The least length of products">,
    Option<"target", "target", "::mlir::glow::KernelTarget", "",
           "The machine, as vector-bits=256,l2=1M">
  ];
}

def SplitProducts : Pass<"glow-split-products", "::mlir::func::FuncOp"> {
  let summary = "Multiply f32 in bf16 pieces where tile registers make it pay";
  let description = [{
    Factors of products by constant `f32` weights become sums of bf16 numbers
    (`glow.bf16_pieces`), and the op gets the attribute `pieces`: dense
    channels-last convolutions and products of matrices, on targets that multiply
    bf16 in tile registers, where a cost model says that this is faster. Three
    pieces are as accurate as single precision, two lose about one decimal digit.
    Needs `glow-fold-constants` afterwards.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let options = [
    Option<"pieces", "pieces", "int64_t", "3", "Pieces of a factor: 2 or 3">,
    Option<"target", "target", "::mlir::glow::KernelTarget", "",
           "The machine, as vector-bits=512,features=avx512bf16+amx-tile+amx-bf16">,
    Option<"force", "force", "bool", "false",
           "Split whatever can be, faster or not">
  ];
}

def NarrowWeights : Pass<"glow-narrow-weights", "::mlir::func::FuncOp"> {
  let summary = "Store the f32 weights of products of few rows in fewer bits";
  let description = [{
    Constant `f32` weights of matrix products and dense channels-last convolutions
    with at most eight rows of results become narrower, as such products take as
    long as reading their weights. They must have one reader, which is in no loop.
    Sums and the other factors stay `f32`.

    With 16 bits, weights that leave the first-level cache become `bf16`. With 24
    bits they become numbers with a scale for each column (`glow.narrow_weights`),
    by which the epilogue multiplies the sums. That is where they come from memory:
    they are large, and all weights of the function exceed the second-level cache;
    on targets that widen them with one move of bytes (AVX512-VBMI). Weights that
    are not finite, or of which one is 2^13 times the geometric mean of its column,
    keep all bits. Needs `glow-fold-constants` afterwards.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let options = [
    Option<"target", "target", "::mlir::glow::KernelTarget", "",
           "The machine, as vector-bits=512,features=avx512vbmi">,
    Option<"bits", "bits", "int64_t", "24", "Of a weight: 24 or 16">
  ];
}

def PackWeights : Pass<"glow-pack-weights", "::mlir::func::FuncOp"> {
  let summary = "Cut constant weights into column panels";
  let description = [{
    Constant float filters of channels-last convolutions with one group, and
    constant right-hand matrices, pass through `glow.pack` and the op is marked
    `packed`. Needs `glow-fold-constants` afterwards. Grouped and depthwise filters
    stay as they are. Elements along the depth that the target multiplies at once
    become neighbours. Panels for tile registers have at most 16 columns where rows
    fill more than one, so that a register is one piece of memory; those with the
    most rows decide for all that read the same weights. Where there are so few
    columns that they would leave most of a vector empty, all elements of a column
    do.

    So do right-hand sides of batches that are not constant, of 256 rows and more
    in a function that is not bounded, if the target multiplies several elements
    at once: kernels would make the same panels for each block of rows.
  }];
  let options = [
    Option<"width", "width", "int64_t", "32", "The most columns of a panel">,
    Option<"target", "target", "::mlir::glow::KernelTarget", "",
           "The machine, as vector-bits=512,features=avx512bf16">
  ];
}

def VerifyGraph : Pass<"glow-verify-graph", "::mlir::func::FuncOp"> {
  let summary = "Verify every op";
  let description = [{
    Runs MLIR's verifiers. The graph pipeline has this pass where much has
    changed, so that the compiler need not verify behind each of its passes,
    which would take as long as these.
  }];
}

def VerifyLoweredGraph
    : Pass<"glow-verify-lowered-graph", "::mlir::func::FuncOp"> {
  let summary = "Check what the graph stage promises to the next one";
  let description = [{
    Every shape is static, every element-wise op is in a `glow.map`, and of the
    composite ops only those are left that the module's target has or `keep`
    names. Reports all violations, each at
    the op concerned.
  }];
  let options = [
    ListOption<"keep", "keep", "std::string",
               "Composite ops that may be left">
  ];
}

def Partition : Pass<"glow-partition", "::mlir::ModuleOp"> {
  let summary = "Split the graph between a card and the processor";
  let description = [{
    Asks the target which ops it takes and what they cost, forms maximal groups
    that can run without interruption, and moves each into a function of a nested
    module with its own `glow.target`. The main function becomes a sequence of
    `glow.launch`. Constants are copied to where they are read. The report says
    for each op where it went and why.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"",
           "The card, as for --target; empty: the module's glow.target">,
    Option<"hostTarget", "host-target", "std::string", /*default=*/"\"cpu\"",
           "Where everything else runs">,
    Option<"byCost", "by-cost", "bool", /*default=*/"true",
           "Leave what is not worth its transfers on the host">,
    Option<"report", "report", "std::string", /*default=*/"",
           "File for the report, JSON if it ends in .json, - for the screen">
  ];
}

#endif
