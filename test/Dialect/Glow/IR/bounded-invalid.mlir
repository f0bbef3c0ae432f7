// RUN: glow-opt --split-input-file --verify-diagnostics %s

// Accepted.
func.func @bounded(%x: tensor<8x16xf32> {glow.extents = affine_map<()[s0, s1] -> (s0 * 2, 16)>},
                   %s: tensor<2xi64> {glow.symbols = [{name = "batch", lower = 1 : i64, upper = 4 : i64},
                                                      {name = "past", lower = 0 : i64, upper = 9 : i64}]})
    -> (tensor<8x16xf32> {glow.extents = affine_map<()[s0, s1] -> (s0 * 2, 16)>}) {
  return %x : tensor<8x16xf32>
}

// -----

// expected-error @+1 {{argument 0: 'glow.extents' gives 1 extents for the type 'tensor<8x16xf32>'}}
func.func @rank(%x: tensor<8x16xf32> {glow.extents = affine_map<()[s0] -> (s0)>},
                %s: tensor<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]}) {
  return
}

// -----

// expected-error @+1 {{argument 0: 'glow.extents' needs an argument with 'glow.symbols'}}
func.func @no_symbols(%x: tensor<8xf32> {glow.extents = affine_map<()[s0] -> (s0)>}) {
  return
}

// -----

// expected-error @+1 {{result 0: 'glow.extents' maps 2 symbols, the function has 1}}
func.func @count(%s: tensor<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]})
    -> (tensor<1xi64> {glow.extents = affine_map<()[s0, s1] -> (s1)>}) {
  return %s : tensor<1xi64>
}

// -----

// expected-error @+1 {{argument 0: symbol 'n' has the range 9..8}}
func.func @range(%s: tensor<1xi64> {glow.symbols = [{name = "n", lower = 9 : i64, upper = 8 : i64}]}) {
  return
}

// -----

// expected-error @+1 {{argument 0: 'glow.symbols' names 'n' twice, or not at all}}
func.func @twice(%s: tensor<2xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}, {name = "n", lower = 1 : i64, upper = 8 : i64}]}) {
  return
}

// -----

// expected-error @+1 {{argument 0 holds the values of 1 symbols and cannot have type 'tensor<2xi64>'}}
func.func @type(%s: tensor<2xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]}) {
  return
}

// -----

// expected-error @+1 {{argument 0: 'glow.symbols' is not a list of}}
func.func @form(%s: tensor<1xi64> {glow.symbols = ["n"]}) {
  return
}
