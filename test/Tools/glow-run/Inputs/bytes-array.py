"""Writes the array [b'ab', b'c'] as a .npy file, without NumPy."""
import struct
import sys

header = b"{'descr': '|S2', 'fortran_order': False, 'shape': (2,), }"
header += b" " * (63 - (10 + len(header)) % 64) + b"\n"
with open(sys.argv[1], "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header)
    file.write(b"abc\0")
