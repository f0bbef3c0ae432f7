func.func @words(%x: tensor<?x!glow.string> {glow.name = "x"}, %end: tensor<!glow.string> {glow.name = "end"})
    -> (tensor<?x!glow.string> {glow.name = "y"}) {
  %y = glow.call_host "string_concat"(%x, %end) {core_rank = 0 : i64, cells = [tensor<!glow.string>], config = {}} : (tensor<?x!glow.string>, tensor<!glow.string>) -> tensor<?x!glow.string>
  return %y : tensor<?x!glow.string>
}
