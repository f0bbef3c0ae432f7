#!/bin/sh
# The IR is interesting (1) as long as it is valid and has an exponential.
if glow-opt "$1" 2>/dev/null | grep -q 'glow.exp'; then
  exit 1
fi
exit 0
