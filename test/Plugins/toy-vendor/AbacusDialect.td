// A target of another vendor: the whole dialect is one attribute.
include "glow/Interfaces/Target.td"
include "mlir/IR/DialectBase.td"

def AbacusDialect : Dialect {
  let name = "abacus";
  let cppNamespace = "::abacus";
  let useDefaultAttributePrinterParser = 1;
}

def Abacus_TargetAttr : AttrDef<AbacusDialect, "Target",
    [DeclareAttrInterfaceMethods<TargetAttrInterface, ["getDeviceLibrary"]>]> {
  let mnemonic = "target";
  let parameters = (ins DefaultValuedParameter<"int64_t", "1000">:$beads);
  let assemblyFormat = "(`<` struct(params)^ `>`)?";
}
