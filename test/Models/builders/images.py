"""From image to image: U-Net, the generator of a DCGAN, super-resolution.

Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

from .convnets import ConvNet


def _double_conv(g, x, cin, cout):
    x = g.node("Relu", g.conv_bn(x, cin, cout, 3, names=("0", "1")))
    return g.node("Relu", g.conv_bn(x, cout, cout, 3, names=("3", "4")))


def unet(base=32, levels=4, classes=3):
    """Halves the image `levels` times and joins each size on the way back."""
    g = ConvNet("unet", opset=17)
    x = g.input("input", ["batch", 3, 256, 256])
    with g.scope("inc"):
        x = _double_conv(g, x, 3, base)
    skips, width = [], base
    for level in range(1, levels + 1):
        skips.append(x)
        with g.scope(f"down{level}"):
            x = _double_conv(g, g.max_pool(x, 2, 2), width, 2 * width)
        width *= 2
    for level, skip in enumerate(reversed(skips), 1):
        with g.scope(f"up{level}"):
            with g.scope("up"):
                x = g.conv_transpose(x, width, width // 2, 2, 2, gain=1.0)
            x = g.node("Concat", skip, x, axis=1)
            x = _double_conv(g, x, width, width // 2)
        width //= 2
    with g.scope("outc"):
        x = g.conv(x, width, classes, 1, bias=True)
    g.output(x, "classes", ["batch", classes, 256, 256])
    return g.model()


def dcgan(latent=100, base=64):
    """64x64 images from noise, each layer a ConvTranspose of 4x4."""
    g = ConvNet("dcgan", opset=17)
    x = g.input("input", ["batch", latent, 1, 1])
    width = base * 8
    for layer, (cin, cout, stride, pad) in enumerate(
            [(latent, width, 1, 0)]
            + [(width >> i, width >> i + 1, 2, 1) for i in range(3)]):
        with g.scope(f"main.{3 * layer}"):
            x = g.conv_transpose(x, cin, cout, 4, stride, pad)
        with g.scope(f"main.{3 * layer + 1}"):
            x = g.node("Relu", g.batch_norm(x, cout))
    with g.scope("main.12"):
        x = g.node("Tanh", g.conv_transpose(x, base, 3, 4, 2, 1, gain=0.3))
    g.output(x, "image", ["batch", 3, 64, 64])
    return g.model()


def super_resolution(width=64, blocks=4, scale=2):
    """Residual blocks at the size of the input, then PixelShuffle."""
    g = ConvNet("super_resolution", opset=17)
    x = g.input("input", ["batch", 3, 128, 128])
    with g.scope("head"):
        x = head = g.conv(x, 3, width, 3, bias=True, gain=1.0)
    for block in range(blocks):
        with g.scope(f"body.{block}"):
            with g.scope("0"):
                y = g.node("Relu", g.conv(x, width, width, 3, bias=True,
                                          gain=1.0))
            with g.scope("2"):
                y = g.conv(y, width, width, 3, bias=True, gain=0.5)
            x = g.node("Add", y, x)
    x = g.node("Add", x, head)
    with g.scope("tail.0"):
        x = g.conv(x, width, width * scale ** 2, 3, bias=True, gain=1.0)
    x = g.node("DepthToSpace", x, blocksize=scale, mode="CRD")
    with g.scope("tail.2"):
        x = g.conv(x, width, 3, 3, bias=True, gain=1.0)
    g.output(x, "image", ["batch", 3, 128 * scale, 128 * scale])
    return g.model()
